// Rows of 8-bit numbers and their dot products with a vector. The rows lie in the memory of a small SIMD module (dot.wat),
// which is some ten times faster than a loop here; a width that does not fit it is computed by the loop.
const bytes =
  'AGFzbQEAAAABCQFgBX9/f39/AAMCAQAFAwEAAQcQAgZtZW1vcnkCAANkb3QAAAqpAQGmAQIDfwN7IAMgAWohByAEIABBAnRqIQUCQANAIAQgBU8N' +
  'Af0MAAAAAAAAAAAAAAAAAAAAACEIIAMhBgNAIAL9AAQAIQkgBv0ABAAhCiAIIAkgCv2cAf1+IAkgCv2dAf1+/a4B/a4BIQggAkEQaiECIAZBEGoh' +
  'BiAGIAdJDQALIAQgCP0bACAI/RsBaiAI/RsCIAj9GwNqarI4AgAgBEEEaiEEDAALCws=';

const lanes = 16;
const page = 65_536;

interface DotModule {
  memory: { buffer: ArrayBuffer; grow(pages: number): number };
  dot(rows: number, width: number, matrix: number, query: number, out: number): void;
}

/** The part of the language's own global that is used; Node's types leave it to the DOM's. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

let compiled: object | undefined;

export class Matrix {
  readonly height: number;
  readonly width: number;
  /** To be filled by whoever makes it. */
  readonly rows: Int8Array;
  readonly #module: DotModule | undefined;

  constructor(height: number, width: number) {
    this.height = height;
    this.width = width;
    const size = height * width;
    if (width === 0 || width % lanes !== 0) {
      this.rows = new Int8Array(size);
      return;
    }
    compiled ??= new WebAssembly.Module(Buffer.from(bytes, 'base64'));
    this.#module = new WebAssembly.Instance(compiled).exports as DotModule;
    // The rows, then the vector, then a result for each row.
    this.#module.memory.grow(Math.ceil((size + width + height * 4) / page));
    this.rows = new Int8Array(this.#module.memory.buffer, 0, size);
  }

  get byteLength(): number {
    return this.rows.length + this.height * 4;
  }

  /** The results are good until the next call. */
  dot(vector: Int8Array): Float32Array {
    const { height, width } = this;
    if (!this.#module) return dotRows(this.rows, vector, height);
    const { memory, dot } = this.#module;
    const query = height * width;
    const out = query + width;
    new Int8Array(memory.buffer, query, width).set(vector);
    dot(height, width, 0, query, out);
    return new Float32Array(memory.buffer, out, height);
  }
}

export function dotRows(rows: Int8Array, vector: Int8Array, height: number): Float32Array {
  const scores = new Float32Array(height);
  for (let row = 0, at = 0; row < height; row++) {
    let sum = 0;
    for (let column = 0; column < vector.length; column++) sum += (rows[at++] as number) * (vector[column] as number);
    scores[row] = sum;
  }
  return scores;
}
