// Patterns that take quadratic time on a run of empty lines: with the flag m, `^\s*` begins at each line and reads all that
// follow. `^[ \t]*` reads one line.
import { expect, it } from 'vitest';
import { readSources } from '../support/source.ts';

const literal = /\/(?![*/])(?:[^/\n\\[]|\\.|\[(?:[^\]\n\\]|\\.)*\])+\/([a-z]*)/g;

it('no pattern reads white space across lines from the start of each line', () => {
  const wrong = readSources(/^src\/.*(?<!\.test)\.ts$/).flatMap(({ path, text }) =>
    [...text.matchAll(literal)]
      .filter(([pattern, flags = '']) => flags.includes('m') && /\^\\s[*+]/.test(pattern))
      .map(([pattern]) => `${path}: ${pattern.slice(0, 80)}`),
  );
  expect(wrong).toEqual([]);
});
