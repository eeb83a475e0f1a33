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
  /** Marks its terms among those of all sources. */
  bit: number;
}

/** At most 31, because each has a bit. */
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
  const holders = await findHolders(store, sources, pause);
  const sorted = [...holders.keys()].sort();
  for (let at = 0; at < sorted.length; at += termsAtOnce) {
    const some = sorted.slice(at, at + termsAtOnce);
    for (const [term, posting] of await joinPostings(store, sources, holders, some)) {
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
    sources.push({ id: segment.id, places, bit: 1 << sources.length });
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

/** Each term with the bits of the segments that have it: most are in one only, and each lookup has a cost. */
async function findHolders(store: Store, sources: readonly Source[], pause: Pause): Promise<Map<string, number>> {
  const holders = new Map<string, number>();
  for (const { id, bit } of sources) {
    const rows = await store.all<{ term: string }>(sql`select term from posting where segment_id = ${id}`);
    for (const { term } of rows) holders.set(term, (holders.get(term) ?? 0) | bit);
    await pause();
  }
  return holders;
}

type Joined = Map<string, { documents: number[]; frequencies: number[] }>;

async function joinPostings(
  store: Store,
  sources: readonly Source[],
  holders: ReadonlyMap<string, number>,
  terms: readonly string[],
): Promise<Joined> {
  const joined: Joined = new Map();
  for (const { id, places, bit } of sources) {
    const own = terms.filter((term) => ((holders.get(term) as number) & bit) !== 0);
    if (own.length === 0) continue;
    const rows = await store.all<{ term: string; documents: number; body: Uint8Array }>(
      sql`select term, documents, body from posting where segment_id = ${id} and term in ${list(own)}`,
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
