// One sync of a project's log with a remote: capture, fetch, import, send. Every step can be repeated, and the database has all that
// a later step needs, so a process may die anywhere. What was sent is compared with what the remote has, each time: operations
// that a remote lost are sent again.
import { setTimeout as pause } from 'node:timers/promises';
import { LoreError } from '../../core/error.ts';
import { withFileLock } from '../../core/file-lock.ts';
import { insertAll } from '../../store/insert.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import type { OpenGraph } from '../open.ts';
import { type Batch, type BatchFile, deviceOf, groupOps, maxBatchBytes, nameBatch, renameBatch } from './batch.ts';
import { type BlockedMemory, captureChanges, listChanged, type Sharing } from './capture-log.ts';
import type { BatchGuard, OpenedBatch } from './guard/guard.ts';
import { dropOps, type Imported, importOps } from './import-ops.ts';
import { inLog } from './log.ts';
import { hashOp, nameOp, type SharedOp } from './op.ts';
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
/** Together: most files are small, and one at a time would cost each several transactions. */
const readBytes = 1 << 20;

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
    const place = { remote, guard: await openGuard() };
    synced.problems.push(...place.guard.problems);
    await remote.open();
    const tip = await withFileLock(`${remote.home}.lock`, signal, () =>
      exchange(opened, sharing, place, last.tip, synced, report),
    );
    await noteSynced(opened, sharing, begun, tip);
  } catch (error) {
    const isAway =
      error instanceof LoreError && ['unavailable', 'timeout', 'forbidden', 'not_found'].includes(error.word);
    if (!isAway || signal.aborted) throw error;
    synced.problem = error.message;
  }
  synced.pending = (await listUnsent(opened, sharing)).length;
  return synced;
}

/** Returns the commit of the remote whose files are now known here; empty if it has none. */
async function exchange(
  opened: OpenGraph,
  sharing: Sharing,
  place: GuardedRemote,
  known: string,
  synced: SyncedLog,
  report: NonNullable<SyncOptions['report']>,
): Promise<string> {
  const { remote, guard } = place;
  const judged = await startJudging(opened, sharing, guard);
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const tip = await remote.pull();
    // The same commit has the same files: nothing is new, and nothing was lost.
    if (tip === undefined || tip !== known || judged) {
      await receive(opened, sharing, place, tip, synced, { report, judged });
      await dropStrangers(opened, sharing, judged, synced);
    }
    const sent = await send(opened, sharing, place, tip, synced);
    if (sent !== undefined) {
      await noteGuard(opened, sharing, guard);
      // Some files may be readable the next time.
      return guard.refusal() === undefined ? sent : '';
    }
    // Others are faster: they are done sooner than all of us are.
    await pause(Math.random() * 25 * Math.min(attempt, 20));
  }
  throw new LoreError('unavailable', `Cannot push to "${remote.url}": others keep pushing. Run lore sync now again`);
}

/** Operations by `hashOp`, while all files are read by new rules. */
interface JudgedOps {
  counted: Set<string>;
  strangers: Map<string, SharedOp>;
}

/** With other rules every file is read again: some count that did not, or no longer. */
async function startJudging(
  { store }: OpenGraph,
  sharing: Sharing,
  { id }: BatchGuard,
): Promise<JudgedOps | undefined> {
  const row = await store.one<{ guard: string }>(sql`select guard from shared_remote where ${inLog(sharing)}`);
  if (row?.guard === id) return undefined;
  await store.run(sql`delete from shared_batch where ${inLog(sharing)}`);
  return { counted: new Set(), strangers: new Map() };
}

function judge({ counted, strangers }: JudgedOps, batch: OpenedBatch): void {
  for (const op of batch.ops) counted.add(hashOp(op));
  for (const op of batch.strangers) strangers.set(hashOp(op), op);
}

/** Not what another file proves: anybody could have copied it into one that proves nothing. */
async function dropStrangers(opened: OpenGraph, sharing: Sharing, judged: JudgedOps | undefined, synced: SyncedLog) {
  if (!judged) return;
  const dropped = [...judged.strangers].flatMap(([hash, op]) => (judged.counted.has(hash) ? [] : [op]));
  if (dropped.length > 0) add(synced, 0, await dropOps(opened, sharing, dropped));
}

async function noteGuard({ store }: OpenGraph, sharing: Sharing, { id }: BatchGuard): Promise<void> {
  await store.run(sql`update shared_remote set guard = ${id} where ${inLog(sharing)}`);
}

async function receive(
  opened: OpenGraph,
  sharing: Sharing,
  { remote, guard }: GuardedRemote,
  tip: string | undefined,
  synced: SyncedLog,
  { report, judged }: { report: NonNullable<SyncOptions['report']>; judged?: JudgedOps | undefined },
): Promise<void> {
  const { store } = opened;
  const files = await remote.list(tip);
  const read = await store.all<{ name: string }>(sql`select name from shared_batch where ${inLog(sharing)}`);
  const known = new Set(read.map(({ name }) => name));
  const fresh = files.filter(({ path }) => !known.has(path));
  const [large, some] = [true, false].map((is) => fresh.filter(({ size }) => size > maxBatchBytes === is));
  await note((large as RemoteFile[]).map(({ path }) => ({ path, mark: '', problem: 'it is too large' })));
  let done = 0;
  for (const group of groupBySize(some as RemoteFile[])) {
    const texts = await remote.read(group.map(({ blob }) => blob));
    const read = group.map(({ path, blob }) => ({ path, ...guard.open(path, texts.get(blob) ?? '') }));
    const names = new Map(read.flatMap(({ path, ops }) => ops.map((op) => [op, path])));
    if (names.size > 0) add(synced, names.size, await importOps(opened, sharing, [...names.keys()], names));
    if (judged) for (const one of read) judge(judged, one);
    // Last: until then the files count as unread, and importing them again changes nothing.
    await note(read);
    done += group.length;
    report(done, fresh.length, 'batches');
  }
  await forgetLost(opened, sharing, files);

  async function note(read: readonly NotedBatch[]): Promise<void> {
    for (const { path, problem } of read) if (problem !== undefined) synced.problems.push({ path, problem });
    const known = read.filter(({ isLocked }) => !isLocked);
    if (known.length > 0) await store.tx((tx) => noteBatches(tx, sharing, known), { taken: async () => false });
  }
}

function add(synced: SyncedLog, received: number, { stored, changed, removed }: Imported): void {
  synced.received += received;
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
  const known = await store.all<{ name: string }>(
    sql`select name from shared_batch where ${inLog(sharing)}
        union select batch from shared_op where ${inLog(sharing)} and batch <> ''`,
  );
  for (const { name } of known) {
    if (there.has(name)) continue;
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

/** Returns the commit that the remote has now, empty for none; undefined if it has moved on. */
async function send(
  opened: OpenGraph,
  sharing: Sharing,
  { remote, guard }: GuardedRemote,
  tip: string | undefined,
  synced: SyncedLog,
): Promise<string | undefined> {
  const selected = selectOutdated(sharing, guard.mark());
  const outdated = (await opened.store.all<{ name: string }>(selected)).map(({ name }) => name);
  const unsent = await listUnsent(opened, sharing, outdated.length > 0 ? selected : undefined);
  const batches = groupOps(sharing.level, unsent);
  const ended = await listEnded(opened, sharing);
  const isRewritten = ended.size > 0;
  if (batches.length === 0 && !isRewritten) return tip ?? '';
  const refusal = guard.refusal();
  if (refusal !== undefined) {
    synced.problem = `Cannot send to "${remote.url}": ${refusal}`;
    return tip ?? '';
  }
  const sealed = await sealBatches(guard, batches);
  const added: NewFile[] = sealed.map(({ file }) => file);
  if (isRewritten) {
    const others = (await remote.list(tip)).filter(({ path }) => !outdated.includes(path));
    added.push(...(await filterFiles(opened, sharing, { remote, guard }, others, ended)));
  }
  const parent = isRewritten ? undefined : tip;
  const commit = await remote.commit(parent, added, opened.graph.now(), { without: outdated });
  if (!(await remote.push(commit, tip, { rewrite: isRewritten }))) return undefined;
  for (const { file, ops } of sealed) {
    await markSent(opened, sharing, file.path, guard.mark(), ops);
    synced.sent += ops.length;
  }
  if (outdated.length > 0) {
    await opened.store.run(sql`delete from shared_batch where ${inLog(sharing)} and name in (${selected})`);
  }
  if (isRewritten) {
    synced.rewritten = true;
    // Reads the new names, and forgets the old ones.
    await receive(opened, sharing, { remote, guard }, commit, { ...synced }, { report: () => {} });
  }
  await remote.tidy({ prune: isRewritten });
  return commit;
}

async function sealBatches(guard: BatchGuard, batches: readonly Batch[]) {
  const sealed: { file: BatchFile; ops: readonly SharedOp[] }[] = [];
  for (const batch of batches) sealed.push({ file: nameBatch(batch.ops[0], await guard.seal(batch)), ops: batch.ops });
  return sealed;
}

/** Files of this device that are not protected as they would be now. Nobody else writes or replaces them. */
function selectOutdated(sharing: Sharing, mark: string): Sql {
  const isOwn = sql`name like ${`log/${sharing.dev}/%`}`;
  return sql`select name from shared_batch where ${inLog(sharing)} and ${isOwn} and mark <> ${mark} and ${mark} <> ''`;
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
  { remote, guard }: GuardedRemote,
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
    const isKept = ({ id, at }: { id: string; at: string }) => !gone.has(`${path} ${id} ${nameOp({ at, dev })}`);
    const text = guard.filter(path, texts.get(blob) ?? '', isKept);
    const file = text === undefined ? undefined : renameBatch(path, text);
    return file ? [file] : [];
  });
}

/** Those that were retracted meanwhile are in the remote now: their rows are there again, without content, so that they are removed. */
async function markSent(
  opened: OpenGraph,
  sharing: Sharing,
  path: string,
  mark: string,
  ops: readonly SharedOp[],
): Promise<void> {
  const { project, level } = sharing;
  await opened.store.tx(
    async (tx) => {
      await insertAll(
        tx,
        ops,
        (op) => [project, level, op.id, op.at, op.dev, hashOp(op), '', '', path],
        (rows) => sql`insert into shared_op (project, level, node_id, at, dev, hash, target, op, batch) values ${rows}
          on conflict (project, level, node_id, at, dev, hash) do update set batch = excluded.batch`,
      );
      await noteBatches(tx, sharing, [{ path, mark }]);
    },
    { taken: async () => false },
  );
}

type NotedBatch = Pick<OpenedBatch, 'mark' | 'problem' | 'isLocked'> & { path: string };

/** Records that files need not be read again. */
async function noteBatches(
  tx: Pick<Transaction, 'run'>,
  { project, level }: Sharing,
  files: readonly NotedBatch[],
): Promise<void> {
  await insertAll(
    tx,
    files,
    ({ path, mark, problem = '' }) => [project, level, path, mark, problem],
    (rows) => sql`insert into shared_batch (project, level, name, mark, problem) values ${rows}
      on conflict (project, level, name) do nothing`,
  );
}

/** Operations of this device that the remote does not have, or only in files that are replaced, oldest first. */
export async function listUnsent(
  { store }: Pick<OpenGraph, 'store'>,
  sharing: Sharing,
  replaced?: Sql,
): Promise<SharedOp[]> {
  const isUnsent = replaced ? sql`(batch = '' or batch in (${replaced}))` : sql`batch = ''`;
  const rows = await store.all<{ op: string }>(
    sql`select op from shared_op where ${inLog(sharing)} and ${isUnsent} and op <> '' and dev = ${sharing.dev}
        order by at, node_id`,
  );
  return rows.map(({ op }) => JSON.parse(op) as SharedOp);
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
