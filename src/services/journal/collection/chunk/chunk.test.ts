// How documents are cut: where they have joints, with nothing lost, and in time that grows no faster than they do.
import { describe, expect, it } from 'vitest';
import { runNow } from '../../../../core/steps.ts';
import { chunkDocument as chunkInSteps, type DocumentFormat, formatOfFile, formatOfText } from './document-format.ts';
import { longest } from './pack.ts';

const chunkDocument = (text: string, format: DocumentFormat) => runNow(chunkInSteps(text, format));
const chunk = (text: string, format: DocumentFormat = 'markdown') => chunkDocument(text, format).chunks;
const paragraph = (word: string, sentences = 12) =>
  Array.from({ length: sentences }, (_, n) => `The ${word} number ${n} is described in this sentence.`).join(' ');

describe('Markdown', () => {
  it('is split at headings, and every chunk has its headings', () => {
    const text = `# Guide\n\n${paragraph('intro')}\n\n## Install\n\n${paragraph('npm')}\n\n### Linux\n\n${paragraph('apt')}\n\n## Use\n\n${paragraph('run')}`;
    expect(chunk(text).map(({ headings, line }) => [headings.join(' › '), line])).toEqual([
      ['Guide', 1],
      ['Guide › Install', 5],
      ['Guide › Install › Linux', 9],
      ['Guide › Use', 13],
    ]);
    expect(chunkDocument(text, 'markdown').title).toBe('Guide');
  });

  it('recognises underlined and closed headings with formatting', () => {
    const text = `Title\n=====\n\n${paragraph('a')}\n\nPart *one*\n---\n\n${paragraph('b')}\n\n## [Two](x.md) \`code\` ##\n\n${paragraph('c')}`;
    expect(chunk(text).map(({ headings }) => headings)).toEqual([
      ['Title'],
      ['Title', 'Part one'],
      ['Title', 'Two code'],
    ]);
  });

  it('finds no headings in code', () => {
    const text = `# Real\n\n\`\`\`sh\n# not a heading\nnpm i\n\`\`\`\n\n~~~\n## nor this\n~~~\n\n${paragraph('a')}\n\n# Other\n\ntext`;
    expect(chunk(text).map(({ headings }) => headings)).toEqual([['Real'], ['Other']]);
  });

  it.each([
    ['code', `\`\`\`ts\n${'const value = compute(42);\n\n'.repeat(70)}\`\`\``],
    ['a list', Array.from({ length: 60 }, (_, n) => `- item ${n} of the list\n\n  goes on`).join('\n')],
    ['a table', `| a | b |\n|---|---|\n${'| one cell | another cell |\n'.repeat(60)}`],
  ])('keeps %s together', (_, whole) => {
    const text = `# Top\n\n${paragraph('before', 25)}\n\n${whole}\n\n${paragraph('after', 25)}`;
    const holding = chunk(text).filter((one) => one.text.includes(whole.trim()));
    expect(holding).toHaveLength(1);
  });

  it('splits long blocks between lines, with the fence and table header in every piece', () => {
    const code = chunk(`\`\`\`ts\n${'const value = compute(42);\n'.repeat(500)}\`\`\``);
    expect(code.length).toBeGreaterThan(5);
    for (const { text } of code) expect(text).toMatch(/^```ts\nconst[\s\S]*\(42\);\n```$/);
    const table = chunk(`| name | value |\n|---|---|\n${'| one cell | another cell |\n'.repeat(500)}`);
    for (const { text } of table) expect(text).toMatch(/^\| name \| value \|\n\|---\|---\|\n\| one/);
  });

  it('joins short sections, but never with a higher one', () => {
    const short = Array.from({ length: 6 }, (_, n) => `### Part ${n}\n\nA word about it.`).join('\n\n');
    const chunks = chunk(`## One\n\n${short}\n\n# Two\n\nOther.`);
    expect(chunks[0]?.text).toBe(`## One\n\n${short}`);
    expect(chunks.map(({ headings }) => headings)).toEqual([['One'], ['Two']]);
  });

  it('reads front matter as metadata', () => {
    const { title, meta, chunks } = chunkDocument('---\ntitle: "The guide"\ntags: [a, b]\n---\n\nText.', 'markdown');
    expect({ title, meta, texts: chunks.map(({ text }) => text) }).toEqual({
      title: 'The guide',
      meta: { title: 'The guide', tags: '[a, b]' },
      texts: ['Text.'],
    });
    expect(chunk('---\n\nA rule, and no end to it.')[0]?.text).toContain('A rule');
  });
});

describe('every format', () => {
  const texts: [string, DocumentFormat, string][] = [
    ['prose', 'text', `${paragraph('walrus', 200)}\n\n${paragraph('seal', 3)}`],
    ['a line without an end', 'text', 'x'.repeat(20_000)],
    ['emoji without spaces', 'markdown', '🦭'.repeat(5_000)],
    ['Chinese', 'text', '海象喜欢吃蛤蜊。'.repeat(2_000)],
    ['headings alone', 'markdown', Array.from({ length: 50 }, (_, n) => `${'#'.repeat((n % 6) + 1)} h${n}`).join('\n')],
    ['Windows lines', 'markdown', `# A\r\n\r\n${paragraph('b', 40)}\r\n\r\n- c\r\n- d\r\n`],
    ['a quotation', 'markdown', `> ${paragraph('q', 60).replaceAll('. ', '.\n> ')}`],
  ];

  it.each(texts)('splits %s without loss, duplicates or oversized chunks', (_, format, text) => {
    const chunks = chunk(text, format);
    expect(
      chunks
        .map((one) => one.text)
        .join('')
        .replace(/\s+/g, ''),
    ).toBe(text.replace(/\s+/g, ''));
    for (const one of chunks) {
      expect(one.text.length).toBeLessThanOrEqual(longest);
      expect(Buffer.from(one.text).toString()).toBe(one.text);
    }
  });

  it('returns nothing for an empty text', () => {
    for (const format of ['markdown', 'text', 'html'] as const) {
      expect(chunk('', format)).toEqual([]);
      expect(chunk(' \n\t\n', format)).toEqual([]);
    }
  });

  it('detects the format by name or by content', () => {
    expect(['a.md', 'B.HTML', 'README', 'x.rst', 'x.png', '.env', 'x.pdf'].map(formatOfFile)).toEqual([
      'markdown',
      'html',
      'text',
      'text',
      undefined,
      'text',
      undefined,
    ]);
    expect(formatOfText('\n<!DOCTYPE html><p>x')).toBe('html');
    expect(formatOfText('# x')).toBe('markdown');
  });
});

describe('HTML', () => {
  const page = `<!doctype html><html><head><title>Walrus &amp; seal</title><style>p { color: red }</style>
    <script>if (a < b) document.write("<p>not this</p>")</script></head>
    <body><nav><ul><li>Home</li><li>About</li></ul></nav><!-- <p>nor this</p> -->
    <h1>The <em>walrus</em></h1><p>It&nbsp;likes cl&auml;ms &#8212; caf&eacute; &#x1F9AD;.<br>Really.</p>
    <h2 title="a > b">Food</h2><ul><li>Clams<ul><li>raw</li></ul></li><li><p>Fish</p></li></ul>
    <table><tr><th>Kind</th><th>Mass</th></tr><tr><td>bull</td><td>900 kg</td></tr></table>
    <pre><code>let a = 1;
  let b = &lt;T&gt;2;</code></pre><p>1 < 2 and 3 > 2</p></body></html>`;

  it('is read as its title, headings and text', () => {
    const { title, chunks } = chunkDocument(page, 'html');
    expect(title).toBe('Walrus & seal');
    expect(chunks.map(({ text }) => text).join('\n\n')).toBe(
      [
        '# The walrus',
        'It likes cläms — café 🦭.\nReally.',
        '## Food',
        '- Clams\n  - raw\n- Fish',
        'Kind | Mass\nbull | 900 kg',
        'let a = 1;\n  let b = <T>2;',
        '1 < 2 and 3 > 2',
      ].join('\n\n'),
    );
    expect(chunks.map(({ line }) => line)[0]).toBe(4);
  });

  it('is not lost in an unclosed element', () => {
    expect(chunk('<nav><p>Menu</p><h1>Title</h1><p>Text</p>', 'html')[0]?.text).toContain('Text');
    expect(chunk('<p title="a>Text</p><p>More</p>', 'html')[0]?.text).toContain('More');
    expect(chunk('<p>Text</p><script>let a = 1', 'html').map(({ text }) => text)).toEqual(['Text']);
    expect(chunk('a <b', 'html')[0]?.text).toBe('a <b');
  });
});

describe('a document made to be slow', () => {
  const fill = (text: string) => text.repeat(Math.ceil(500_000 / text.length));

  // Anything that looks at these more than once for each of their parts would take minutes, not moments.
  it.each<[string, DocumentFormat, string]>([
    ['brackets', 'html', fill('<')],
    ['quotes', 'html', fill(`<a '>' `)],
    ['open quotes', 'html', `${fill(`<a '`)}>`],
    ['navigation', 'html', `${fill('<nav>')}</nav>`],
    ['cells', 'html', `<table>${fill('<td>a')}`],
    ['inline tags', 'html', fill('<b>a </b>')],
    ['comments', 'html', `${fill('<!--')}>`],
    ['references', 'html', fill('&amp')],
    ['lists', 'html', fill('<ul><li>')],
    ['fences', 'markdown', fill('```\n')],
    ['links', 'markdown', `# ${fill('[a](')}`],
    ['marks', 'markdown', `# ${fill('# ')}x`],
    ['spaces', 'markdown', `${fill('a ')}${fill(' ')}b`],
    ['rules', 'markdown', `${fill('- - ')}x`],
    ['items', 'markdown', fill('- a\n')],
    ['underlines', 'markdown', fill('a\n=\n')],
    ['blank lines', 'markdown', fill('- a\n\n\n\n\n')],
    ['deep headings', 'markdown', fill('# a\n## b\n### c\n')],
  ])('is read once: %s', (_, format, text) => {
    const lengths = chunk(text, format).map((one) => one.text.length);
    expect(lengths.reduce((most, length) => Math.max(most, length), 0)).toBeLessThanOrEqual(longest);
  });
});
