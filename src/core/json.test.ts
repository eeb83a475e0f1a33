// JSON from outside: what would take long to parse is refused, and nothing else is.
import { describe, expect, it } from 'vitest';
import { explainUnreadable, readJson } from './json.ts';

const size = 200_000;
const nest = (depth: number) => `${'['.repeat(depth)}"${'a'.repeat(size)}"${']'.repeat(depth)}`;

function explain(text: string): string | undefined {
  try {
    readJson(text);
    return undefined;
  } catch (error) {
    return explainUnreadable(error);
  }
}

describe('readJson', () => {
  it('parses long texts with any strings', () => {
    const value = {
      a: ['[{,:'.repeat(size), '\\"[\\\\'.repeat(size), '漢"'.repeat(size)],
      b: [[], {}, -1.5e-7, null, true, false],
    };
    expect(readJson(JSON.stringify(value, null, 2))).toEqual(value);
    expect(readJson(`${' '.repeat(size)}7`)).toBe(7);
    expect(explain(nest(500))).toBeUndefined();
  });

  it.each([
    ['nests deeper than 500 levels', '['.repeat(size)],
    ['nests deeper than 500 levels', '{"a":'.repeat(size)],
    ['nests deeper than 500 levels', nest(501)],
    ['has too many values', `[${'[],'.repeat(size)}1]`],
    ['has too many values', `{${'"a":1,'.repeat(size)}"a":1}`],
    ['is not JSON', `"${'a'.repeat(size)}`],
    ['is not JSON', `${'a'.repeat(size)}`],
    ['is not JSON', `"${'a'.repeat(size)}\\`],
    ['is not JSON', '{'],
    ['is not JSON', ' '.repeat(size)],
    ['is not JSON', '"'.repeat(size)],
    ['is not JSON', '\\u0061'.repeat(size)],
    ['is not JSON', `[${'1'.repeat(size)}]`],
  ])('reports that a text %s', (reason, text) => {
    expect(explain(text)).toBe(reason);
  });
});
