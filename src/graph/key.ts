// Keys: a memory can have a name that its caller chooses, and be read back by it. Storing under a key again supersedes the
// memory that had it.

import { LoreError } from '../core/error.ts';
import { list, sql } from '../store/sql.ts';
import { keyEdge } from './key-edge.ts';
import { type Node, type NodeRow, readNode } from './node.ts';
import type { OpenGraph } from './open.ts';
import { nameNode, type Scope } from './project/scope.ts';
import { isCurrentSql } from './statement.ts';

export const longestKey = 300;

/** The node of a key, to which the memories that had it are linked. */
export async function ensureKey({ opened, project }: Scope, given: string): Promise<string> {
  const key = given.trim();
  if (key === '') throw new LoreError('invalid_input', 'Cannot store the memory: its key is blank');
  const id = nameKey(project.id, key);
  await opened.graph.ensure({ id, project: project.id, kind: 'entity', title: key, text: '', data: { entity: 'key' } });
  return id;
}

/** The memories that have the key now, the newest first: merged projects may have one each. */
export async function findByKey(
  { store, graph }: OpenGraph,
  projects: readonly string[],
  key: string,
): Promise<Node[]> {
  const rows = await store.all<NodeRow>(
    sql`select node.* from edge join node on node.id = edge.from_id
        where edge.to_id in ${list(projects.map((project) => nameKey(project, key)))} and edge.kind = ${keyEdge}
        ${isCurrentSql(graph.now())} order by node.created_at desc, node.id desc`,
  );
  return rows.map(readNode);
}

export async function hasKey({ store }: OpenGraph, id: string): Promise<boolean> {
  return (
    (await store.one(sql`select to_id from edge where from_id = ${id} and kind = ${keyEdge} limit 1`)) !== undefined
  );
}

function nameKey(project: string, key: string): string {
  return nameNode('key', project, key.trim());
}
