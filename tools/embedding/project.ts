// Principal directions of the teacher's vectors, from their second moments (not centred: cosines are
// taken from the origin, and the mean of MiniLM's vectors is small).

export function findDirections(vectors: Int16Array, width: number, kept: number, sample: number): Float64Array[] {
  const count = vectors.length / width;
  const step = Math.max(1, Math.floor(count / sample));
  const moments = new Float64Array(width * width);
  for (let row = 0; row < count; row += step) {
    const base = row * width;
    for (let i = 0; i < width; i++) {
      const value = (vectors[base + i] as number) / 32767;
      for (let j = 0; j <= i; j++) {
        moments[i * width + j] = (moments[i * width + j] as number) + (value * (vectors[base + j] as number)) / 32767;
      }
    }
  }
  const taken = Math.ceil(count / step);
  for (let i = 0; i < width; i++) {
    for (let j = 0; j <= i; j++) {
      const moment = (moments[i * width + j] as number) / taken;
      moments[i * width + j] = moment;
      moments[j * width + i] = moment;
    }
  }
  return diagonalise(moments, width).slice(0, kept);
}

/** Jacobi's rotations: slow, plain, exact, and the same on every machine. Largest first. */
function diagonalise(matrix: Float64Array, width: number): Float64Array[] {
  const a = Array.from({ length: width }, (_, i) => matrix.slice(i * width, (i + 1) * width));
  const v = Array.from({ length: width }, (_, i) => Float64Array.from({ length: width }, (_, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < 12; sweep++) {
    let off = 0;
    for (let p = 0; p < width; p++)
      for (let q = p + 1; q < width; q++) off += ((a[p] as Float64Array)[q] as number) ** 2;
    if (off < 1e-14) break;
    for (let p = 0; p < width; p++) for (let q = p + 1; q < width; q++) rotate(a, v, p, q);
  }
  return v
    .map((direction, i) => ({ direction, value: (a[i] as Float64Array)[i] as number }))
    .sort((x, y) => y.value - x.value)
    .map(({ direction }) => direction);
}

function rotate(a: Float64Array[], v: Float64Array[], p: number, q: number): void {
  const [rowP, rowQ] = [a[p] as Float64Array, a[q] as Float64Array];
  const cross = rowP[q] as number;
  if (Math.abs(cross) < 1e-14) return;
  const theta = ((rowQ[q] as number) - (rowP[p] as number)) / (2 * cross);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (const row of a) {
    const [x, y] = [row[p] as number, row[q] as number];
    row[p] = c * x - s * y;
    row[q] = s * x + c * y;
  }
  for (const [x, y] of [
    [rowP, rowQ],
    [v[p] as Float64Array, v[q] as Float64Array],
  ] as const) {
    for (let k = 0; k < x.length; k++) {
      const [left, right] = [x[k] as number, y[k] as number];
      x[k] = c * left - s * right;
      y[k] = s * left + c * right;
    }
  }
}

/** The rows in the coordinates of `directions`, each made a unit vector again. */
export function projectRows(vectors: Int16Array, width: number, directions: readonly Float64Array[]): Float32Array {
  const kept = directions.length;
  const count = vectors.length / width;
  const flat = Float32Array.from(directions.flatMap((direction) => [...direction]));
  const found = new Float32Array(count * kept);
  const vector = new Float32Array(width);
  for (let row = 0; row < count; row++) {
    for (let i = 0; i < width; i++) vector[i] = vectors[row * width + i] as number;
    let square = 0;
    // Two directions a pass: half the loads, and this loop is most of the step.
    for (let k = 0; k < kept; k += 2) {
      const [left, right] = [k * width, (k + 1) * width];
      let [a, b] = [0, 0];
      for (let i = 0; i < width; i++) {
        const value = vector[i] as number;
        a += value * (flat[left + i] as number);
        b += value * (flat[right + i] as number);
      }
      found[row * kept + k] = a;
      found[row * kept + k + 1] = b;
      square += a * a + b * b;
    }
    const scale = 1 / (Math.sqrt(square) || 1);
    for (let k = 0; k < kept; k++) found[row * kept + k] = (found[row * kept + k] as number) * scale;
  }
  return found;
}
