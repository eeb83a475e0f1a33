// One sync of a project's log with a remote: capture, fetch, import, send. Every step can be repeated, and the database has all that
// a later step needs, so a process may die anywhere. What was sent is compared with what the remote has, each time: operations
// that a remote lost are sent again.
import { setTimeout as pause } from 'node:timers/promises';
import { LoreError } from '../../core/error.ts';
import { withFileLock } from '../../core/file-lock.ts';
import { sql } from '../../store/sql.ts';
import type { OpenGraph } from '../open.ts';
import { captureChanges, listChanged, type Sharing } from './capture-log.ts';
import type { BatchGuard } from './guard/guard.ts';
import { isJudged, judgeOps, noteJudged } from './judge.ts';
import { inLog } from './log.ts';
import { receive } from './receive.ts';
import type { ShareRemote } from './remote.ts';
import { send } from './send.ts';
import { listUnsent } from './sent.ts';
import { addImported, type GuardedRemote, noteProblem, type SyncedLog, type SyncReport } from './synced.ts';

export interface SyncPlace {
  remote: ShareRemote;
  openGuard(): Promise<BatchGuard>;
}

interface SyncOptions {
  signal?: AbortSignal | undefined;
  report?: SyncReport;
}

const mostAttempts = 60;

export async function syncLog(
  opened: OpenGraph,
  sharing: Sharing,
  { remote, openGuard }: SyncPlace,
  { signal = new AbortController().signal, report = () => {} }: SyncOptions = {},
): Promise<SyncedLog> {
  const begun = opened.graph.now();
  const last = await readLast(opened, sharing);
  const ids = await listChanged(opened.store, sharing, last.at);
  const { blocked } = await captureChanges(opened, sharing, ids);
  const synced: SyncedLog = {
    remote: remote.url,
    sent: 0,
    received: 0,
    stored: 0,
    changed: 0,
    removed: 0,
    pending: 0,
    blocked,
    problems: [],
    rewritten: false,
  };
  try {
    await remote.open();
    const tip = await withFileLock(`${remote.home}.lock`, signal, async () => {
      // The rules may have changed while another process had the lock.
      const [guard, pulled] = await Promise.all([openGuard(), remote.pull()]);
      synced.problems.push(...guard.problems);
      return exchange(opened, sharing, { remote, guard }, { pulled, known: last.tip }, synced, report);
    });
    await noteSynced(opened, sharing, begun, tip);
  } catch (error) {
    const isAway =
      error instanceof LoreError && ['unavailable', 'timeout', 'forbidden', 'not_found'].includes(error.word);
    if (!isAway || signal.aborted) throw error;
    noteProblem(synced, error.message, error.hint);
  }
  synced.pending = (await listUnsent(opened, sharing)).length;
  return synced;
}

/** Returns the commit of the remote whose files are now known here; empty if it has none. */
async function exchange(
  opened: OpenGraph,
  sharing: Sharing,
  place: GuardedRemote,
  { pulled, known }: { pulled: string | undefined; known: string },
  synced: SyncedLog,
  report: SyncReport,
): Promise<string> {
  const { remote, guard } = place;
  let isOver = await isJudged(opened, sharing, guard);
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const tip = attempt === 1 ? pulled : await remote.pull();
    // The same commit has the same files: nothing is new, and nothing was lost.
    if (tip === undefined || tip !== known || !isOver)
      await remote.forgetHistory(tip, () => receive(opened, sharing, place, tip, synced, report));
    if (!isOver) {
      addImported(synced, 0, await judgeOps(opened, sharing, guard));
      // Those with what a retraction ended that does not count.
      await receive(opened, sharing, place, tip, synced, report);
      await noteJudged(opened, sharing, guard);
      isOver = true;
    }
    const sent = await send(opened, sharing, place, tip, synced);
    if (sent !== undefined) {
      await noteJudged(opened, sharing, guard);
      // Some files may be readable the next time.
      return guard.refusal() === undefined ? sent : '';
    }
    // Others are faster: they are done sooner than all of us are.
    await pause(Math.random() * 25 * Math.min(attempt, 20));
  }
  throw new LoreError('unavailable', `Cannot push to "${remote.url}": others keep pushing. Run lore sync now again`);
}

/** When the last sync began, and the commit that the remote had after it. */
async function readLast({ store }: OpenGraph, sharing: Sharing): Promise<{ at: number; tip: string }> {
  const row = await store.one<{ synced_at: number; tip: string }>(
    sql`select synced_at, tip from shared_remote where ${inLog(sharing)}`,
  );
  return { at: Number(row?.synced_at ?? 0), tip: row?.tip ?? '' };
}

async function noteSynced({ store }: OpenGraph, sharing: Sharing, at: number, tip: string): Promise<void> {
  await store.run(sql`update shared_remote set synced_at = ${at}, tip = ${tip} where ${inLog(sharing)}`);
}
