// Changing what is known about a node by what is known already: counts, votes. Unlike `Graph.update` with what was read
// before, nothing is lost when two processes do so at the same time.
import { LoreError } from '../core/error.ts';
import { createId } from '../core/id.ts';
import { redactDeep } from '../core/redact.ts';
import { sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import { type Node, type NodeRow, readNode } from './node.ts';
import type { OpenGraph } from './open.ts';
import { insertChanges, isRecorded } from './statement.ts';

/** The node as it is afterwards. `change` may be called more than once. */
export async function amendNode(
  { store, graph }: Pick<OpenGraph, 'store' | 'graph'>,
  id: string,
  actor: string,
  change: (data: Node['data']) => Node['data'],
): Promise<Node> {
  const at = graph.now();
  const record = { id: createId('chg'), actor, action: 'update' as const, at };
  const write = async (tx: Transaction) => {
    // Written before it is read, so that whoever else would write waits.
    await tx.run(sql`update node set updated_at = ${at} where id = ${id}`);
    const row = await tx.one<NodeRow>(sql`select * from node where id = ${id}`);
    if (!row) throw new LoreError('not_found', `Cannot change "${id}": it does not exist`);
    const node = readNode(row);
    const data = redactDeep(change(node.data));
    await tx.run(sql`update node set data = ${JSON.stringify(data)} where id = ${id}`);
    await insertChanges(tx, [{ ...record, node }]);
  };
  await store.tx(write, { taken: (tx) => isRecorded(tx, record.id) });
  return (await graph.get(id)) as Node;
}
