// Captures local changes of a project's shared memories into the log, and explains which memories are held back. The log is written
// under the lock of the memory, so that a change is in the memory and not yet in the log, or in both.
import { list, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import { type Node, type NodeRow, readNode } from '../node.ts';
import type { OpenGraph } from '../open.ts';
import { compareStates, writeChanges } from './capture.ts';
import { msOf } from './clock.ts';
import { describeShared, findRefusal, readLinks, type SharedState } from './export.ts';
import { inLog, insertOps, type ShareLog, writtenHere } from './log.ts';
import type { SharedOp } from './op.ts';
import { type LogView, viewLog } from './view.ts';

export interface Sharing extends ShareLog {
  /** The projects whose memories belong to it. */
  projects: readonly string[];
  /** The folder of the clone; its path must not leave. */
  root: string;
  dev: string;
  by: string;
}

export interface Captured {
  ops: SharedOp[];
  blocked: BlockedMemory[];
}

export interface BlockedMemory {
  id: string;
  reason: string;
}

const atOnce = 200;

/** Memories dated by a clock that was set back are looked at again. */
const marginMs = 600_000;

/** Shared memories that were changed at or after a time. */
export async function listChanged(
  store: Pick<Transaction, 'all'>,
  { project, projects, level }: Sharing,
  since: number,
): Promise<string[]> {
  const rows = await store.all<{ id: string; updated_at: number; last: string | null }>(
    // The last condition is that of the index.
    sql`select id, updated_at, (select max(at) from shared_op where ${inLog({ project, level })} and node_id = id) as last
        from node where project in ${list(projects)} and level = ${level} and updated_at >= ${since - marginMs}
          and level <> 'private' order by id`,
  );
  // A memory that has the time of its last operation was captured with it.
  const isNew = (time: number, last: string | null) => time >= since || last === null || time !== msOf(last);
  return rows.filter((row) => isNew(Number(row.updated_at), row.last)).map(({ id }) => id);
}

/** With `dryRun`, returns what would be recorded if the memories had this level. */
export async function captureChanges(
  { store }: Pick<OpenGraph, 'store'>,
  sharing: Sharing,
  ids: readonly string[],
  { dryRun = false } = {},
): Promise<Captured> {
  const captured: Captured = { ops: [], blocked: [] };
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce);
    const work = (tx: Transaction) => captureIn(tx, sharing, some, { dryRun });
    // Repeating it finds nothing more to record.
    const { ops, blocked } = await store.tx(work, { taken: async () => false });
    captured.ops.push(...ops);
    captured.blocked.push(...blocked);
  }
  return captured;
}

/** In a transaction of the caller. */
export async function captureIn(
  tx: Transaction,
  sharing: Sharing,
  ids: readonly string[],
  { dryRun = false } = {},
): Promise<Captured> {
  const { ops, blocked } = await capture(tx, sharing, ids, dryRun);
  const news = ops.filter(({ op }) => op === 'put').map(({ id }) => id);
  if (news.length === 0 || dryRun) return { ops, blocked };
  // Links to them, and what they supersede, can be told only now.
  const again = await capture(tx, sharing, await listReferring(tx, sharing, news), false);
  return { ops: [...ops, ...again.ops], blocked };
}

/** Shared memories that refer to these. */
export async function listReferring(
  store: Pick<Transaction, 'all'>,
  { level }: Sharing,
  ids: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = list(ids.slice(at, at + atOnce));
    const rows = await store.all<{ id: string }>(
      sql`select id from node where level = ${level} and id in (select from_id from edge where to_id in ${some}
            union select to_id from edge where from_id in ${some} and kind = 'supersedes')`,
    );
    found.push(...rows.map(({ id }) => id));
  }
  return found;
}

async function capture(tx: Transaction, sharing: Sharing, ids: readonly string[], dryRun: boolean): Promise<Captured> {
  // Written before they are read: concurrent writers wait.
  if (!dryRun) await tx.run(sql`update node set updated_at = updated_at where id in ${list(ids)}`);
  const isChosen = dryRun ? sql`1 = 1` : sql`level = ${sharing.level}`;
  const rows = await tx.all<NodeRow>(sql`select * from node where id in ${list(ids)} and ${isChosen}`);
  const { view, states } = await viewRows(tx, sharing, ids, rows);
  const captured: Captured = { ops: [], blocked: [] };
  for (const { node, state } of states) {
    const { id } = node;
    const before = { folded: view.foldedOf(id), state: view.stateOf(id), seen: view.opsOf(id).map(({ at }) => at) };
    if (before.state && !compareStates(before.state, state)) continue;
    const reason = findRefusal(node, sharing.level, sharing);
    if (reason === undefined) {
      const { dev, by } = sharing;
      const ops = writeChanges(id, before, state, { dev, by, wall: node.updatedAt });
      captured.ops.push(...ops);
      if (ops.some(({ set }) => set?.text !== undefined) && !dryRun) await settleRivals(tx, node);
    } else captured.blocked.push({ id, reason });
  }
  if (!dryRun) await insertOps(tx, sharing, captured.ops, writtenHere);
  return captured;
}

/** Whoever edits it has decided between the texts. */
async function settleRivals(tx: Transaction, { id, data: { rivals, ...data } }: Node): Promise<void> {
  if (rivals !== undefined) await tx.run(sql`update node set data = ${JSON.stringify(data)} where id = ${id}`);
}

/** Memories as they are here, and as the log has them. */
export async function viewRows(
  store: Pick<Transaction, 'all' | 'one'>,
  log: ShareLog,
  ids: readonly string[],
  rows: readonly NodeRow[],
): Promise<{ view: LogView; states: { node: Node; state: SharedState }[] }> {
  const nodes = rows.map(readNode);
  const links = await readLinks(
    store,
    nodes.map(({ id }) => id),
  );
  // Of everything that they refer to here, the log knows whether it is shared.
  const referred = [...links.values()].flat().map(({ to }) => to);
  const view = await viewLog(store, log, [...ids, ...referred, ...nodes.flatMap((node) => node.supersededBy ?? [])]);
  const states = nodes.map((node) => {
    const state = describeShared(node, links.get(node.id) ?? [], view.isLive);
    const known = view.stateOf(node.id);
    if (!known) return { node, state };
    // A clock that is behind dates it differently here, but its author's date is what others have.
    const { created = node.createdAt, expires = null } = known.fields;
    // A private memory supersedes it here, and set an end that others do not know.
    const isHidden = node.supersededBy !== undefined && state.successor === undefined;
    return { node, state: { ...state, fields: { ...state.fields, created, ...(isHidden && { expires }) } } };
  });
  return { view, states };
}
