// After the ridge: the same rows moved to raise the cosine itself, since only directions count once a vector is normalised.
// Row-wise Adagrad over shuffled batches; a token seen once moves once, and stays near the ridge's answer.
import { createRandom, shuffle } from './random.ts';
import { addRows, type Sparse, spreadRows } from './sparse.ts';

interface RefineProblem {
  matrix: Sparse;
  texts: readonly number[];
  targets: Float32Array;
  width: number;
  epochs: number;
  rate: number;
  batch: number;
}

/** Changes `table` in place. */
export function refineTable(table: Float32Array, problem: RefineProblem): void {
  const { matrix, targets, width, epochs, batch } = problem;
  const random = createRandom('refine');
  const gradient = new Float32Array(table.length);
  const squares = new Float32Array(table.length / width).fill(1e-6);
  const sum = new Float32Array(width);
  const steps = epochs * Math.ceil(problem.texts.length / batch);
  let step = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = shuffle([...problem.texts], random);
    let total = 0;
    for (let at = 0; at < order.length; at += batch) {
      const touched = new Set<number>();
      for (const text of order.slice(at, at + batch)) {
        addRows(matrix, text, table, width, sum);
        total += turnTowards(sum, targets, text * width);
        spreadRows(matrix, text, sum, gradient);
        for (let k = matrix.starts[text] as number; k < (matrix.starts[text + 1] as number); k++) {
          touched.add(matrix.rows[k] as number);
        }
      }
      const rate = problem.rate * (1 - step++ / steps);
      for (const row of touched) moveRow(table, gradient, squares, row, width, rate);
    }
    process.stderr.write(`refine: epoch ${epoch + 1}, mean cosine ${(total / order.length).toFixed(4)}\n`);
  }
}

/** Replaces a text's sum by the direction that raises its cosine with the target; returns that cosine. */
function turnTowards(sum: Float32Array, targets: Float32Array, base: number): number {
  const width = sum.length;
  let square = 0;
  let product = 0;
  for (let k = 0; k < width; k++) {
    square += (sum[k] as number) ** 2;
    product += (sum[k] as number) * (targets[base + k] as number);
  }
  const length = Math.sqrt(square) || 1;
  const cosine = product / length;
  for (let k = 0; k < width; k++) {
    sum[k] = ((targets[base + k] as number) - (cosine * (sum[k] as number)) / length) / length;
  }
  return cosine;
}

function moveRow(
  table: Float32Array,
  gradient: Float32Array,
  squares: Float32Array,
  row: number,
  width: number,
  rate: number,
): void {
  const base = row * width;
  let square = 0;
  for (let k = 0; k < width; k++) square += (gradient[base + k] as number) ** 2;
  squares[row] = (squares[row] as number) + square / width;
  const step = rate / Math.sqrt(squares[row] as number);
  for (let k = 0; k < width; k++) {
    table[base + k] = (table[base + k] as number) + step * (gradient[base + k] as number);
    gradient[base + k] = 0;
  }
}
