// Brings operations of other devices into the log and the graph, in one transaction for each group of memories: the memory and the
// log never disagree, a local change that was not captured yet is captured first, and repeating an import changes nothing.
import { LoreError } from '../../core/error.ts';
import { list, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import type { Node, NodeRow } from '../node.ts';
import type { OpenGraph } from '../open.ts';
import { purge } from '../purge/purge.ts';
import { compareStates } from './capture.ts';
import { captureChanges, type Sharing, viewRows } from './capture-log.ts';
import {
  eraseEnded,
  inLog,
  insertOps,
  type JudgedOp,
  type OpSource,
  type OpSources,
  restoreErased,
  writeJudged,
  writtenHere,
} from './log.ts';
import { hashOp, type SharedOp } from './op.ts';
import { type LogView, viewLog } from './view.ts';
import { prepareWrite, type SharedWrite, writeMemories } from './write.ts';

export interface Imported {
  stored: string[];
  changed: string[];
  /** Retracted elsewhere. */
  removed: string[];
  /** Ids that belong to something else here: not touched. */
  skipped: string[];
}

/** The log to which operations are added. */
export interface ImportLog extends Sharing {
  /** The source of memories that are new here; by default their author. */
  source?: string;
  /** The id of a private memory that becomes a shared one, because its owner proposed it. */
  adopts?: string;
}

const atOnce = 200;
const mostAttempts = 10;

export function importOps(
  opened: OpenGraph,
  sharing: ImportLog,
  ops: readonly SharedOp[],
  sources: OpSources,
): Promise<Imported> {
  const isOwn = !(sources instanceof Map) && (sources as OpSource).isOwn;
  return change(opened, sharing, { ops: isOwn ? ops.map((op) => ({ ...op, here: true })) : ops, judged: [], sources });
}

/** Memories become what they are without the operations that do not count, and by whom the others are. */
export function importJudged(opened: OpenGraph, sharing: Sharing, judged: readonly JudgedOp[]): Promise<Imported> {
  return change(opened, sharing, { ops: [], judged, sources: writtenHere });
}

async function change(
  opened: OpenGraph,
  sharing: ImportLog,
  { ops, judged, sources }: Pick<OpGroup, 'ops' | 'judged' | 'sources'>,
): Promise<Imported> {
  const imported: Imported = { stored: [], changed: [], removed: [], skipped: [] };
  const each = [...new Map(ops.map((op) => [hashOp(op), op])).values()];
  const ids = [...new Set([...each, ...judged].map(({ id }) => id))];
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = new Set(ids.slice(at, at + atOnce));
    const isOf = ({ id }: { id: string }) => some.has(id);
    const group = { ids: [...some], ops: each.filter(isOf), judged: judged.filter(isOf), sources };
    await importGroup(opened, sharing, group, imported);
  }
  if (imported.removed.length > 0) {
    // Their rows are gone already; this erases what is left of them in the index and in the files.
    await purge(opened.store, { ids: [], earlier: [], projects: sharing.projects });
  }
  return imported;
}

async function importGroup(
  opened: OpenGraph,
  sharing: ImportLog,
  group: Omit<OpGroup, 'held' | 'others'>,
  imported: Imported,
): Promise<void> {
  let held: readonly string[] = [];
  let others: readonly string[] = [];
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const attempted = await tryImport(opened, sharing, { ...group, held, others }, imported);
    if (attempted === 'done') return;
    others = attempted.others;
    // A change that must not leave stays here as it is, whatever others do meanwhile.
    if (attempted.isChanged)
      held = (await captureChanges(opened, sharing, [...group.ids, ...others])).blocked.map(({ id }) => id);
  }
  throw new LoreError('conflict', 'Cannot import shared memories: other processes keep changing them. Try again');
}

interface OpGroup {
  ids: readonly string[];
  /** Other memories that may look different then: one that was superseded by a memory that is no longer shared. */
  others: readonly string[];
  ops: readonly SharedOp[];
  judged: readonly JudgedOp[];
  sources: OpSources;
  /** Memories that are not written. */
  held: readonly string[];
}

/** Nothing is done yet if a memory was changed here meanwhile, or if it affects more memories than given. */
async function tryImport(
  opened: OpenGraph,
  sharing: ImportLog,
  { ids: named, others, ops: given, judged, sources, held }: OpGroup,
  imported: Imported,
): Promise<'done' | { others: readonly string[]; isChanged: boolean }> {
  const { store } = opened;
  const ids = [...named, ...others];
  const rows = await readRows(store, ids);
  const { view: before, states } = await viewRows(store, sharing, ids, rows);
  const here = new Map(states.map((one) => [one.node.id, one]));
  const known = new Set(ids.flatMap((id) => before.opsOf(id)).map(hashOp));
  const news = given.filter((op) => !known.has(hashOp(op)));
  const view = await viewLog(store, sharing, ids, { more: given, judged });
  const isChained = judged.length > 0 || news.some(({ op }) => op === 'supersede' || op === 'restore');
  const affected = await listAffected(store, sharing, { named, before, view, isChained });
  // All in one transaction: after half of it, nothing would show that the rest is missing.
  if (new Set([...ids, ...affected]).size > ids.length) return { others: affected, isChanged: false };
  const again = { others, isChanged: true };
  if (await shareAgain(store, sharing, listKept(states, before, view))) return again;
  const reduced = new Set(judged.flatMap(({ id, signer }) => (signer === undefined ? id : [])));
  const writes: SharedWrite[] = [];
  for (const id of ids) {
    const found = here.get(id);
    const { retracted, memory } = view.foldedOf(id);
    if (found && !belongs(found.node, sharing)) {
      imported.skipped.push(id);
      continue;
    }
    const was = before.stateOf(id);
    const isShared = found?.node.level === sharing.level;
    const isCaptured = !isShared || (was !== undefined && !compareStates(was, found.state));
    if (!isCaptured && !held.includes(id) && (memory !== undefined || !retracted)) return again;
    if (held.includes(id)) continue;
    const state = view.stateOf(id);
    const ops = view.opsOf(id);
    if (state) writes.push({ id, state, found, ops });
    else if (isShared && (retracted || reduced.has(id))) writes.push({ id, found, state: undefined, ops });
  }
  const revived = named.filter((id) => view.foldedOf(id).gen < before.foldedOf(id).gen);
  const prepared = await prepareWrite(opened, sharing, view, writes);
  const work = async (tx: Transaction) => {
    await tx.lock(`share ${sharing.project} ${sharing.level}`);
    await tx.run(sql`update node set updated_at = updated_at where id in ${list(ids)}`);
    const isSame = JSON.stringify(await readRows(tx, ids)) === JSON.stringify(rows);
    if (!isSame || (await countOps(tx, sharing, ids)) !== known.size) return false;
    await insertOps(tx, sharing, given, sources);
    await writeJudged(tx, sharing, judged);
    await restoreErased(tx, sharing, revived);
    await eraseEnded(
      tx,
      sharing,
      ids.filter((id) => view.foldedOf(id).retracted),
    );
    await writeMemories(tx, sharing, prepared);
    return true;
  };
  if (!(await store.tx(work, { taken: async () => false }))) return again;
  imported.stored.push(...prepared.stored.map(({ id }) => id));
  imported.changed.push(...prepared.changed.map(({ node }) => node.id));
  imported.removed.push(...prepared.removed);
  return 'done';
}

async function listAffected(
  store: Pick<Transaction, 'all'>,
  sharing: Sharing,
  { named, before, view, isChained }: { named: readonly string[]; before: LogView; view: LogView; isChained: boolean },
): Promise<string[]> {
  const turned = named.filter((id) => before.isLive(id) !== view.isLive(id));
  const referring = await listReferring(store, sharing, turned);
  // Of a circle, one supersession does not count; with or without the circle it is another one.
  const starts = isChained ? named : turned;
  const chained = [...before.chains(starts), ...view.chains(starts)];
  const known = new Set(named);
  return [...new Set([...referring, ...chained])].filter((id) => !known.has(id));
}

/**
 * Memories that were shared here and are private only because their first version did not count for a while. Those that their
 * owner took back have no operations here that still hold.
 */
function listKept(states: readonly { node: Node }[], before: LogView, view: LogView): string[] {
  const isKept = ({ id, level }: Node) =>
    level === 'private' &&
    view.stateOf(id) !== undefined &&
    before.opsOf(id).some(({ here, op, gen }) => here && op !== 'retract' && gen >= before.foldedOf(id).gen);
  return states.flatMap(({ node }) => (isKept(node) ? node.id : []));
}

/** They have their level back, and what was changed meanwhile is captured before anything else. */
async function shareAgain(store: OpenGraph['store'], { level }: ImportLog, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return false;
  await store.run(sql`update node set level = ${level} where level = 'private' and id in ${list(ids)}`);
  return true;
}

/** An id of another project, or of something private, is not touched: its author could not have known it. */
function belongs({ id, project, kind, level }: Node, sharing: ImportLog): boolean {
  const isWider = (level === 'mine' && sharing.level === 'team') || id === sharing.adopts;
  return kind === 'memory' && sharing.projects.includes(project) && (level === sharing.level || isWider);
}

async function listReferring(store: Pick<Transaction, 'all'>, sharing: Sharing, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await store.all<{ id: string }>(
    // Neither without the last condition nor with "distinct" does SQLite use the index of targets.
    sql`select node_id as id from shared_op where ${inLog(sharing)} and target in ${list(ids)} and target <> ''`,
  );
  return rows.map(({ id }) => id);
}

/** Without the time of the last use, which readers change. */
async function readRows(store: Pick<Transaction, 'all'>, ids: readonly string[]): Promise<NodeRow[]> {
  const rows = await store.all<NodeRow>(sql`select * from node where id in ${list(ids)} order by id`);
  return rows.map((row) => ({ ...row, accessed_at: 0 }));
}

async function countOps(tx: Transaction, sharing: Sharing, ids: readonly string[]): Promise<number> {
  const row = await tx.one<{ n: number }>(
    sql`select count(*) as n from shared_op where ${inLog(sharing)} and op <> '' and node_id in ${list(ids)}`,
  );
  return Number(row?.n);
}
