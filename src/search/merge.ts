// Merges segments into one, without stale documents. Postings are merged term by term, in slices, so that memory and blocking
// time do not depend on the size of the segments.
import { LoreError } from '../core/error.ts';
import { list, sql } from '../store/sql.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { Matrix } from './matrix.ts';
import { decodePosting } from './posting.ts';
import { type Segment, SegmentReader } from './segment.ts';
import { type Pause, type SegmentContent, SegmentWriter } from './segment-writer.ts';

const numbersAtOnce = 500;
const termsAtOnce = 250;
const gone = -1;

/** A source segment, and the position of each of its documents in the merged segment. */
interface Source {
  id: string;
  places: Int32Array;
}

export async function mergeSegments(store: Store, given: readonly Segment[], pause: Pause): Promise<void> {
  // Oldest first, like their documents: of equal scores, the older document is first.
  const segments = [...given].sort((a, b) => (a.id < b.id ? -1 : 1));
  const { sources, content } = await joinDocuments(store, segments, pause);
  const ids = list(sources.map(({ id }) => id));
  const replaceSources = async (tx: Pick<Transaction, 'run' | 'clock'>) => {
    const claimed = await tx.run(
      sql`update segment set dead_at = ${tx.clock()} where dead_at is null and id in ${ids}`,
    );
    if (claimed < sources.length) throw new LoreError('conflict', 'Cannot merge segments: another process did it');
  };
  if (content.numbers.length === 0) return store.tx(replaceSources);
  const writer = await SegmentWriter.open(store, segments[0] as Segment, content, pause);
  const terms = await store.all<{ term: string }>(sql`select distinct term from posting where segment_id in ${ids}`);
  const sorted = terms.map(({ term }) => term).sort();
  for (let at = 0; at < sorted.length; at += termsAtOnce) {
    const some = sorted.slice(at, at + termsAtOnce);
    for (const [term, posting] of await joinPostings(store, sources, some)) {
      await writer.addPosting(term, posting.documents, posting.frequencies);
    }
    await pause();
  }
  await writer.finish(replaceSources);
}

async function joinDocuments(
  store: Store,
  segments: readonly Segment[],
  pause: Pause,
): Promise<{ sources: Source[]; content: SegmentContent }> {
  const reader = new SegmentReader(store);
  const most = segments.reduce((sum, { documents }) => sum + documents, 0);
  const numbers = new Uint32Array(most);
  const lengths = new Uint16Array(most);
  let count = 0;
  let width = 0;
  const sources: Source[] = [];
  /** The position of each kept document's vector. */
  const origins: { matrix: Matrix | undefined; row: number }[] = [];
  for (const segment of segments) {
    const documents = await reader.documents(segment);
    const matrix = segment.model === '' ? undefined : await reader.vectors(segment);
    width = matrix?.width ?? 0;
    const live = await findLive(store, documents.numbers, pause);
    const places = new Int32Array(segment.documents).fill(gone);
    for (let at = 0; at < segment.documents; at++) {
      const number = documents.numbers[at] as number;
      if (!live.has(number)) continue;
      numbers[count] = number;
      lengths[count] = documents.lengths[at] as number;
      origins.push({ matrix, row: at });
      places[at] = count++;
    }
    sources.push({ id: segment.id, places });
  }
  return {
    sources,
    content: {
      numbers: numbers.subarray(0, count),
      lengths: lengths.subarray(0, count),
      width,
      vectorAt(document) {
        const origin = origins[document];
        return origin?.matrix?.row(origin.row);
      },
    },
  };
}

export async function findLive(store: Store, numbers: Uint32Array, pause: Pause): Promise<Set<number>> {
  const live = new Set<number>();
  for (let at = 0; at < numbers.length; at += numbersAtOnce) {
    const rows = await store.all<{ number: number }>(
      sql`select number from document where number in ${list([...numbers.subarray(at, at + numbersAtOnce)])}`,
    );
    for (const { number } of rows) live.add(number);
    await pause();
  }
  return live;
}

type Joined = Map<string, { documents: number[]; frequencies: number[] }>;

async function joinPostings(store: Store, sources: readonly Source[], terms: readonly string[]): Promise<Joined> {
  const joined: Joined = new Map();
  for (const { id, places } of sources) {
    const rows = await store.all<{ term: string; documents: number; body: Uint8Array }>(
      sql`select term, documents, body from posting where segment_id = ${id} and term in ${list(terms)}`,
    );
    for (const { term, documents, body } of rows) {
      const posting = decodePosting(body, documents);
      for (let at = 0; at < documents; at++) {
        const place = places[posting.documents[at] as number] as number;
        if (place === gone) continue;
        let target = joined.get(term);
        if (!target) {
          target = { documents: [], frequencies: [] };
          joined.set(term, target);
        }
        target.documents.push(place);
        target.frequencies.push(posting.frequencies[at] as number);
      }
    }
  }
  return joined;
}
