// The edge from a memory to its key. One memory has a key at a time, whatever other processes store meanwhile.
import { sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import type { NewEdge } from './graph.ts';
import { isCurrentSql, supersedeAll } from './statement.ts';

export const keyEdge = 'named';

/** Before anything else is locked. */
export async function lockKeys(tx: Transaction, edges: readonly NewEdge[]): Promise<void> {
  for (const { kind, to } of edges) if (kind === keyEdge) await tx.lock(to);
}

/** Supersedes other memories that have the keys by now. */
export async function takeKeys(
  tx: Transaction,
  edges: readonly NewEdge[],
  change: { project: string; actor: string; at: number },
): Promise<void> {
  for (const { from, kind, to } of edges) {
    if (kind !== keyEdge) continue;
    const others = await tx.all<{ id: string }>(
      sql`select node.id from edge join node on node.id = edge.from_id
          where edge.to_id = ${to} and edge.kind = ${keyEdge} and node.id <> ${from} ${isCurrentSql(change.at)}`,
    );
    const superseded = others.map(({ id }) => ({ old: id, by: from, since: change.at }));
    await supersedeAll(tx, superseded, change);
  }
}
