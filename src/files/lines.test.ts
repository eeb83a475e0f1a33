// Lines of a text by their numbers, compared with an array of them.
import { expect, it } from 'vitest';
import { runNow } from '../core/steps.ts';
import { indexLines } from './lines.ts';

it.each(['', '\n', 'a', 'a\n', '\n\nb', 'a line\n'.repeat(1_000), '\n'.repeat(513)])(
  'indexLines: slices as an array does (case %#)',
  (text) => {
    const whole = text.split('\n');
    const lines = runNow(indexLines(text));
    expect(lines.length).toBe(whole.length);
    for (const from of [0, 1, 2, 255, 256, 257, 511, 512, 999, 1_000, 2_000]) {
      for (const count of [0, 1, 2, 300, 2_000]) {
        expect(lines.slice(from, from + count)).toEqual(whole.slice(from, from + count));
      }
    }
  },
);
