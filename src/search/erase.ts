// Erases deleted documents from the index. Segments are immutable, so those that contain a copy are rewritten without it, and
// the old ones are removed at once instead of later.
import { setTimeout as sleep } from 'node:timers/promises';
import { LoreError } from '../core/error.ts';
import { list, sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { withCompactLease } from './compact.ts';
import { toUint32 } from './document.ts';
import { findLive, mergeSegments } from './merge.ts';
import type { Segment } from './segment.ts';
import type { Pause } from './segment-writer.ts';

export interface EraseScope {
  projects: readonly string[];
  /** Kinds whose segments are not changed. */
  except: readonly string[];
}

type ListedSegment = Segment & { dead_at: number | null };

const waitMs = 100;
/** Another process may compact at the same time; then its new segments are checked as well. */
const maxRounds = 20;

export async function eraseStale(store: Store, scope: EraseScope, signal?: AbortSignal): Promise<void> {
  for (let round = 1; round <= maxRounds; ) {
    const outcome = await withCompactLease(store, signal, (pause) => eraseRound(store, scope, pause));
    if (outcome === 'done') return;
    // Another process holds the lease or took it over.
    if (outcome === undefined) await sleep(waitMs, undefined, signal && { signal });
    else round++;
  }
  throw new LoreError('unavailable', 'Cannot erase documents from the index: it keeps changing');
}

async function eraseRound(store: Store, { projects, except }: EraseScope, pause: Pause): Promise<'done' | 'more'> {
  const segments = await store.all<ListedSegment>(
    sql`select id, project, kind, model, documents, total_length, dead_at from segment
        where project in ${list(projects)} and kind not in ${list(except)} order by id`,
  );
  let outcome: 'done' | 'more' = 'done';
  for (const segment of segments) {
    const numbers = await readNumbers(store, segment.id);
    if ((await findLive(store, numbers, pause)).size === numbers.length) continue;
    outcome = 'more';
    if (segment.dead_at === null) await mergeSegments(store, [segment], pause);
    await removeAtOnce(store, segment.id);
  }
  return outcome;
}

/** Also of a segment that is still being written. */
async function readNumbers(store: Store, id: string): Promise<Uint32Array> {
  const rows = await store.all<{ numbers: Uint8Array }>(
    sql`select numbers from segment_block where segment_id = ${id} order by number`,
  );
  return Uint32Array.from(rows.flatMap(({ numbers }) => [...toUint32(numbers)]));
}

/** In one transaction: a search that has listed the segment finds it missing and lists again. */
async function removeAtOnce(store: Store, id: string): Promise<void> {
  await store.tx(
    async (tx) => {
      for (const table of [sql`posting`, sql`segment_block`])
        await tx.run(sql`delete from ${table} where segment_id = ${id}`);
      await tx.run(sql`delete from segment where id = ${id}`);
    },
    { taken: async () => false },
  );
}
