// The default embedder: a text's vector is the sum of its tokens' rows in a fixed table, normalised and rounded to int8. It
// ignores word order, but needs no model runtime and embeds tens of thousands of texts per second. docs/guide/embedding.md
// describes how the table was made and how good it is.
import { findAsset } from '../core/asset.ts';
import { runNow, type Steps } from '../core/steps.ts';
import { createRowVisitor, type FindRow, type VisitRows } from './embed-rows.ts';
import { type EmbeddingTable, readTable } from './embed-table.ts';
import { multiplyRows } from './matrix.ts';
import { findCut } from './wordpiece.ts';

export interface TableEmbedder {
  /** Store it with every vector: only vectors of the same id can be compared. */
  readonly id: string;
  readonly dimensions: number;
  /**
   * One vector per text, of length `vectorLength` except for rounding, so that dot products rank like cosines; all zeros
   * for a text without known words.
   */
  embed(texts: readonly string[]): Int8Array[];
  /** The same in steps. */
  embedInSteps(texts: readonly string[]): Steps<Int8Array[]>;
}

/** The int8 value of 1.0. Larger components than 0.5 are clipped; they are rare. */
export const vectorLength = 254;

/** More words would hardly change the average. */
const longestText = 100_000;
/** Characters read in one step. */
const readAtOnce = 8_192;

/** The cosine of two vectors of one embedder, from their dot product. */
export function measureCosine(a: Int8Array, b: Int8Array): number {
  let product = 0;
  for (let k = 0; k < a.length; k++) product += (a[k] as number) * (b[k] as number);
  return product / (vectorLength * vectorLength);
}

/** A table never changes, so a process that opens another database does not read it again. */
const tables = new Map<string | undefined, Opened>();

function openTable(path: string | undefined): Opened {
  const known = tables.get(path);
  if (known) return known;
  const table =
    path === undefined ? readTable(findAsset('embedding.bin'), findAsset('languages.bin')) : readTable(path);
  const opened = { table, visitRows: createRowVisitor(table.spellings, table.openLanguages) };
  tables.set(path, opened);
  return opened;
}

/** Reads the table on first use. */
export function createStaticEmbedder(path?: string): TableEmbedder {
  const open = () => openTable(path);
  return {
    get id() {
      return open().table.id;
    },
    get dimensions() {
      return open().table.dimensions;
    },
    embed: (texts) => runNow(embedAll(open(), texts)),
    embedInSteps: (texts) => embedAll(open(), texts),
  };
}

interface Opened {
  table: EmbeddingTable;
  visitRows: VisitRows;
}

let find: FindRow | undefined;

/** Whether the bundled table of other languages has a word. */
export function isOtherWord(word: string): boolean {
  find ??= openTable(undefined).table.openLanguages?.();
  return find?.(word) !== undefined;
}

/** The words of the bundled table. */
export interface StaticTable {
  visitRows: VisitRows;
  /** Whether a row is a pair of words. */
  isPair(row: number): boolean;
  /** The length of a row: the weight of its word in a text. */
  lengthOf(row: number): number;
  /** For each of the first words, its cosine with each of the others. */
  compare(first: readonly number[], others: ArrayLike<number>): Float32Array[];
}

let words: StaticTable | undefined;

export function openWords(): StaticTable {
  words ??= createWords(openTable(undefined));
  return words;
}

function createWords({ table, visitRows }: Opened): StaticTable {
  const { values, scales, dimensions, spellings } = table;
  const lengths = new Float32Array(table.size);
  const pairsFrom = spellings.pairs[0] ?? spellings.size;
  const measure = (row: number) => {
    if (lengths[row] === 0) {
      table.load(row);
      let square = 0;
      for (let at = row * dimensions; at < (row + 1) * dimensions; at++) square += (values[at] as number) ** 2;
      lengths[row] = Math.sqrt(square) || 1;
    }
    return lengths[row] as number;
  };
  return {
    visitRows,
    isPair: (row) => row >= pairsFrom && row < spellings.size,
    lengthOf: (row) => (scales[row] as number) * measure(row),
    compare(first, others) {
      for (const row of first) table.load(row);
      for (let at = 0; at < others.length; at++) table.load(others[at] as number);
      const products = multiplyRows(values, dimensions, others, first);
      for (const [at, own] of products.entries()) {
        const length = measure(first[at] as number);
        for (let other = 0; other < own.length; other++) {
          own[other] = (own[other] as number) / (length * measure(others[other] as number));
        }
      }
      return products;
    },
  };
}

function* embedAll({ table, visitRows }: Opened, texts: readonly string[]): Steps<Int8Array[]> {
  const vectors: Int8Array[] = [];
  for (const given of texts) {
    const text = given.length > longestText ? given.slice(0, longestText) : given;
    const rows: number[] = [];
    for (let at = 0, last = -1; at < text.length; ) {
      const end = findCut(text, at + readAtOnce);
      last = visitRows(text.slice(at, end), (row) => rows.push(row), last);
      at = end;
      yield;
    }
    vectors.push(addRows(table, rows));
  }
  return vectors;
}

/** How often each row occurs in a text; zeros between two texts. */
let counts = new Uint32Array(0);

/** Words repeat, and most of the work is adding a row, so each is added once. */
function addRows(table: EmbeddingTable, rows: readonly number[]): Int8Array {
  if (counts.length < table.size) counts = new Uint32Array(table.size);
  for (const row of rows) counts[row] = (counts[row] as number) + 1;
  const sum = new Float64Array(table.dimensions);
  let hasWord = false;
  for (const row of rows) {
    const times = counts[row] as number;
    if (times === 0) continue;
    counts[row] = 0;
    table.load(row);
    addRow(table, row, times, sum);
    hasWord ||= row >= table.spellings.size || /[\p{L}\p{N}]/u.test(table.spellings.read(row));
  }
  // In an unknown script only punctuation is known, which makes all such texts alike.
  return hasWord ? roundVector(sum) : new Int8Array(table.dimensions);
}

/** Four at a time into doubles: twice as fast as the simple loop into floats. */
function addRow(table: EmbeddingTable, row: number, times: number, sum: Float64Array): void {
  const { values, dimensions } = table;
  const scale = (table.scales[row] as number) * times;
  const base = row * dimensions;
  for (let k = 0; k < dimensions; k += 4) {
    const at = base + k;
    sum[k] = (sum[k] as number) + scale * (values[at] as number);
    sum[k + 1] = (sum[k + 1] as number) + scale * (values[at + 1] as number);
    sum[k + 2] = (sum[k + 2] as number) + scale * (values[at + 2] as number);
    sum[k + 3] = (sum[k + 3] as number) + scale * (values[at + 3] as number);
  }
}

/** Normalises to a unit vector in int8; zeros stay zeros. */
export function roundVector(sum: Float64Array): Int8Array {
  const vector = new Int8Array(sum.length);
  let square = 0;
  for (let k = 0; k < sum.length; k++) square += (sum[k] as number) ** 2;
  if (square === 0) return vector;
  const scale = vectorLength / Math.sqrt(square);
  for (let k = 0; k < sum.length; k++) {
    vector[k] = Math.max(-127, Math.min(127, Math.round((sum[k] as number) * scale)));
  }
  return vector;
}
