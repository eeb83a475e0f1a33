// The SIMD module and the loop are one function, as far as the best go.
import { describe, expect, it } from 'vitest';
import { dot, Matrix, packRows, scoreAll } from './matrix.ts';

function createRows(height: number, width: number): Int8Array[] {
  // All extremes: 127 times 127 must not overflow.
  return Array.from({ length: height }, (_, row) =>
    Int8Array.from({ length: width }, (__, at) => ((row + at) % 3 === 0 ? -127 : ((row * 31 + at * 7919) % 255) - 127)),
  );
}

function fill(rows: readonly Int8Array[], width: number, blockSize: number): Matrix {
  const matrix = new Matrix(rows.length, width);
  for (let at = 0; at < rows.length; at += blockSize) {
    matrix.setRows(at, packRows(rows.slice(at, at + blockSize), width));
  }
  return matrix;
}

describe('a matrix', () => {
  it.each([
    [0, 256],
    [1, 32],
    [7, 64],
    [1000, 256],
    [33, 96],
    [5, 2],
    [3, 100],
    [9, 1536],
  ])('of %d rows of %d scores as a loop does', (height, width) => {
    const rows = createRows(height, width);
    const matrix = fill(rows, width, 100);
    const vector = Int8Array.from({ length: width }, (_, at) => (at % 5 === 0 ? -127 : ((at * 104_729) % 255) - 127));
    expect([...(scoreAll([matrix], vector)[0] ?? [])]).toEqual(rows.map((row) => dot(row, vector)));
    rows.forEach((row, at) => {
      expect(matrix.row(at)).toEqual(row);
    });
  });

  it('does not overflow with extreme values', () => {
    const rows = [127, -127, 127].map((value) => new Int8Array(256).fill(value));
    const vector = new Int8Array(256).fill(127);
    expect([...(scoreAll([fill(rows, 256, 2)], vector)[0] ?? [])]).toEqual([
      256 * 127 ** 2,
      -256 * 127 ** 2,
      256 * 127 ** 2,
    ]);
  });

  it('skips rows with a low head, and finds the best', () => {
    // Numbers that tell less the later they come, as an embedder's do.
    const rows = Array.from({ length: 20_000 }, (_, row) =>
      Int8Array.from({ length: 256 }, (__, at) =>
        Math.round((120 * Math.sin(row * 12.9898 + at * 78.233)) / (1 + at / 16)),
      ),
    );
    const vector = rows[777] as Int8Array;
    const halves = [rows.slice(0, 9_000), rows.slice(9_000)].map((half) => fill(half, 256, 1_024));
    const scores = scoreAll(halves, vector).flatMap((some) => [...some]);
    const best = rows
      .map((row, at) => ({ at, score: dot(row, vector) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 20);
    for (const { at, score } of best) expect(scores[at]).toBe(score);
    expect(scores.filter((score) => score === 0).length).toBeGreaterThan(10_000);
  });
});
