// Texts as lists of table rows (a sparse matrix, row by row), and the two products the fit needs. A text of n rows counts
// each with 1/√n: its sum then has about the same length whatever n is.

export interface Sparse {
  /** Where text i's rows begin; one longer than there are texts. */
  starts: Uint32Array;
  rows: Uint16Array;
}

export function buildSparse(
  texts: readonly string[],
  visitRows: (text: string, visit: (row: number) => void) => void,
): Sparse {
  const starts = new Uint32Array(texts.length + 1);
  const rows: number[] = [];
  for (const [index, text] of texts.entries()) {
    visitRows(text, (row) => rows.push(row));
    starts[index + 1] = rows.length;
  }
  return { starts, rows: Uint16Array.from(rows) };
}

/** One text's sum of its rows into `sum`. */
export function addRows(matrix: Sparse, text: number, table: Float32Array, width: number, sum: Float32Array): void {
  sum.fill(0);
  const [from, to] = [matrix.starts[text] as number, matrix.starts[text + 1] as number];
  for (let at = from; at < to; at++) {
    const base = (matrix.rows[at] as number) * width;
    for (let k = 0; k < width; k++) sum[k] = (sum[k] as number) + (table[base + k] as number);
  }
  const scale = 1 / Math.sqrt(Math.max(1, to - from));
  for (let k = 0; k < width; k++) sum[k] = (sum[k] as number) * scale;
}

/** Adds `values`, as the text counts them, to each of its rows in `table`. */
export function spreadRows(matrix: Sparse, text: number, values: Float32Array, table: Float32Array): void {
  const width = values.length;
  const [from, to] = [matrix.starts[text] as number, matrix.starts[text + 1] as number];
  const scale = 1 / Math.sqrt(Math.max(1, to - from));
  for (let at = from; at < to; at++) {
    const base = (matrix.rows[at] as number) * width;
    for (let k = 0; k < width; k++) table[base + k] = (table[base + k] as number) + scale * (values[k] as number);
  }
}
