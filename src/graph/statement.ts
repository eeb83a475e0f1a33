// What the graph writes, as statements: nodes, edges, and the record of every change.
import { redact, redactDeep } from '../core/redact.ts';
import { insertAll } from '../store/insert.ts';
import { nothing, type Sql, sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import type { Edge, Node, NodeRow, Place } from './node.ts';

/** In the order of the rows below, and of those that are derived. */
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

/** Ids of changes are made before they are tried: one that is there was made by us. */
export async function isRecorded(tx: Transaction, changeId: string | undefined): Promise<boolean> {
  return changeId !== undefined && (await tx.one(sql`select id from change where id = ${changeId}`)) !== undefined;
}

/** Says how many there were not yet. */
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

/** Each edge once. What kind of edge it is may be a caller's own word, and so may hold a secret. */
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
 * The old node counts until the given time. It must have counted until then: if it was written down only later, it counts
 * for all the time before.
 */
export function supersedeSql(newId: string, at: number): Sql {
  return sql`superseded_by = ${newId}, valid_to = ${at},
    valid_from = case when valid_from < ${at} then valid_from else 0 end`;
}

export function createSupersedes(from: string, to: string, project: string, at: number): Edge {
  return { from, kind: 'supersedes', to, project, weight: 1, data: {}, createdAt: at };
}

/** The same as `isCurrent`, asked of the database. */
export function isCurrentSql(at: number): Sql {
  return sql`and forgotten_at is null and valid_from <= ${at} and (valid_to is null or valid_to > ${at})`;
}

/** Each project by itself: its index then gives the order, however many nodes it has. */
export async function readEach<T>(
  projects: readonly string[],
  read: (project: string) => Promise<readonly T[]>,
): Promise<T[]> {
  return (await Promise.all(projects.map(read))).flat();
}

/** The newest first. */
export function byTime(a: Pick<NodeRow, 'created_at' | 'id'>, b: Pick<NodeRow, 'created_at' | 'id'>): number {
  return b.created_at - a.created_at || (a.id < b.id ? 1 : -1);
}

/** What comes after the end of a page, the newest first. */
export function isEarlierSql(before: Place | undefined): Sql {
  if (!before) return nothing;
  return sql`and (created_at < ${before.createdAt} or (created_at = ${before.createdAt} and id < ${before.id}))`;
}
