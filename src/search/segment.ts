// Reads segments. They are immutable, so their data is cached; the least recently used segment is evicted first.
import { list, sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { toInt8, toUint16, toUint32 } from './document.ts';
import { Matrix, scoreAll } from './matrix.ts';
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

/** Data about the documents of a segment besides terms and vectors. */
export interface SegmentDocuments {
  numbers: Uint32Array;
  lengths: Uint16Array;
}

interface Kept {
  documents?: SegmentDocuments;
  vectors?: Matrix;
  /** Undefined for a term that is not in the segment. */
  postings: Map<string, Posting | undefined>;
  bytes: number;
}

/** Cache size of all segments together, in bytes. */
const maxBytes = 512 * 1024 * 1024;
/** Overhead of a cache entry, in bytes. */
const entryBytes = 100;

/** Most terms whose documents are counted. */
const maxCounted = 50_000;

/** A segment was removed after it was listed: list again. */
export class SegmentGone extends Error {
  override readonly name = 'SegmentGone';
}

export class SegmentReader {
  readonly #store: Pick<Store, 'all'>;
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  #counted = { key: '', sums: new Map<string, number>() };

  constructor(store: Pick<Store, 'all'>) {
    this.#store = store;
  }

  /** The postings of the given terms in each segment. */
  async postings(segments: readonly Segment[], terms: readonly string[]): Promise<ReadonlyMap<string, Posting>[]> {
    await this.#readPostings(segments, terms);
    return segments.map(({ id }) => {
      const { postings } = this.#open(id);
      return new Map(terms.flatMap((term) => (postings.get(term) ? [[term, postings.get(term) as Posting]] : [])));
    });
  }

  /** Number of documents that contain each term. The sums are cached for the segments counted last. */
  async count(segments: readonly Segment[], terms: readonly string[]): Promise<Map<string, number>> {
    const ids = segments.map(({ id }) => id);
    const key = ids.join();
    if (this.#counted.key !== key || this.#counted.sums.size > maxCounted) this.#counted = { key, sums: new Map() };
    const { sums } = this.#counted;
    const missing = terms.filter((term) => !sums.has(term));
    if (ids.length > 0 && missing.length > 0) {
      const rows = await this.#store.all<{ term: string; documents: number | string }>(
        sql`select term, sum(documents) as documents from posting
            where segment_id in ${list(ids)} and term in ${list(missing)} group by term`,
      );
      const found = new Map(rows.map(({ term, documents }) => [term, Number(documents)]));
      for (const term of missing) sums.set(term, found.get(term) ?? 0);
    }
    return new Map(terms.map((term) => [term, sums.get(term) ?? 0]));
  }

  async documents(segment: Segment): Promise<SegmentDocuments> {
    const kept = this.#open(segment.id);
    if (kept.documents) return kept.documents;
    const rows = await this.#store.all<{ numbers: Uint8Array; lengths: Uint8Array }>(
      sql`select numbers, lengths from segment_block where segment_id = ${segment.id} order by number`,
    );
    const numbers = new Uint32Array(segment.documents);
    const lengths = new Uint16Array(segment.documents);
    let at = 0;
    for (const row of rows) {
      numbers.set(toUint32(row.numbers), at);
      lengths.set(toUint16(row.lengths), at);
      at += row.lengths.length / 2;
    }
    if (at < segment.documents) throw new SegmentGone();
    this.#grow(kept, at * 6);
    kept.documents = { numbers, lengths };
    return kept.documents;
  }

  /** Only for a segment that has vectors. */
  async vectors(segment: Segment): Promise<Matrix> {
    const kept = this.#open(segment.id);
    if (kept.vectors) return kept.vectors;
    const rows = await this.#readVectors(segment);
    const size = rows.reduce((sum, { vectors }) => sum + vectors.length, 0);
    const matrix = new Matrix(segment.documents, size / segment.documents);
    let at = 0;
    for (const { vectors } of rows) {
      matrix.setRows(at, toInt8(vectors));
      at += vectors.length / matrix.width;
    }
    this.#grow(kept, matrix.byteLength);
    kept.vectors = matrix;
    return matrix;
  }

  /** The dot product of each row with a vector. It caches nothing, which takes half as long as filling matrices. */
  async scoreOnce(segments: readonly Segment[], vector: Int8Array): Promise<Float32Array[]> {
    const block = new Matrix(blockSize, vector.length);
    const scores: Float32Array[] = [];
    for (const segment of segments) {
      const own = new Float32Array(segment.documents);
      let at = 0;
      for (const { vectors } of await this.#readVectors(segment)) {
        const count = vectors.length / vector.length;
        block.setRows(0, toInt8(vectors));
        own.set((scoreAll([block], vector)[0] as Float32Array).subarray(0, count), at);
        at += count;
      }
      scores.push(own);
    }
    return scores;
  }

  async #readVectors({ id, documents }: Segment): Promise<{ vectors: Uint8Array }[]> {
    const rows = await this.#store.all<{ vectors: Uint8Array }>(
      sql`select vectors from segment_block where segment_id = ${id} order by number`,
    );
    if (rows.length * blockSize < documents) throw new SegmentGone();
    return rows;
  }

  async #readPostings(segments: readonly Segment[], terms: readonly string[]): Promise<void> {
    const lacking = segments.filter(({ id }) => {
      const { postings } = this.#open(id);
      return terms.some((term) => !postings.has(term));
    });
    const missing = terms.filter((term) => lacking.some(({ id }) => !this.#kept.get(id)?.postings.has(term)));
    if (missing.length === 0) return;
    const rows = await this.#store.all<{ segment_id: string; term: string; documents: number; body: Uint8Array }>(
      sql`select segment_id, term, documents, body from posting
          where segment_id in ${list(lacking.map(({ id }) => id))} and term in ${list(missing)}`,
    );
    for (const { id } of lacking) {
      const kept = this.#open(id);
      for (const term of missing) if (!kept.postings.has(term)) kept.postings.set(term, undefined);
      this.#grow(kept, missing.length * entryBytes);
    }
    for (const { segment_id, term, documents, body } of rows) {
      const kept = this.#open(segment_id);
      this.#grow(kept, documents * 5);
      kept.postings.set(term, decodePosting(body, documents));
    }
  }

  #open(id: string): Kept {
    const kept = this.#kept.get(id) ?? { postings: new Map(), bytes: 0 };
    this.#kept.delete(id);
    this.#kept.set(id, kept);
    return kept;
  }

  #grow(kept: Kept, bytes: number): void {
    kept.bytes += bytes;
    this.#bytes += bytes;
    for (const [id, oldest] of this.#kept) {
      if (this.#bytes <= maxBytes) return;
      // Removed only from the map: current readers continue.
      if (oldest === kept) continue;
      this.#kept.delete(id);
      this.#bytes -= oldest.bytes;
    }
  }
}
