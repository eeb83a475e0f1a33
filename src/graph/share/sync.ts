// One sync of a project's log with a remote: capture, fetch, import, send. Every step can be repeated, and the database has all that
// a later step needs, so a process may die anywhere. What was sent is compared with what the remote has, each time: operations
// that a remote lost are sent again.
import { setTimeout as pause } from 'node:timers/promises';
import { LoreError } from '../../core/error.ts';
import { withFileLock } from '../../core/file-lock.ts';
import { sql } from '../../store/sql.ts';
import type { OpenGraph } from '../open.ts';
import { deviceOf, filterBatch, maxBatchBytes, readBatch, writeBatches } from './batch.ts';
import { type BlockedMemory, captureChanges, listChanged, type Sharing } from './capture-log.ts';
import { type Imported, importOps } from './import-ops.ts';
import { inLog } from './log.ts';
import { nameOp, type SharedOp } from './op.ts';
import type { NewFile, RemoteFile, ShareRemote } from './remote.ts';

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
  /** Why the remote was not reached; everything else was done. */
  problem?: string;
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
  remote: ShareRemote,
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
    await withFileLock(`${remote.home}.lock`, signal, () => exchange(opened, sharing, remote, synced, report));
    await noteSynced(opened, sharing, begun);
  } catch (error) {
    const isAway =
      error instanceof LoreError && ['unavailable', 'timeout', 'forbidden', 'not_found'].includes(error.word);
    if (!isAway || signal.aborted) throw error;
    synced.problem = error.message;
  }
  synced.pending = (await listUnsent(opened, sharing)).length;
  return synced;
}

async function exchange(
  opened: OpenGraph,
  sharing: Sharing,
  remote: ShareRemote,
  synced: SyncedLog,
  report: NonNullable<SyncOptions['report']>,
): Promise<void> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const tip = await remote.pull();
    const files = tip === undefined ? [] : await remote.list(tip);
    await receive(opened, sharing, remote, files, synced, report);
    if (await send(opened, sharing, remote, tip, files, synced)) return;
    // Others are faster: they are done sooner than all of us are.
    await pause(Math.random() * 25 * Math.min(attempt, 20));
  }
  throw new LoreError('unavailable', `Cannot push to "${remote.url}": others keep pushing. Run lore sync now again`);
}

async function receive(
  opened: OpenGraph,
  sharing: Sharing,
  remote: ShareRemote,
  files: readonly RemoteFile[],
  synced: SyncedLog,
  report: NonNullable<SyncOptions['report']>,
): Promise<void> {
  const { store } = opened;
  const read = await store.all<{ name: string }>(sql`select name from shared_batch where ${inLog(sharing)}`);
  const known = new Set(read.map(({ name }) => name));
  const fresh = files.filter(({ path }) => !known.has(path));
  const [large, some] = [true, false].map((is) => fresh.filter(({ size }) => size > maxBatchBytes === is));
  for (const { path } of large as RemoteFile[]) await note(path, 'it is too large');
  let done = 0;
  for (const group of groupBySize(some as RemoteFile[])) {
    const texts = await remote.read(group.map(({ blob }) => blob));
    for (const { path, blob } of group) {
      const { ops, problem = '' } = readBatch(path, sharing.level, texts.get(blob) ?? '');
      if (ops.length > 0) add(synced, ops, await importOps(opened, sharing, ops, path));
      // Last: until then the file counts as unread, and importing it again changes nothing.
      await note(path, problem);
      report(++done, fresh.length, 'batches');
    }
  }
  await forgetLost(opened, sharing, files);

  async function note(path: string, problem: string): Promise<void> {
    if (problem !== '') synced.problems.push({ path, problem });
    const { project, level } = sharing;
    await store.run(
      sql`insert into shared_batch (project, level, name, problem) values (${project}, ${level}, ${path}, ${problem})
          on conflict (project, level, name) do nothing`,
    );
  }
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

/** Files that the remote no longer has: ours are sent again, and erased operations are gone at last. */
async function forgetLost(opened: OpenGraph, sharing: Sharing, files: readonly RemoteFile[]): Promise<void> {
  const { store } = opened;
  const there = new Set(files.map(({ path }) => path));
  const rows = await store.all<{ batch: string }>(
    sql`select distinct batch from shared_op where ${inLog(sharing)} and batch <> ''`,
  );
  const read = await store.all<{ name: string }>(sql`select name from shared_batch where ${inLog(sharing)}`);
  const lost = [...new Set([...rows.map(({ batch }) => batch), ...read.map(({ name }) => name)])].filter(
    (name) => !there.has(name),
  );
  for (const name of lost) {
    await store.tx(
      async (tx) => {
        await tx.run(sql`delete from shared_op where ${inLog(sharing)} and batch = ${name} and op = ''`);
        await tx.run(sql`update shared_op set batch = '' where ${inLog(sharing)} and batch = ${name}`);
        await tx.run(sql`delete from shared_batch where ${inLog(sharing)} and name = ${name}`);
      },
      { taken: async () => false },
    );
  }
}

/** Returns false if the remote has moved on. */
async function send(
  opened: OpenGraph,
  sharing: Sharing,
  remote: ShareRemote,
  tip: string | undefined,
  files: readonly RemoteFile[],
  synced: SyncedLog,
): Promise<boolean> {
  const batches = writeBatches(sharing.level, await listUnsent(opened, sharing));
  const ended = await listEnded(opened, sharing);
  const isRewritten = ended.size > 0;
  if (batches.length === 0 && !isRewritten) return true;
  const added: NewFile[] = batches.map(({ file }) => file);
  if (isRewritten) added.push(...(await filterFiles(opened, sharing, remote, files, ended)));
  const commit = await remote.commit(isRewritten ? undefined : tip, added, opened.graph.now());
  if (!(await remote.push(commit, tip, { rewrite: isRewritten }))) return false;
  for (const { file, ops } of batches) {
    await markSent(opened, sharing, file.path, ops);
    synced.sent += ops.length;
  }
  if (isRewritten) {
    synced.rewritten = true;
    // Reads the new names, and forgets the old ones.
    const now = await remote.list(commit);
    await receive(opened, sharing, remote, now, { ...synced }, () => {});
  }
  await remote.tidy({ prune: isRewritten });
  return true;
}

/** Files of the remote that still have retracted operations. */
async function listEnded(opened: OpenGraph, sharing: Sharing): Promise<Set<string>> {
  const rows = await opened.store.all<{ batch: string }>(
    sql`select distinct batch from shared_op where ${inLog(sharing)} and op = '' and batch <> ''`,
  );
  return new Set(rows.map(({ batch }) => batch));
}

/** All files, without the operations that a retraction ended. */
async function filterFiles(
  opened: OpenGraph,
  sharing: Sharing,
  remote: ShareRemote,
  files: readonly RemoteFile[],
  ended: ReadonlySet<string>,
): Promise<NewFile[]> {
  const touched = files.filter(({ path }) => ended.has(path));
  const texts = await remote.read(touched.map(({ blob }) => blob));
  const rows = await opened.store.all<{ batch: string; at: string; dev: string; id: string }>(
    sql`select batch, at, dev, node_id as id from shared_op where ${inLog(sharing)} and op = ''`,
  );
  const gone = new Set(rows.map(({ batch, id, ...op }) => `${batch} ${id} ${nameOp(op)}`));
  return files.flatMap(({ path, blob }): NewFile[] => {
    if (deviceOf(path) === undefined) return [];
    if (!ended.has(path)) return [{ path, blob }];
    const dev = deviceOf(path) as string;
    const file = filterBatch(
      { path, text: texts.get(blob) ?? '' },
      ({ id, at }) => !gone.has(`${path} ${id} ${nameOp({ at, dev })}`),
    );
    return file ? [file] : [];
  });
}

async function markSent(opened: OpenGraph, sharing: Sharing, path: string, ops: readonly SharedOp[]): Promise<void> {
  const { project, level } = sharing;
  await opened.store.tx(
    async (tx) => {
      for (const { id, at, dev } of ops) {
        await tx.run(
          sql`update shared_op set batch = ${path} where ${inLog(sharing)} and node_id = ${id} and at = ${at} and dev = ${dev}`,
        );
      }
      await tx.run(
        sql`insert into shared_batch (project, level, name, problem) values (${project}, ${level}, ${path}, '')
            on conflict (project, level, name) do nothing`,
      );
    },
    { taken: async () => false },
  );
}

/** Operations of this device that the remote does not have, oldest first. */
export async function listUnsent({ store }: Pick<OpenGraph, 'store'>, sharing: Sharing): Promise<SharedOp[]> {
  const rows = await store.all<{ op: string }>(
    sql`select op from shared_op where ${inLog(sharing)} and batch = '' and op <> '' and dev = ${sharing.dev}
        order by at, node_id`,
  );
  return rows.map(({ op }) => JSON.parse(op) as SharedOp);
}

async function readLast({ store }: OpenGraph, sharing: Sharing): Promise<number> {
  const row = await store.one<{ synced_at: number }>(sql`select synced_at from shared_remote where ${inLog(sharing)}`);
  return Number(row?.synced_at ?? 0);
}

async function noteSynced({ store }: OpenGraph, sharing: Sharing, at: number): Promise<void> {
  await store.run(sql`update shared_remote set synced_at = ${at} where ${inLog(sharing)}`);
}
