// Rows of int8 numbers, and a search for the rows with the greatest dot product with a vector. They are in the memory of a
// small SIMD module (dot.wat), in two planes: the heads of all rows, which every search scans, and their tails, which are read
// only if the head scores well. The components of the default embedder are sorted by importance: about 97 of the 100 nearest
// are found with a quarter of the memory read.
const bytes =
  'AGFzbQEAAAABGQNgA39/fwF9YAV/f39/fwBgBn9/f39/fQADBAMAAQIFAwEAAQcaAwZtZW1vcnkCAARzY2FuAAEGcmVmaW5lAAIKswIDkQEBBnsDQCAA' +
  '/QAEACEFIAH9AAQAIQYgAP0ABBAhByAB/QAEECEIIAMgBSAG/ZwBIAUgBv2dAf2OAf1+/a4BIQMgBCAHIAj9nAEgByAI/Z0B/Y4B/X79rgEhBCAAQSBq' +
  'IQAgAUEgaiEBIAEgAkkNAAsgAyAE/a4BIQMgA/0bACAD/RsBaiAD/RsCIAP9GwNqarILPwECfyADIAFqIQYgBCAAQQJ0aiEFAkADQCAEIAVPDQEgBCAC' +
  'IAMgBhAAOAIAIARBBGohBCACIAFqIQIMAAsLC14CAn8BfSADIAFqIQcgBCAAQQJ0aiEGAkADQCAEIAZPDQEgBCoCACEIIAggBV0EQCAEQwAAAAA4AgAF' +
  'IAQgCCACIAMgBxAAkjgCAAsgBEEEaiEEIAIgAWohAgwACwsL';

const lanes = 32;
const page = 65_536;
/** The head is this share of a row, with a minimum length. */
const beginning = { share: 1 / 8, least: 64 };
/** The share of rows that are read completely, with a minimum number. */
const promising = { share: 0.015, least: 4_000 };
const sampled = 1_000;

interface DotModule {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
  scan(rows: number, width: number, matrix: number, query: number, out: number): void;
  refine(rows: number, width: number, matrix: number, query: number, out: number, floor: number): void;
}

/** The part of the global WebAssembly that is used; Node's types do not declare it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

let compiled: object | undefined;

export class Matrix {
  readonly height: number;
  readonly width: number;
  readonly #begin: number;
  /** Both planes, one after the other; no number is -128. */
  readonly #planes: Int8Array;
  readonly #module: DotModule | undefined;

  constructor(height: number, width: number) {
    this.height = height;
    this.width = width;
    this.#begin = beginningOf(width);
    const size = height * width;
    if (width % lanes !== 0) {
      this.#planes = new Int8Array(size);
      return;
    }
    compiled ??= new WebAssembly.Module(Buffer.from(bytes, 'base64'));
    this.#module = new WebAssembly.Instance(compiled).exports as DotModule;
    // Layout: the planes, the vector, a result for each row.
    this.#module.memory.grow(Math.ceil((size + width + height * 4) / page));
    this.#planes = new Int8Array(this.#module.memory.buffer, 0, size);
  }

  get byteLength(): number {
    return this.#planes.length + this.height * 4;
  }

  /** Adds rows that `packRows` wrote. */
  setRows(first: number, packed: Int8Array): void {
    const count = packed.length / this.width;
    const rest = this.width - this.#begin;
    this.#planes.set(packed.subarray(0, count * this.#begin), first * this.#begin);
    this.#planes.set(packed.subarray(count * this.#begin), this.height * this.#begin + first * rest);
  }

  row(at: number): Int8Array {
    const rest = this.width - this.#begin;
    const whole = new Int8Array(this.width);
    whole.set(this.#planes.subarray(at * this.#begin, (at + 1) * this.#begin));
    const from = this.height * this.#begin + at * rest;
    whole.set(this.#planes.subarray(from, from + rest), this.#begin);
    return whole;
  }

  /** The dot products of the heads; valid until the next call. */
  scan(vector: Int8Array): Float32Array {
    const { height, width } = this;
    if (!this.#module) return Float32Array.from({ length: height }, (_, at) => dot(this.row(at), vector));
    const { memory, scan } = this.#module;
    const query = height * width;
    const out = query + width;
    new Int8Array(memory.buffer, query, width).set(vector);
    scan(height, this.#begin, 0, query, out);
    return new Float32Array(memory.buffer, out, height);
  }

  /** Completes the scores of `scan` that reach the floor; the others become 0. */
  refine(scanned: Float32Array, floor: number): Float32Array {
    const { height, width } = this;
    const rest = width - this.#begin;
    if (!this.#module || rest === 0) return scanned;
    const query = height * width;
    this.#module.refine(height, rest, height * this.#begin, query + this.#begin, query + width, floor);
    return scanned;
  }
}

let scratch: DotModule | undefined;

/** For each vector, its dot products with these rows of a table whose width is a multiple of 32. */
export function multiplyRows(
  table: Int8Array,
  width: number,
  rows: ArrayLike<number>,
  vectors: readonly number[],
): Float32Array[] {
  compiled ??= new WebAssembly.Module(Buffer.from(bytes, 'base64'));
  scratch ??= new WebAssembly.Instance(compiled).exports as DotModule;
  const { memory, scan } = scratch;
  const query = rows.length * width;
  const out = query + width;
  const missing = out + rows.length * 4 - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / page));
  const target = new Int8Array(memory.buffer);
  const copy = (row: number, to: number) => target.set(table.subarray(row * width, (row + 1) * width), to);
  for (let at = 0; at < rows.length; at++) copy(rows[at] as number, at * width);
  return vectors.map((vector) => {
    copy(vector, query);
    scan(rows.length, width, 0, query, out);
    return new Float32Array(memory.buffer, out, rows.length).slice();
  });
}

/** The dot product of each row that may be among the best, 0 for the others. Valid until the next call. */
export function scoreAll(matrices: readonly Matrix[], vector: Int8Array): Float32Array[] {
  const scanned = matrices.map((matrix) => matrix.scan(vector));
  const floor = findFloor(scanned);
  return matrices.map((matrix, at) => matrix.refine(scanned[at] as Float32Array, floor));
}

/** The score that about the promising share of all rows reaches, from a sample. */
function findFloor(scores: readonly Float32Array[]): number {
  const total = scores.reduce((sum, { length }) => sum + length, 0);
  const share = Math.max(promising.share, promising.least / total);
  if (share >= 1) return Number.NEGATIVE_INFINITY;
  const step = Math.ceil(total / sampled);
  const sample: number[] = [];
  for (const some of scores) for (let at = 0; at < some.length; at += step) sample.push(some[at] as number);
  return sample.sort((a, b) => b - a)[Math.floor(sample.length * share)] as number;
}

function beginningOf(width: number): number {
  return Math.min(width, Math.max(beginning.least, Math.ceil((width * beginning.share) / lanes) * lanes));
}

/** Rows in the layout of a matrix: all heads, then all tails. Empty if the width is 0. */
export function packRows(rows: readonly (Int8Array | undefined)[], width: number): Int8Array {
  const begin = beginningOf(width);
  const rest = width - begin;
  const packed = new Int8Array(rows.length * width);
  rows.forEach((row, at) => {
    if (!row) return;
    packed.set(row.subarray(0, begin), at * begin);
    packed.set(row.subarray(begin), rows.length * begin + at * rest);
  });
  return packed;
}

export function dot(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
