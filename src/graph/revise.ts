// Corrects the text of a node: it keeps its id, and the history keeps the old text. Updates mentions and index in the same
// transaction. If a fact itself has changed, a new node supersedes the old one instead.
import { LoreError } from '../core/error.ts';
import { redactDeep, redactSoon } from '../core/secret/redact.ts';
import { putFresh } from '../search/put.ts';
import { list, sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import { createChangeId } from './change-id.ts';
import { hashOf } from './create-node.ts';
import { findMentioned } from './entity/mention.ts';
import { type Node, type NodeRow, readNode } from './node.ts';
import type { OpenGraph } from './open.ts';
import { insertChanges, insertEdges, insertNodes, isRecorded } from './statement.ts';

interface Revision {
  text: string;
  /** The hash of the text that was read; if it has changed since, there is a conflict. */
  expected: string;
  /** May be called more than once. */
  change?: (data: Node['data']) => Node['data'];
}

/** The changed node. */
export async function reviseNode(
  { store, graph }: Pick<OpenGraph, 'store' | 'graph'>,
  node: Node,
  { text: given, expected, change = (data) => data }: Revision,
  actor: string,
): Promise<Node> {
  const { id, kind, title } = node;
  const { text } = await redactSoon(given);
  const at = graph.now();
  const revised: Node = { ...node, text, hash: hashOf(kind, title, text), updatedAt: at };
  const documents = await graph.describe([revised]);
  const { entities, edges } = findMentioned([revised], at);
  const record = { id: createChangeId(at), actor, action: 'edit' as const, at };
  const write = async (tx: Transaction) => {
    // Written before it is read, so that concurrent writers wait.
    await tx.run(sql`update node set updated_at = ${at} where id = ${id}`);
    const row = await tx.one<NodeRow>(sql`select * from node where id = ${id}`);
    if (!row) throw new LoreError('not_found', `Cannot edit "${id}": it does not exist`);
    if (row.hash !== expected) throw new LoreError('conflict', `Cannot edit "${id}": it was changed meanwhile`);
    const before = readNode(row);
    const data = JSON.stringify(redactDeep(change(before.data)));
    await tx.run(sql`update node set text = ${text}, hash = ${revised.hash}, data = ${data} where id = ${id}`);
    await insertChanges(tx, [{ ...record, node: before }]);
    const dropped = findMentioned([before], at).edges.filter(({ to }) => !edges.some((edge) => edge.to === to));
    if (dropped.length > 0) {
      const targets = list(dropped.map(({ to }) => to));
      await tx.run(sql`delete from edge where from_id = ${id} and kind = 'mentions' and to_id in ${targets}`);
    }
    await insertNodes(tx, entities);
    await insertEdges(tx, edges);
    await putFresh(tx, documents);
  };
  await store.tx(write, { taken: (tx) => isRecorded(tx, record.id) });
  return (await graph.get(id)) as Node;
}
