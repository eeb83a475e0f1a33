// One sync of a project's log with a remote: capture, fetch, import, send. Every step can be repeated, and the database has all that
// a later step needs, so a process may die anywhere. What was sent is compared with what the remote has, each time: operations
// that a remote lost are sent again.
import { setTimeout as pause } from 'node:timers/promises';
import { LoreError } from '../../core/error.ts';
import { withFileLock } from '../../core/file-lock.ts';
import { sql } from '../../store/sql.ts';
import type { OpenGraph } from '../open.ts';
import {
  type Batch,
  type BatchFile,
  deviceOf,
  groupOps,
  isNamed,
  maxBatchBytes,
  nameBatch,
  renameBatch,
} from './batch.ts';
import { type BlockedMemory, captureChanges, listChanged, type Sharing } from './capture-log.ts';
import type { BatchGuard, OpenedBatch } from './guard/guard.ts';
import { type Imported, importOps } from './import-ops.ts';
import { isJudged, judgeOps, noteJudged } from './judge.ts';
import { inLog } from './log.ts';
import { hashOp, type SharedOp } from './op.ts';
import type { NewFile, RemoteFile, ShareRemote } from './remote.ts';
import { forgetLost, listEnded, listOutdated, listRead, listUnsent, markSent, noteRead } from './sent.ts';

export interface SyncedLog {
  remote: string;
  /** Operations. */
  sent: number;
  received: number;
  stored: number;
  changed: number;
  removed: number;
  /** Operations that wait for the remote. */
  pending: number;
  blocked: BlockedMemory[];
  /** Files that were skipped, and why. */
  problems: { path: string; problem: string }[];
  /** Whether the history of the remote was written anew, without what was retracted. */
  rewritten: boolean;
  /** Why the remote was not reached, or nothing was sent; everything else was done. */
  problem?: string;
  /** What to do about it. */
  hint?: string;
}

export interface SyncPlace {
  remote: ShareRemote;
  openGuard(): Promise<BatchGuard>;
}

interface GuardedRemote {
  remote: ShareRemote;
  guard: BatchGuard;
}

interface SyncOptions {
  signal?: AbortSignal | undefined;
  report?: (done: number, total: number, message: string) => void;
}

const mostAttempts = 60;
const readBytes = 16 << 20;
/** Memories dated by a clock that was set back are looked at again. */
const marginMs = 600_000;

export async function syncLog(
  opened: OpenGraph,
  sharing: Sharing,
  { remote, openGuard }: SyncPlace,
  { signal = new AbortController().signal, report = () => {} }: SyncOptions = {},
): Promise<SyncedLog> {
  const begun = opened.graph.now();
  const last = await readLast(opened, sharing);
  const ids = await listChanged(opened.store, sharing, last - marginMs);
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
    await withFileLock(`${remote.home}.lock`, signal, async () => {
      // The rules may have changed while another process had the lock.
      const guard = await openGuard();
      synced.problems.push(...guard.problems);
      await exchange(opened, sharing, { remote, guard }, synced, report);
    });
    await noteSynced(opened, sharing, begun);
  } catch (error) {
    const isAway =
      error instanceof LoreError && ['unavailable', 'timeout', 'forbidden', 'not_found'].includes(error.word);
    if (!isAway || signal.aborted) throw error;
    noteProblem(synced, error.message, error.hint);
  }
  synced.pending = (await listUnsent(opened, sharing)).length;
  return synced;
}

async function exchange(
  opened: OpenGraph,
  sharing: Sharing,
  place: GuardedRemote,
  synced: SyncedLog,
  report: NonNullable<SyncOptions['report']>,
): Promise<void> {
  const { remote, guard } = place;
  let isOver = await isJudged(opened, sharing, guard);
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const tip = await remote.pull();
    const files = tip === undefined ? [] : await remote.list(tip);
    await receive(opened, sharing, place, files, synced, report);
    if (!isOver) {
      add(synced, [], await judgeOps(opened, sharing, guard));
      // Those with what a retraction ended that does not count.
      await receive(opened, sharing, place, files, synced, report);
      await noteJudged(opened, sharing, guard);
      isOver = true;
    }
    if (await send(opened, sharing, place, tip, files, synced)) return noteJudged(opened, sharing, guard);
    // Others are faster: they are done sooner than all of us are.
    await pause(Math.random() * 25 * Math.min(attempt, 20));
  }
  throw new LoreError('unavailable', `Cannot push to "${remote.url}": others keep pushing. Run lore sync now again`);
}

async function receive(
  opened: OpenGraph,
  sharing: Sharing,
  { remote, guard }: GuardedRemote,
  files: readonly RemoteFile[],
  synced: SyncedLog,
  report: NonNullable<SyncOptions['report']>,
): Promise<void> {
  await forgetLost(opened, sharing, files);
  const known = await listRead(opened, sharing);
  const fresh = files.filter(({ path }) => !known.has(path));
  const [large, some] = [true, false].map((is) => fresh.filter(({ size }) => size > maxBatchBytes === is));
  for (const file of large as RemoteFile[]) await note(file, '', 'it is too large');
  let done = 0;
  for (const group of groupBySize(some as RemoteFile[])) {
    const texts = await remote.read(group.map(({ blob }) => blob));
    for (const file of group) {
      const { path, blob } = file;
      const { ops, mark, problem = '', isLocked } = open(guard, path, texts.get(blob) ?? '');
      const isOwn = deviceOf(path) === sharing.dev && guard.isOurs(mark);
      const source = { batch: path, key: mark, isOwn, isCurrent: mark === guard.mark() };
      if (ops.length > 0) add(synced, ops, await importOps(opened, sharing, ops, source));
      // Last: until then the file counts as unread, and importing it again changes nothing.
      if (isLocked) synced.problems.push({ path, problem });
      else await note(file, mark, problem);
      report(++done, fresh.length, 'batches');
    }
  }

  async function note({ path, blob }: RemoteFile, mark: string, problem: string): Promise<void> {
    if (problem !== '') synced.problems.push({ path, problem });
    await noteRead(opened.store, sharing, { path, blob, mark, problem });
  }
}

/** Files never change, so that everybody reads the same. */
function open(guard: BatchGuard, path: string, text: string): OpenedBatch {
  const isChanged = deviceOf(path) !== undefined && !isNamed(path, text);
  return isChanged ? { ops: [], mark: '', problem: 'it was changed after it was sent' } : guard.open(path, text);
}

function noteProblem(synced: SyncedLog, problem: string, hint: string | undefined): void {
  Object.assign(synced, { problem, ...(hint !== undefined && { hint }) });
}

function add(synced: SyncedLog, ops: readonly SharedOp[], { stored, changed, removed }: Imported): void {
  synced.received += ops.length;
  synced.stored += stored.length;
  synced.changed += changed.length;
  synced.removed += removed.length;
}

function* groupBySize(files: readonly RemoteFile[]): Generator<RemoteFile[]> {
  let [group, bytes]: [RemoteFile[], number] = [[], 0];
  for (const file of files) {
    if (bytes + file.size > readBytes && group.length > 0) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(file);
    bytes += file.size;
  }
  if (group.length > 0) yield group;
}

/** Returns false if the remote has moved on. */
async function send(
  opened: OpenGraph,
  sharing: Sharing,
  { remote, guard }: GuardedRemote,
  tip: string | undefined,
  files: readonly RemoteFile[],
  synced: SyncedLog,
): Promise<boolean> {
  const outdated = await listOutdated(opened, sharing, guard);
  const unsent = await listUnsent(opened, sharing, outdated);
  const sendable = unsent.filter(({ at }) => guard.judge([guard.mark()], at) !== undefined);
  const batches = groupOps(sharing.level, sendable);
  const ended = await listEnded(opened, sharing);
  const isRewritten = ended.size > 0;
  if (unsent.length === 0 && !isRewritten) return true;
  const refusal = guard.refusal();
  const untimely = { reason: 'your key is not valid for the time of some changes', hint: undefined };
  const { reason, hint } = refusal ?? (sendable.length < unsent.length ? untimely : {});
  if (reason !== undefined) noteProblem(synced, `Cannot send to "${remote.url}": ${reason}`, hint);
  if (refusal !== undefined || (batches.length === 0 && !isRewritten)) return true;
  const sealed = await sealBatches(guard, batches);
  const added: NewFile[] = sealed.map(({ file }) => file);
  const others = files.filter(({ path }) => !outdated.includes(path));
  if (isRewritten) added.push(...(await filterFiles({ remote, guard }, others, ended)));
  const parent = isRewritten ? undefined : tip;
  const commit = await remote.commit(parent, added, opened.graph.now(), { without: outdated });
  if (!(await remote.push(commit, tip, { rewrite: isRewritten }))) return false;
  const now = await remote.list(commit);
  const blobs = new Map(now.map(({ path, blob }) => [path, blob]));
  for (const { file, ops } of sealed) {
    const blob = blobs.get(file.path) as string;
    await markSent(opened, sharing, { path: file.path, blob, mark: guard.mark() }, ops);
    synced.sent += ops.length;
  }
  if (isRewritten) {
    synced.rewritten = true;
    // Reads the new names, and forgets the old ones.
    await receive(opened, sharing, { remote, guard }, now, { ...synced }, () => {});
  }
  await remote.tidy({ prune: isRewritten });
  return true;
}

async function sealBatches(guard: BatchGuard, batches: readonly Batch[]) {
  const sealed: { file: BatchFile; ops: readonly SharedOp[] }[] = [];
  for (const batch of batches) sealed.push({ file: nameBatch(batch.ops[0], await guard.seal(batch)), ops: batch.ops });
  return sealed;
}

/** All files, without the operations that a retraction ended. More than one file may have them: anybody can copy one. */
async function filterFiles(
  { remote, guard }: GuardedRemote,
  files: readonly RemoteFile[],
  ended: ReadonlySet<string>,
): Promise<NewFile[]> {
  const filtered: NewFile[] = [];
  const isKept = (op: SharedOp) => !ended.has(hashOp(op));
  for (const group of groupBySize(files.filter(({ path }) => deviceOf(path) !== undefined))) {
    const texts = await remote.read(group.flatMap(({ blob, size }) => (size > maxBatchBytes ? [] : blob)));
    for (const { path, blob } of group) {
      const before = texts.get(blob);
      const text = before && guard.filter(path, before, isKept);
      if (text === before) filtered.push({ path, blob });
      else if (text !== undefined) filtered.push(renameBatch(path, text) as BatchFile);
    }
  }
  return filtered;
}

async function readLast({ store }: OpenGraph, sharing: Sharing): Promise<number> {
  const row = await store.one<{ synced_at: number }>(sql`select synced_at from shared_remote where ${inLog(sharing)}`);
  return Number(row?.synced_at ?? 0);
}

async function noteSynced({ store }: OpenGraph, sharing: Sharing, at: number): Promise<void> {
  await store.run(sql`update shared_remote set synced_at = ${at} where ${inLog(sharing)}`);
}
