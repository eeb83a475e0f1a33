// Writes a segment: dead at first, in slices, and made alive at the end in one transaction that also retires its sources. An
// unfinished segment is removed like any dead one.
import { LoreError } from '../core/error.ts';
import { createId } from '../core/id.ts';
import { insertAll } from '../store/insert.ts';
import { type Sql, sql, type Value } from '../store/sql.ts';
import type { Store, Transaction } from '../store/store.ts';
import { mostFrequent, type PackedTerms, toBytes, visitPacked, visitTerms } from './document.ts';
import { packRows } from './matrix.ts';
import { encodePosting } from './posting.ts';
import { blockSize } from './tables.ts';

export interface SegmentScope {
  project: string;
  kind: string;
  model: string;
}

export interface SegmentContent {
  numbers: Uint32Array;
  lengths: Uint16Array;
  /** The vector of each document, if there are any. */
  vectorAt?(document: number): Int8Array | undefined;
  /** Vector size; 0 without vectors. */
  width: number;
}

/** A document with its number. */
export interface SegmentDocument {
  number: number;
  length: number;
  /** A text is encoded by `writeTerms`. */
  terms: string | PackedTerms;
  vector: Int8Array | undefined;
}

/** Called between slices: yields to other work, and throws if this work is cancelled. */
export type Pause = () => Promise<void>;

const sliceBytes = 256 * 1024;
const sliceRows = 400;

/** A segment of documents of one scope, ordered by number; `replace` as in `finish`. */
export async function writeSegment(
  store: Store,
  scope: SegmentScope,
  documents: readonly SegmentDocument[],
  pause: Pause,
  replace: (tx: Transaction) => Promise<void>,
): Promise<void> {
  const writer = await SegmentWriter.open(
    store,
    scope,
    {
      numbers: Uint32Array.from(documents, ({ number }) => number),
      lengths: Uint16Array.from(documents, ({ length }) => Math.min(length, 65_535)),
      width: documents.find(({ vector }) => vector !== undefined)?.vector?.length ?? 0,
      vectorAt: (at) => documents[at]?.vector,
    },
    pause,
  );
  for (const { term, numbers, frequencies } of invert(documents)) await writer.addPosting(term, numbers, frequencies);
  await writer.finish(replace);
}

/** In table order, so that rows are appended. There are too many for an object each. */
function* invert(documents: readonly SegmentDocument[]) {
  const places = new Map<string, number>();
  const counts: number[] = [];
  let size = 0;
  let [terms, numbers, frequencies] = [new Uint32Array(1 << 16), new Uint32Array(1 << 16), new Uint8Array(1 << 16)];
  const placeOf = (term: string) => {
    const known = places.get(term);
    if (known !== undefined) return known;
    places.set(term, places.size);
    return counts.push(0) - 1;
  };
  const add = (document: number, place: number, frequency: number) => {
    if (size === terms.length) [terms, numbers, frequencies] = [grow(terms), grow(numbers), grow(frequencies)];
    terms[size] = place;
    numbers[size] = document;
    frequencies[size++] = Math.min(frequency, mostFrequent);
    counts[place] = (counts[place] as number) + 1;
  };
  let words: readonly string[] = [];
  /** Of each word, its place; -1 if it was not needed yet. */
  let known = new Int32Array(0);
  for (const [document, { terms: own }] of documents.entries()) {
    if (typeof own === 'string') {
      visitTerms(own, (term, frequency) => add(document, placeOf(term), frequency));
      continue;
    }
    // Neighbours share a list, so that each of its words is looked up once.
    if (words !== own.words) [words, known] = [own.words, new Int32Array(own.words.length).fill(-1)];
    visitPacked(own.packed, (word, frequency) => {
      if (known[word] === -1) known[word] = placeOf(words[word] as string);
      add(document, known[word] as number, frequency);
    });
  }
  const ends = new Uint32Array(counts.length);
  let end = 0;
  for (const [place, count] of counts.entries()) {
    ends[place] = end;
    end += count;
  }
  const [sortedNumbers, sortedFrequencies] = [new Uint32Array(size), new Uint8Array(size)];
  for (let at = 0; at < size; at++) {
    const place = terms[at] as number;
    const to = ends[place] as number;
    sortedNumbers[to] = numbers[at] as number;
    sortedFrequencies[to] = frequencies[at] as number;
    ends[place] = to + 1;
  }
  for (const term of [...places.keys()].sort()) {
    const place = places.get(term) as number;
    const to = ends[place] as number;
    const from = to - (counts[place] as number);
    yield { term, numbers: sortedNumbers.subarray(from, to), frequencies: sortedFrequencies.subarray(from, to) };
  }
}

function grow<T extends Uint32Array | Uint8Array>(full: T): T {
  const larger = new (full.constructor as new (length: number) => T)(full.length * 2);
  larger.set(full);
  return larger;
}

export class SegmentWriter {
  readonly id = createId('seg');
  readonly #store: Store;
  readonly #pause: Pause;
  #slice: Sql[] = [];
  #postings: (readonly Value[])[] = [];
  #bytes = 0;

  private constructor(store: Store, pause: Pause) {
    this.#store = store;
    this.#pause = pause;
  }

  static async open(store: Store, scope: SegmentScope, content: SegmentContent, pause: Pause): Promise<SegmentWriter> {
    const writer = new SegmentWriter(store, pause);
    await writer.#begin(scope, content);
    return writer;
  }

  async addPosting(term: string, documents: ArrayLike<number>, frequencies: ArrayLike<number>): Promise<void> {
    const body = encodePosting(documents, frequencies);
    this.#postings.push([this.id, term, documents.length, body]);
    this.#bytes += body.length;
    if (this.#postings.length >= sliceRows || this.#bytes >= sliceBytes) await this.#flush();
  }

  /** Makes the segment alive together with `replace`, which throws if another process has merged the sources. */
  async finish(replace: (tx: Transaction) => Promise<void>): Promise<void> {
    await this.#flush();
    await this.#store.tx(async (tx) => {
      await replace(tx);
      const alive = await tx.run(sql`update segment set dead_at = null where id = ${this.id}`);
      if (alive === 0) throw new LoreError('conflict', 'Cannot finish a segment: it took too long and was removed');
    });
  }

  async #begin(
    { project, kind, model }: SegmentScope,
    { numbers, lengths, vectorAt, width }: SegmentContent,
  ): Promise<void> {
    const total = lengths.reduce((sum, length) => sum + length, 0);
    const first = numbers.reduce((least, number) => Math.min(least, number), numbers[0] ?? 0);
    const last = numbers.reduce((most, number) => Math.max(most, number), 0);
    await this.#add(
      sql`insert into segment (id, project, kind, model, documents, total_length, first_number, last_number, stale, dead_at)
          values (${this.id}, ${project}, ${kind}, ${model}, ${numbers.length}, ${total}, ${first}, ${last}, 0,
                  ${this.#store.clock()})`,
      0,
    );
    for (let number = 0; number * blockSize < numbers.length; number++) {
      const [start, end] = [number * blockSize, Math.min((number + 1) * blockSize, numbers.length)];
      const vectors = Array.from({ length: end - start }, (_, at) => vectorAt?.(start + at));
      const packed = width > 0 ? packRows(vectors, width) : undefined;
      await this.#add(
        sql`insert into segment_block (segment_id, number, numbers, lengths, vectors)
            values (${this.id}, ${number}, ${toBytes(numbers.subarray(start, end))},
                    ${toBytes(lengths.subarray(start, end))}, ${packed ? toBytes(packed) : null})`,
        packed?.length ?? 0,
      );
    }
  }

  async #add(statement: Sql, bytes: number): Promise<void> {
    this.#slice.push(statement);
    this.#bytes += bytes;
    if (this.#bytes >= sliceBytes) await this.#flush();
  }

  async #flush(): Promise<void> {
    const [slice, postings] = [this.#slice, this.#postings];
    if (slice.length + postings.length === 0) return;
    this.#slice = [];
    this.#postings = [];
    this.#bytes = 0;
    await this.#store.tx(async (tx) => {
      for (const statement of slice) await tx.run(statement);
      await insertAll(
        tx,
        postings,
        (posting) => posting,
        (rows) => sql`insert into posting (segment_id, term, documents, body) values ${rows}`,
      );
      // A heartbeat: segments that stay dead for long are removed.
      await tx.run(sql`update segment set dead_at = ${tx.clock()} where id = ${this.id}`);
    });
    await this.#pause();
  }
}
