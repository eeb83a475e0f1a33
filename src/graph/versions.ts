// Texts with versions: each is a node, and chunks of older versions are removed from the index but stay in the graph.
import { retireAll } from '../search/put.ts';
import { list, sql } from '../store/sql.ts';
import { type Node, type NodeRow, readNode } from './node.ts';
import type { OpenGraph } from './open.ts';

const readAtOnce = 200;

/** All nodes with these hashes, valid or not. */
export async function findVersions({ store }: OpenGraph, project: string, hashes: readonly string[]): Promise<Node[]> {
  const nodes: Node[] = [];
  for (let at = 0; at < hashes.length; at += readAtOnce) {
    const some = list(hashes.slice(at, at + readAtOnce));
    const rows = await store.all<NodeRow>(sql`select * from node where project = ${project} and hash in ${some}`);
    nodes.push(...rows.map(readNode));
  }
  return nodes;
}

/** Removes nodes from the index; idempotent. */
export async function dropFromIndex({ store }: OpenGraph, ids: readonly string[]): Promise<void> {
  await store.tx((tx) => retireAll(tx, ids), { taken: async () => false });
}
