// What the graph writes, as statements: nodes, edges, and the record of every change.
import { LoreError } from '../core/error.ts';
import { redact, redactDeep } from '../core/redact.ts';
import { type Sql, sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import type { Edge, Node } from './node.ts';

export type Action = 'put' | 'update' | 'expire' | 'supersede' | 'forget' | 'restore';

export async function recordChange(
  tx: Transaction,
  changeId: string,
  { id, project, validTo, supersededBy, forgottenAt }: Node,
  { actor, action, at }: { actor: string; action: Action; at: number },
): Promise<void> {
  const before = action === 'put' ? null : JSON.stringify({ validTo, supersededBy, forgottenAt });
  await tx.run(
    sql`insert into change (id, node_id, project, at, actor, action, before)
        values (${changeId}, ${id}, ${project}, ${at}, ${redact(actor).text}, ${action}, ${before})`,
  );
}

/** Ids of changes are made before they are tried: one that is there was made by us. */
export async function isRecorded(tx: Transaction, changeId: string | undefined): Promise<boolean> {
  return changeId !== undefined && (await tx.one(sql`select id from change where id = ${changeId}`)) !== undefined;
}

export async function insertNode(tx: Transaction, node: Node): Promise<void> {
  const changed = await tx.run(insertSql(node));
  if (changed === 0) throw new LoreError('conflict', `Cannot put "${node.id}": it is there already`);
}

export function insertSql(node: Node): Sql {
  return sql`insert into node (id, project, kind, title, text, data, importance, confidence, source, created_at,
      updated_at, accessed_at, valid_from, valid_to, superseded_by, forgotten_at, hash)
    values (${node.id}, ${node.project}, ${node.kind}, ${node.title}, ${node.text}, ${JSON.stringify(node.data)},
      ${node.importance}, ${node.confidence}, ${node.source}, ${node.createdAt}, ${node.updatedAt},
      ${node.accessedAt}, ${node.validFrom}, ${node.validTo ?? null}, ${node.supersededBy ?? null},
      ${node.forgottenAt ?? null}, ${node.hash})
    on conflict (id) do nothing`;
}

/** What kind of edge it is may be a caller's own word, and so may hold a secret. */
export function insertEdge({ from, kind, to, project, weight, data, createdAt }: Edge): Sql {
  return sql`insert into edge (from_id, kind, to_id, project, weight, data, created_at)
    values (${from}, ${redact(kind).text}, ${to}, ${project}, ${weight}, ${JSON.stringify(redactDeep(data))}, ${createdAt})
    on conflict (from_id, kind, to_id) do update set weight = excluded.weight, data = excluded.data`;
}

/**
 * The old node counts until the given time. It must have counted until then: if it was written down only later, it counts
 * for all the time before.
 */
export function supersedeSql(newId: string, at: number): Sql {
  return sql`superseded_by = ${newId}, valid_to = ${at},
    valid_from = case when valid_from < ${at} then valid_from else 0 end`;
}

/** The same as `isCurrent`, asked of the database. */
export function isCurrentSql(at: number): Sql {
  return sql`and forgotten_at is null and valid_from <= ${at} and (valid_to is null or valid_to > ${at})`;
}
