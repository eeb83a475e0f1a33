// Reading segments. They never change, so what has been read is kept, the least used given up first.
import { list, sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { toInt8, toUint16 } from './document.ts';
import { Matrix } from './matrix.ts';
import { decodePosting, type Posting } from './posting.ts';
import { blockSize } from './tables.ts';

export interface Segment {
  id: string;
  project: string;
  kind: string;
  model: string;
  documents: number;
  total_length: number;
}

/** Kept in memory of all segments together. */
const maxBytes = 768 * 1024 * 1024;

export class SegmentReader {
  readonly #store: Store;
  readonly #kept = new Map<string, { value: unknown; bytes: number }>();
  #bytes = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  async postings(segment: Segment, terms: readonly string[]): Promise<Map<string, Posting>> {
    const found = new Map<string, Posting>();
    const missing: string[] = [];
    for (const term of terms) {
      const kept = this.#recall<Posting>(`${segment.id} posting ${term}`);
      if (kept) found.set(term, kept);
      else missing.push(term);
    }
    if (missing.length === 0) return found;
    const rows = await this.#store.all<{ term: string; documents: number; body: Uint8Array }>(
      sql`select term, documents, body from posting where segment_id = ${segment.id} and term in ${list(missing)}`,
    );
    for (const { term, documents, body } of rows) {
      const posting = decodePosting(body, documents);
      found.set(term, this.#keep(`${segment.id} posting ${term}`, posting, documents * 5));
    }
    return found;
  }

  async lengths(segment: Segment): Promise<Uint16Array> {
    const key = `${segment.id} lengths`;
    const kept = this.#recall<Uint16Array>(key);
    if (kept) return kept;
    const rows = await this.#store.all<{ lengths: Uint8Array }>(
      sql`select lengths from segment_block where segment_id = ${segment.id} order by number`,
    );
    const lengths = new Uint16Array(segment.documents);
    for (const [number, row] of rows.entries()) lengths.set(toUint16(row.lengths), number * blockSize);
    return this.#keep(key, lengths, lengths.byteLength);
  }

  /** Nothing for a segment without vectors. */
  async vectors(segment: Segment): Promise<Matrix | undefined> {
    const key = `${segment.id} vectors`;
    const kept = this.#recall<Matrix>(key);
    if (kept) return kept;
    const rows = await this.#store.all<{ vectors: Uint8Array | null }>(
      sql`select vectors from segment_block where segment_id = ${segment.id} order by number`,
    );
    const size = rows.reduce((sum, { vectors }) => sum + (vectors?.length ?? 0), 0);
    if (size === 0) return undefined;
    const matrix = new Matrix(segment.documents, size / segment.documents);
    let at = 0;
    for (const { vectors } of rows) {
      if (!vectors) continue;
      matrix.rows.set(toInt8(vectors), at);
      at += vectors.length;
    }
    return this.#keep(key, matrix, matrix.byteLength);
  }

  async ids(segment: Segment, numbers: readonly number[]): Promise<Map<number, string>> {
    const wanted = [...new Set(numbers.map((number) => Math.floor(number / blockSize)))];
    const blocks = new Map<number, string[]>();
    const missing = wanted.filter((block) => {
      const kept = this.#recall<string[]>(`${segment.id} ids ${block}`);
      if (kept) blocks.set(block, kept);
      return !kept;
    });
    if (missing.length > 0) {
      const rows = await this.#store.all<{ number: number; ids: string }>(
        sql`select number, ids from segment_block where segment_id = ${segment.id} and number in ${list(missing)}`,
      );
      for (const { number, ids } of rows) {
        blocks.set(number, this.#keep(`${segment.id} ids ${number}`, ids.split(','), ids.length * 2));
      }
    }
    return new Map(
      numbers.map((number) => [number, blocks.get(Math.floor(number / blockSize))?.[number % blockSize] as string]),
    );
  }

  #recall<T>(key: string): T | undefined {
    const entry = this.#kept.get(key);
    if (!entry) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    return entry.value as T;
  }

  #keep<T>(key: string, value: T, bytes: number): T {
    this.#kept.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const [oldest, entry] of this.#kept) {
      if (this.#bytes <= maxBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= entry.bytes;
    }
    return value;
  }
}
