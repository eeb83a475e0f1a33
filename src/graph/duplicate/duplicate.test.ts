// Whether two texts say the same: the labelled pairs of bench/quality, and what must never be taken for a repetition.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compareTexts } from './duplicate.ts';

function readPairs(part: string): { same: boolean; a: string; b: string }[] {
  const text = readFileSync(new URL(`../../../bench/quality/duplicates/${part}.txt`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => /^[=!] /.test(line))
    .map((line) => {
      const [a, b] = line.slice(2).split(' | ') as [string, string];
      return { same: line.startsWith('='), a, b };
    });
}

describe.each(['tune', 'held'])('the labelled pairs of %s', (part) => {
  const pairs = readPairs(part);
  const calledSame = pairs.filter(({ a, b }) => compareTexts(a, b).same);

  it('are never wrongly called the same', () => {
    expect(calledSame.filter(({ same }) => !same)).toEqual([]);
  });

  it('are mostly recognised', () => {
    expect(calledSame.length).toBeGreaterThan(0.75 * pairs.filter(({ same }) => same).length);
  });

  it('are judged the same from both sides', () => {
    for (const { a, b } of pairs) expect(compareTexts(b, a).same, `${a} | ${b}`).toBe(compareTexts(a, b).same);
  });

  it('are equal to themselves in any typesetting', () => {
    for (const { a } of pairs) {
      expect(compareTexts(a, a)).toEqual({ same: true, likeness: 1, differences: [] });
      expect(compareTexts(a, ` ${a.replaceAll(' ', '\t')}\n`).same, a).toBe(true);
    }
  });
});

describe('compareTexts', () => {
  it.each([
    ['Lint, then test.', 'Test, then lint.'],
    ['Stop the server. Run the migration.', 'Run the migration. Stop the server.'],
    ['Build, test and deploy.', 'Test, build and deploy.'],
    ['Run build and test.', 'Run test and build.'],
    ['Stop the server and run the job.', 'Run the job and stop the server.'],
    ['Timeouts are 5 s for reads and 30 s for writes.', 'Timeouts are 30 s for reads and 5 s for writes.'],
    ['Use Redis for caching, Postgres for storage.', 'Use Postgres for caching, Redis for storage.'],
    ['An Address6 is never in an Address4.', 'An Address4 is never in an Address6.'],
    ['Call language() first.', 'Call languages() first.'],
    ['The tag is `news`.', 'The tag is `new`.'],
    ['The US team decides.', 'Our team decides.'],
    ['✅ The build works', '❌ The build works'],
    ['a > b', 'a < b'],
    ['部署在星期五', '部署在星期四'],
    ['!', '?'],
  ])('keeps %j and %j apart', (a, b) => {
    expect(compareTexts(a, b).same).toBe(false);
  });

  it('returns the differing terms', () => {
    const found = compareTexts('The API listens on 8443.', 'The API listens on 8444.');
    expect(found).toEqual({ same: false, likeness: 3 / 5, differences: ['8443', '8444'] });
  });

  it('accepts texts of any length and kind', () => {
    const long = Array.from({ length: 30_000 }, (_, n) => `word${n % 977} and the thing`).join(', ');
    expect(compareTexts(long, `${long} more`).same).toBe(false);
    expect(compareTexts(long, long.toUpperCase()).same).toBe(true);
    const mixed = Array.from({ length: 1_200 }, (_, n) => `in a${n % 7} and b${n % 5}`).join(', ');
    expect(compareTexts(mixed, mixed.split(', ').reverse().join(', ')).same).toBe(false);
    for (const odd of ['', ' ', 'of', 'of of of', '`', "n't", "'s", '--', '\u0000', '𝔘𝔫𝔦', '-', "''''"]) {
      expect(compareTexts(odd, odd).same, odd).toBe(true);
    }
  });
});
