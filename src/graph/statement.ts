// The graph's writes as statements: nodes, edges, and the history of changes.
import { LoreError } from '../core/error.ts';
import { redact, redactDeep } from '../core/secret/redact.ts';
import { insertAll } from '../store/insert.ts';
import { nothing, type Sql, sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import { createChangeId } from './change-id.ts';
import { type Edge, type Node, type NodePosition, type NodeRow, readNode } from './node.ts';

/** In the order of the rows below, and of derived ones. */
export const nodeColumns = sql`id, project, kind, title, text, data, importance, confidence, source, created_at, updated_at,
  accessed_at, valid_from, valid_to, superseded_by, forgotten_at, hash`;
export const edgeColumns = sql`from_id, kind, to_id, project, weight, data, created_at`;

export type Action = 'put' | 'update' | 'edit' | 'expire' | 'supersede' | 'forget' | 'restore';

export interface NewChange {
  id: string;
  node: Node;
  actor: string;
  action: Action;
  at: number;
}

export async function insertChanges(tx: Transaction, changes: readonly NewChange[]): Promise<void> {
  tx.announce();
  await insertAll(
    tx,
    changes,
    ({ id, node, actor, action, at }) => {
      const { validTo, supersededBy, forgottenAt, text } = node;
      const state = { validTo, supersededBy, forgottenAt, ...(action === 'edit' && { text }) };
      const before = action === 'put' ? null : JSON.stringify(state);
      return [id, node.id, node.project, at, redact(actor).text, action, before];
    },
    (rows) => sql`insert into change (id, node_id, project, at, actor, action, before) values ${rows}`,
  );
}

/** Changes a node, records its previous state, and returns that. */
export async function changeNode(
  tx: Transaction,
  id: string,
  set: Sql,
  change: Omit<NewChange, 'node'>,
): Promise<Node> {
  const node = await lockNode(tx, id, change.action);
  await tx.run(sql`update node set ${set}, updated_at = ${change.at} where id = ${id}`);
  await insertChanges(tx, [{ ...change, node }]);
  return node;
}

/** Reads a node and locks it until the end of the transaction. */
export async function lockNode(tx: Transaction, id: string, action: string): Promise<Node> {
  // A write before the read makes other writers wait on both databases.
  await tx.run(sql`update node set updated_at = updated_at where id = ${id}`);
  const row = await tx.one<NodeRow>(sql`select * from node where id = ${id}`);
  if (row) return readNode(row);
  throw new LoreError('not_found', `Cannot ${action} "${id}": it does not exist`);
}

export interface Supersession {
  old: string;
  by: string;
  /** The time from which the new node is valid. */
  since: number;
}

/** Marks nodes as superseded, with an edge from the replacement. */
export async function supersedeAll(
  tx: Transaction,
  all: readonly Supersession[],
  { project, actor, at }: { project: string; actor: string; at: number },
): Promise<void> {
  for (const { old, by, since } of all) {
    await changeNode(tx, old, supersedeSql(by, since), { id: createChangeId(at), actor, action: 'supersede', at });
    await insertEdges(tx, [{ from: by, kind: 'supersedes', to: old, project, weight: 1, data: {}, createdAt: at }]);
  }
}

/** Refuses to store a node twice; a concurrent transaction that stores the same node waits. */
export async function refuseRepeated(tx: Transaction, { project, hash }: Node, at: number): Promise<void> {
  await tx.lock(`${project} ${hash}`);
  const same = await tx.one<{ id: string }>(
    sql`select id from node where project = ${project} and hash = ${hash} ${isCurrentSql(at)} limit 1`,
  );
  if (same) throw new LoreError('conflict', `Cannot store it: "${same.id}" has the same text`);
}

/** Refuses to supersede a node that another one has superseded meanwhile. */
export async function refuseSuperseded(tx: Transaction, all: readonly Supersession[]): Promise<void> {
  for (const { old } of all) {
    await tx.lock(old);
    const row = await tx.one<{ superseded_by: string | null }>(sql`select superseded_by from node where id = ${old}`);
    if (row?.superseded_by) throw new LoreError('conflict', `Cannot supersede "${old}": "${row.superseded_by}" did`);
  }
}

/** Ids of changes are generated before the attempt, so an existing one proves that it was committed. */
export async function isRecorded(tx: Transaction, changeId: string | undefined): Promise<boolean> {
  return changeId !== undefined && (await tx.one(sql`select id from change where id = ${changeId}`)) !== undefined;
}

/** Returns the number of new ones. */
export function insertNodes(tx: Transaction, nodes: readonly Node[]): Promise<number> {
  return insertAll(
    tx,
    nodes,
    (node) => [
      node.id,
      node.project,
      node.kind,
      node.title,
      node.text,
      JSON.stringify(node.data),
      node.importance,
      node.confidence,
      node.source,
      node.createdAt,
      node.updatedAt,
      node.accessedAt,
      node.validFrom,
      node.validTo ?? null,
      node.supersededBy ?? null,
      node.forgottenAt ?? null,
      node.hash,
    ],
    (rows) => sql`insert into node (${nodeColumns}) values ${rows} on conflict (id) do nothing`,
  );
}

/** Each edge once. The kind may come from a caller, so it may contain a secret. */
export async function insertEdges(tx: Transaction, edges: readonly Edge[]): Promise<void> {
  await insertAll(
    tx,
    edges,
    ({ from, kind, to, project, weight, data, createdAt }) => [
      from,
      redact(kind).text,
      to,
      project,
      weight,
      JSON.stringify(redactDeep(data)),
      createdAt,
    ],
    (rows) => sql`insert into edge (${edgeColumns}) values ${rows}
      on conflict (from_id, kind, to_id) do update set weight = excluded.weight, data = excluded.data`,
  );
}

/**
 * The old node is valid until the given time, or until its earlier expiry. If it was stored only later, it is valid for
 * all the time before.
 */
function supersedeSql(newId: string, at: number): Sql {
  return sql`superseded_by = ${newId}, valid_to = case when valid_to < ${at} then valid_to else ${at} end,
    valid_from = case when valid_from < ${at} then valid_from else 0 end`;
}

/** `isCurrent` as an SQL condition. */
export function isCurrentSql(now: number): Sql {
  return sql`and forgotten_at is null and superseded_by is null and (valid_to is null or valid_to > ${now})`;
}

/** `wasValid` as an SQL condition. */
export function wasValidSql(at: number): Sql {
  return sql`and forgotten_at is null and valid_from <= ${at} and (valid_to is null or valid_to > ${at})`;
}

/** One query per project: its index gives the order, however many nodes there are. */
export async function readEach<T>(
  projects: readonly string[],
  read: (project: string) => Promise<readonly T[]>,
): Promise<T[]> {
  return (await Promise.all(projects.map(read))).flat();
}

/** Newest first. */
export function byTime(a: Pick<NodeRow, 'created_at' | 'id'>, b: Pick<NodeRow, 'created_at' | 'id'>): number {
  return b.created_at - a.created_at || (a.id < b.id ? 1 : -1);
}

/** The entries after the end of a page, newest first. */
export function isEarlierSql(before: NodePosition | undefined): Sql {
  if (!before) return nothing;
  return sql`and (created_at < ${before.createdAt} or (created_at = ${before.createdAt} and id < ${before.id}))`;
}
