// The SIMD module and the loop are one function.
import { expect, it } from 'vitest';
import { dotRows, Matrix } from './matrix.ts';

it.each([
  [0, 256],
  [1, 16],
  [7, 32],
  [1000, 256],
  [5, 2],
  [3, 100],
])('%d rows of %d give what a loop gives', (height, width) => {
  const matrix = new Matrix(height, width);
  // All extremes: -128 times -128 must not overflow.
  for (let at = 0; at < matrix.rows.length; at++) matrix.rows[at] = at % 11 === 0 ? -128 : ((at * 7919) % 255) - 127;
  const vector = Int8Array.from({ length: width }, (_, at) => (at % 5 === 0 ? -128 : ((at * 104_729) % 255) - 127));
  expect([...matrix.dot(vector)]).toEqual([...dotRows(matrix.rows, vector, height)]);
});
