// Reading segments. They never change, so what has been read is kept, the least used given up first.
import { list, sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { toInt8, toUint16, toUint32 } from './document.ts';
import { Matrix } from './matrix.ts';
import { decodePosting, type Posting } from './posting.ts';

export interface Segment {
  id: string;
  project: string;
  kind: string;
  model: string;
  documents: number;
  total_length: number;
}

/** What a segment knows of its documents besides their terms. */
export interface SegmentDocuments {
  numbers: Uint32Array;
  lengths: Uint16Array;
}

/** Kept in memory of all segments together. */
const maxBytes = 256 * 1024 * 1024;
/** What keeping anything costs, however small. */
const entryBytes = 200;

/** A segment was removed between being listed and being read: list again. */
export class SegmentGone extends Error {
  override readonly name = 'SegmentGone';
}

export class SegmentReader {
  readonly #store: Pick<Store, 'all'>;
  readonly #kept = new Map<string, { value: unknown; bytes: number }>();
  #bytes = 0;

  constructor(store: Pick<Store, 'all'>) {
    this.#store = store;
  }

  /** Of each segment, the postings of those terms that it has. */
  async postings(segments: readonly Segment[], terms: readonly string[]): Promise<Map<string, Posting>[]> {
    const found = segments.map(() => new Map<string, Posting>());
    const lacking = new Map<string, Map<string, Posting>>();
    const missing = new Set<string>();
    for (const [at, { id }] of segments.entries()) {
      const own = found[at] as Map<string, Posting>;
      for (const term of terms) {
        const kept = this.#recall<Posting | null>(`${id} posting ${term}`);
        if (kept) own.set(term, kept);
        if (kept !== undefined) continue;
        missing.add(term);
        lacking.set(id, own);
      }
    }
    if (missing.size === 0) return found;
    const rows = await this.#store.all<{ segment_id: string; term: string; documents: number; body: Uint8Array }>(
      sql`select segment_id, term, documents, body from posting
          where segment_id in ${list([...lacking.keys()])} and term in ${list([...missing])}`,
    );
    for (const { segment_id, term, documents, body } of rows) {
      const posting = decodePosting(body, documents);
      this.#keep(`${segment_id} posting ${term}`, posting, documents * 5);
      lacking.get(segment_id)?.set(term, posting);
    }
    for (const [id, own] of lacking) {
      for (const term of missing) if (!own.has(term)) this.#keep(`${id} posting ${term}`, null, 0);
    }
    return found;
  }

  /** In how many documents each term stands. */
  async count(segments: readonly Segment[], terms: readonly string[]): Promise<Map<string, number>> {
    const counts = new Map<string, number>();
    if (segments.length === 0 || terms.length === 0) return counts;
    const unknown = new Set<string>();
    for (const term of terms) {
      let sum = 0;
      for (const { id } of segments) {
        const kept = this.#recall<Posting | null>(`${id} posting ${term}`);
        if (kept === undefined) unknown.add(term);
        sum += kept?.documents.length ?? 0;
      }
      counts.set(term, sum);
    }
    if (unknown.size === 0) return counts;
    const rows = await this.#store.all<{ term: string; n: number }>(
      sql`select term, sum(documents) as n from posting where segment_id in ${list(segments.map(({ id }) => id))}
          and term in ${list([...unknown])} group by term`,
    );
    for (const { term, n } of rows) counts.set(term, Number(n));
    return counts;
  }

  async documents(segment: Segment): Promise<SegmentDocuments> {
    const key = `${segment.id} documents`;
    const kept = this.#recall<SegmentDocuments>(key);
    if (kept) return kept;
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
    return this.#keep(key, { numbers, lengths }, at * 6);
  }

  /** The first part of every vector; nothing for a segment without vectors. */
  async coarse(segment: Segment): Promise<Matrix | undefined> {
    if (segment.model === '') return undefined;
    const key = `${segment.id} coarse`;
    const kept = this.#recall<Matrix>(key);
    if (kept) return kept;
    const rows = await this.#store.all<{ coarse: Uint8Array }>(
      sql`select coarse from segment_block where segment_id = ${segment.id} order by number`,
    );
    const size = rows.reduce((sum, { coarse }) => sum + coarse.length, 0);
    if (size === 0) throw new SegmentGone();
    const matrix = new Matrix(segment.documents, size / segment.documents);
    let at = 0;
    for (const { coarse } of rows) {
      matrix.rows.set(toInt8(coarse), at);
      at += coarse.length;
    }
    return this.#keep(key, matrix, matrix.byteLength);
  }

  #recall<T>(key: string): T | undefined {
    const entry = this.#kept.get(key);
    if (!entry) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    return entry.value as T;
  }

  #keep<T>(key: string, value: T, bytes: number): T {
    this.#bytes += bytes + entryBytes - (this.#kept.get(key)?.bytes ?? 0);
    this.#kept.set(key, { value, bytes: bytes + entryBytes });
    for (const [oldest, entry] of this.#kept) {
      if (this.#bytes <= maxBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= entry.bytes;
    }
    return value;
  }
}
