// Compaction: fresh documents become a segment, small segments are merged, dead ones are removed. One process at a time does
// it, in slices. If two do the same work, the second one discards its result.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LoreError } from '../core/error.ts';
import { type Lease, takeLease } from '../store/lease.ts';
import { list, type Sql, sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { toInt8 } from './document.ts';
import { mergeSegments } from './merge.ts';
import type { Segment } from './segment.ts';
import { type Pause, type SegmentScope, writeSegment } from './segment-writer.ts';
import { graceMs } from './tables.ts';

/** Number of fresh documents of one project and kind that make a segment. */
const freshLimit = 256;
/** Number of their terms that makes a segment, however few documents there are. */
const freshLength = 500_000;
/** Most documents compacted at once, and most terms. */
const gatherLimit = 4_096;
const gatherLength = 2_000_000;
/** Number of segments of similar size that are merged. */
const fanIn = 8;
/** Larger segments are not merged. */
const largeSegment = 500_000;
const rowsAtOnce = 500;
const leaseMs = 30_000;

export interface CompactOptions {
  /** Number of fresh documents that make a segment, instead of the default. */
  limit?: number;
  signal?: AbortSignal;
  /** Most terms at once, if memory is short. */
  length?: number;
  /** Only these kinds, or all except these. */
  only?: readonly string[];
  except?: readonly string[];
}

/** Runs one round of compaction. Returns whether there was anything to do. */
export async function compactIndex(store: Store, options: CompactOptions = {}): Promise<boolean> {
  const { limit = freshLimit, signal, length = gatherLength } = options;
  const kinds = selectKinds(options);
  const work =
    (await findFresh(store, limit, length, kinds)) ?? (await findMergeable(store, kinds)) ?? (await findDead(store));
  if (!work) return false;
  const done = await withCompactLease(store, signal, async (pause) => {
    await work(pause);
    return true;
  });
  return done ?? false;
}

/** Returns undefined if another process holds the lease or has taken it over. */
export async function withCompactLease<T>(
  store: Store,
  signal: AbortSignal | undefined,
  work: (pause: Pause) => Promise<T>,
): Promise<T | undefined> {
  const lease = await takeLease(store, 'gather', leaseMs);
  if (!lease) return undefined;
  try {
    return await work(createPause(lease, signal));
  } catch (error) {
    if (error instanceof LoreError && error.word === 'conflict') return undefined;
    throw error;
  } finally {
    await lease.release();
  }
}

type Work = (pause: Pause) => Promise<void>;

function createPause(lease: Lease, signal: AbortSignal | undefined): Pause {
  let renewedAt = performance.now();
  return async () => {
    await nextTurn();
    if (signal?.aborted) throw new LoreError('conflict', 'Cannot compact the index: it was stopped');
    if (performance.now() - renewedAt < leaseMs / 3) return;
    renewedAt = performance.now();
    if (!(await lease.renew())) throw new LoreError('conflict', 'Cannot compact the index: another process does it');
  };
}

function selectKinds({ only, except }: CompactOptions): Sql {
  if (only) return sql`kind in ${list(only)}`;
  return except ? sql`kind not in ${list(except)}` : sql`1 = 1`;
}

async function findFresh(store: Store, limit: number, length: number, kinds: Sql): Promise<Work | undefined> {
  const scope = await store.one<SegmentScope>(
    sql`select project, kind, model from fresh where ${kinds} group by project, kind, model
        having count(*) >= ${limit} or sum(length) >= ${freshLength} order by count(*) desc limit 1`,
  );
  return scope && ((pause) => gatherFresh(store, scope, length, pause));
}

async function gatherFresh(store: Store, scope: SegmentScope, length: number, pause: Pause): Promise<void> {
  const chosen = await chooseFresh(store, scope, length);
  if (chosen.length === 0) return;
  const rows = await store.all<{ number: number; terms: string; length: number; vector: Uint8Array | null }>(
    sql`select number, terms, length, vector from fresh where number in ${list(chosen)} order by number`,
  );
  const documents = rows.map(({ vector, ...rest }) => ({ ...rest, vector: vector ? toInt8(vector) : undefined }));
  await writeSegment(store, scope, documents, pause, async (tx) => {
    let moved = 0;
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const some = list(rows.slice(at, at + rowsAtOnce).map(({ number }) => number));
      moved += await tx.run(sql`delete from fresh where number in ${some}`);
    }
    // A lower count is harmless: replaced documents are stale in the segment.
    if (moved === 0) throw new LoreError('conflict', 'Cannot compact the index: another process did it');
  });
}

/** The oldest documents, as many as memory allows. */
async function chooseFresh(store: Store, { project, kind, model }: SegmentScope, most: number): Promise<number[]> {
  const rows = await store.all<{ number: number; length: number }>(
    sql`select number, length from fresh
        where project = ${project} and kind = ${kind} and model = ${model} order by number limit ${gatherLimit}`,
  );
  let total = 0;
  const end = rows.findIndex(({ length }, at) => {
    total += length;
    return at > 0 && total > most;
  });
  return rows.slice(0, end < 0 ? rows.length : end).map(({ number }) => number);
}

async function findMergeable(store: Store, kinds: Sql): Promise<Work | undefined> {
  const segments = await store.all<Segment & { stale: number }>(
    sql`select id, project, kind, model, documents, total_length, stale from segment
        where dead_at is null and ${kinds} and (documents < ${largeSegment} or stale * 2 > documents)
        order by project, kind, model, documents`,
  );
  const rotten = segments.find(({ stale, documents }) => stale * 2 > documents);
  if (rotten) return (pause) => mergeSegments(store, [rotten], pause);
  for (let at = 0; at + fanIn <= segments.length; at++) {
    const group = segments.slice(at, at + fanIn);
    if (belongTogether(group)) return (pause) => mergeSegments(store, group, pause);
  }
  return undefined;
}

/** Segments of one scope and of similar size. */
function belongTogether(group: readonly Segment[]): boolean {
  const [first] = group as [Segment];
  return group.every(
    ({ project, kind, model, documents }) =>
      project === first.project &&
      kind === first.kind &&
      model === first.model &&
      documents <= Math.max(first.documents, freshLimit) * fanIn,
  );
}

async function findDead(store: Store): Promise<Work | undefined> {
  const dead = await store.one<{ id: string }>(
    sql`select id from segment where dead_at < ${store.clock()} - ${graceMs} limit 1`,
  );
  return dead && ((pause) => removeSegment(store, dead.id, pause));
}

async function removeSegment(store: Store, id: string, pause: Pause): Promise<void> {
  for (;;) {
    const terms = await store.all<{ term: string }>(
      sql`select term from posting where segment_id = ${id} limit ${rowsAtOnce}`,
    );
    if (terms.length === 0) break;
    const some = list(terms.map(({ term }) => term));
    await store.run(sql`delete from posting where segment_id = ${id} and term in ${some}`);
    await pause();
  }
  await store.tx(async (tx) => {
    await tx.run(sql`delete from segment_block where segment_id = ${id}`);
    await tx.run(sql`delete from segment where id = ${id}`);
  });
}
