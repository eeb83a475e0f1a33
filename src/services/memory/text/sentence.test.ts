// Sentences are whole and unaltered, whatever periods, marks and line ends a text has.
import { describe, expect, it } from 'vitest';
import { splitSentences } from './sentence.ts';

function textsOf(text: string): string[] {
  return splitSentences(text).map((sentence) => sentence.text);
}

describe('splitSentences', () => {
  it.each<[string, string[]]>([
    ['We pinned v15.2. It works.', ['We pinned v15.2.', 'It works.']],
    ['Use e.g. pnpm. Or yarn.', ['Use e.g. pnpm.', 'Or yarn.']],
    ['Dr. Chen wrote it. J. R. Smith reviewed it.', ['Dr. Chen wrote it.', 'J. R. Smith reviewed it.']],
    ['Go with plan B. We moved.', ['Go with plan B.', 'We moved.']],
    ['See src/a.test.ts. It is short.', ['See src/a.test.ts.', 'It is short.']],
    ['It costs 3.50 a month.', ['It costs 3.50 a month.']],
    ['Read https://a.dev/x.html?y=1.2. Then stop.', ['Read https://a.dev/x.html?y=1.2.', 'Then stop.']],
    ['She said "It works." and left.', ['She said "It works." and left.']],
    ['Really? Yes! Fine.', ['Really?', 'Yes!', 'Fine.']],
    ['Tools, logs, etc. are kept. Etc. is fine.', ['Tools, logs, etc. are kept.', 'Etc. is fine.']],
    ['Issue No. 5 is open. No. It is closed.', ['Issue No. 5 is open.', 'No.', 'It is closed.']],
    ['数据库是 PostgreSQL。端口是 8443。', ['数据库是 PostgreSQL。', '端口是 8443。']],
    ['It stores (see a.ts. Or b.ts.) everything. Done.', ['It stores (see a.ts. Or b.ts.) everything.', 'Done.']],
    ['Run `a. B` now. Then go.', ['Run `a. B` now.', 'Then go.']],
    ['no end here', ['no end here']],
    ['Wait... what. OK', ['Wait... what.', 'OK']],
  ])('splits %s', (text, expected) => {
    expect(textsOf(text)).toEqual(expected);
  });

  it('returns the form without the marks', () => {
    const text =
      '# Notes\n\n- Port: 3000\n2. The worker polls.\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sh\nnpm i\n```\n';
    expect(splitSentences(text).map(({ form, text: said }) => [form, said])).toEqual([
      ['heading', 'Notes'],
      ['item', 'Port: 3000'],
      ['item', 'The worker polls.'],
      ['quote', 'quoted'],
      ['row', '| a | b |'],
      ['row', '| 1 | 2 |'],
      ['code', 'npm i'],
    ]);
  });

  it('joins lines that were wrapped and parts lines that were ended', () => {
    const wrapped =
      'The billing service stores its ledgers in Aurora MySQL 8, in the\nregion eu-west-1, and is backed up.';
    expect(textsOf(wrapped)).toEqual([wrapped]);
    expect(textsOf('the db is postgres\ntests run with jest')).toEqual(['the db is postgres', 'tests run with jest']);
  });

  it('returns positions in the text', () => {
    const text = '> It listens\r\n> on 8443. Yes.\r\n\r\n* one\r\n* two';
    for (const { start, end, text: said } of splitSentences(text)) expect(text.slice(start, end)).toBe(said);
    expect(textsOf(text)).toContain('two');
  });
});
