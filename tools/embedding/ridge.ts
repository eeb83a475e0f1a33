// Ridge regression towards a first guess: minimises |A·W − Y|² + λ|W − G|² over the table W, by conjugate gradients on the
// normal equations, all columns at once, scaled by the diagonal (frequent tokens would rule it otherwise).
import { addRows, type Sparse, spreadRows } from './sparse.ts';

interface RidgeProblem {
  matrix: Sparse;
  texts: readonly number[] | Uint32Array;
  targets: Float32Array;
  guess: Float32Array;
  width: number;
  lambda: number;
  rounds: number;
}

export function solveRidge(problem: RidgeProblem): Float32Array {
  const { matrix, texts, targets, guess, width, lambda, rounds } = problem;
  const size = guess.length;
  const table = Float32Array.from(guess);
  const sum = new Float32Array(width);
  const diagonal = measureDiagonal(problem);

  // The residual of the first guess: Aᵀ(Y − A·G); the ridge term is zero there.
  const residual = new Float32Array(size);
  for (const text of texts) {
    addRows(matrix, text, guess, width, sum);
    for (let k = 0; k < width; k++) sum[k] = (targets[text * width + k] as number) - (sum[k] as number);
    spreadRows(matrix, text, sum, residual);
  }
  const direction = divideRows(residual, diagonal, width);
  let scaled: Float32Array = direction.slice();
  let energy = multiplyColumns(residual, scaled, width);
  const image = new Float32Array(size);
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < size; at++) image[at] = lambda * (direction[at] as number);
    for (const text of texts) {
      addRows(matrix, text, direction, width, sum);
      spreadRows(matrix, text, sum, image);
    }
    const curve = multiplyColumns(direction, image, width);
    for (let at = 0; at < size; at++) {
      const step = (energy[at % width] as number) / ((curve[at % width] as number) || 1);
      table[at] = (table[at] as number) + step * (direction[at] as number);
      residual[at] = (residual[at] as number) - step * (image[at] as number);
    }
    scaled = divideRows(residual, diagonal, width);
    const next = multiplyColumns(residual, scaled, width);
    for (let at = 0; at < size; at++) {
      const turn = (next[at % width] as number) / ((energy[at % width] as number) || 1);
      direction[at] = (scaled[at] as number) + turn * (direction[at] as number);
    }
    energy = next;
    process.stderr.write(`ridge: round ${round + 1}, residual ${energy.reduce((a, b) => a + b, 0).toExponential(2)}\n`);
  }
  return table;
}

function measureDiagonal({ matrix, texts, guess, width, lambda }: RidgeProblem): Float32Array {
  const diagonal = new Float32Array(guess.length / width).fill(lambda);
  for (const text of texts) {
    const [from, to] = [matrix.starts[text] as number, matrix.starts[text + 1] as number];
    for (let at = from; at < to; at++) {
      const row = matrix.rows[at] as number;
      diagonal[row] = (diagonal[row] as number) + 1 / (to - from);
    }
  }
  return diagonal;
}

function divideRows(values: Float32Array, divisors: Float32Array, width: number): Float32Array {
  return values.map((value, at) => value / (divisors[Math.floor(at / width)] as number));
}

function multiplyColumns(a: Float32Array, b: Float32Array, width: number): Float64Array {
  const sums = new Float64Array(width);
  for (let base = 0; base < a.length; base += width) {
    for (let k = 0; k < width; k++) sums[k] = (sums[k] as number) + (a[base + k] as number) * (b[base + k] as number);
  }
  return sums;
}
