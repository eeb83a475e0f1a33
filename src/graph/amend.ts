// Changes a node depending on its current content: counts, votes, tags. It is read and written under the write lock, so that
// concurrent changes are not lost.
import { redactDeep } from '../core/secret/redact.ts';
import { join, sql } from '../store/sql.ts';
import type { Transaction } from '../store/store.ts';
import { createChangeId } from './change-id.ts';
import type { NewEdge } from './graph.ts';
import { lockKeys, takeKeys } from './key-edge.ts';
import type { Node } from './node.ts';
import type { OpenGraph } from './open.ts';
import { changeNode, insertEdges, isRecorded, lockNode, type Supersession, supersedeAll } from './statement.ts';

/** The changed fields of the node. */
export interface Amendment {
  data: Node['data'];
  importance?: number;
  confidence?: number;
  validTo?: number | undefined;
}

/** Written in the same transaction as the node. */
interface AlsoAmended {
  edges?: readonly NewEdge[];
  supersede?: readonly Supersession[];
  /** Edges of this kind, to and from the node, are removed first. */
  unlink?: string;
}

/**
 * Returns the changed node. `change` may be called more than once; if it returns undefined, nothing is written and
 * undefined is returned.
 */
export async function amendNode<Change extends Amendment | undefined>(
  { store, graph }: Pick<OpenGraph, 'store' | 'graph'>,
  id: string,
  actor: string,
  change: (node: Node) => Change,
  { edges = [], supersede = [], unlink }: AlsoAmended = {},
): Promise<Node | Extract<Change, undefined>> {
  const at = graph.now();
  const record = { id: createChangeId(at), actor, action: 'update' as const, at };
  const write = async (tx: Transaction): Promise<Node | undefined> => {
    await lockKeys(tx, edges);
    const node = await lockNode(tx, id, 'change');
    const amendment = change(node);
    if (amendment === undefined) return undefined;
    const next = { ...amendment, data: redactDeep(amendment.data) };
    await changeNode(tx, id, join(assign(next), ', '), record);
    const { project } = node;
    if (unlink) await tx.run(sql`delete from edge where kind = ${unlink} and (from_id = ${id} or to_id = ${id})`);
    await insertEdges(
      tx,
      edges.map((edge) => ({ weight: 1, data: {}, ...edge, project, createdAt: at })),
    );
    await supersedeAll(tx, supersede, { project, actor, at });
    await takeKeys(tx, edges, { project, actor, at });
    return { ...node, ...next, updatedAt: at };
  };
  const amended = await store.tx(write, { taken: (tx) => isRecorded(tx, record.id) });
  return amended as Node | Extract<Change, undefined>;
}

function assign(amendment: Amendment) {
  const { data, importance, confidence, validTo } = amendment;
  return [
    sql`data = ${JSON.stringify(data)}`,
    ...(importance === undefined ? [] : [sql`importance = ${importance}`]),
    ...(confidence === undefined ? [] : [sql`confidence = ${confidence}`]),
    ...('validTo' in amendment ? [sql`valid_to = ${validTo ?? null}`] : []),
  ];
}
