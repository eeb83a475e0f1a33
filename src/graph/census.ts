// Queries over the whole graph: counts, projects, and all nodes of a kind in pages.
import { list, sql } from '../store/sql.ts';
import { type Node, type NodeRow, readNode } from './node.ts';
import type { OpenGraph } from './open.ts';

const pageSize = 1_000;

/** By project, oldest first. */
export async function* scanNodes(opened: OpenGraph, projects: readonly string[], kind: string): AsyncGenerator<Node> {
  for (const project of projects) yield* scanProject(opened, project, kind);
}

async function* scanProject({ store }: OpenGraph, project: string, kind: string): AsyncGenerator<Node> {
  for (let last = { created_at: -1, id: '' }; ; ) {
    const rows = await store.all<NodeRow>(
      sql`select * from node where project = ${project} and kind = ${kind} and created_at >= ${last.created_at}
          and (created_at > ${last.created_at} or id > ${last.id}) order by created_at, id limit ${pageSize}`,
    );
    for (const row of rows) yield readNode(row);
    if (rows.length < pageSize) return;
    last = rows.at(-1) as NodeRow;
  }
}

/** The nodes that an actor changed, so that a single action can be undone as a whole. */
export async function findChangedBy(
  { store }: OpenGraph,
  projects: readonly string[],
  actor: string,
): Promise<string[]> {
  const rows = await store.all<{ node_id: string }>(
    sql`select distinct node_id from change where project in ${list(projects)} and actor = ${actor} order by node_id`,
  );
  return rows.map(({ node_id }) => node_id);
}

/** The node of every project with memories. */
export async function listProjects({ store }: OpenGraph): Promise<Node[]> {
  const rows = await store.all<NodeRow>(sql`select * from node where kind = 'project' order by title, id`);
  return rows.map(readNode);
}

/** Number of nodes of a kind, valid or not. */
export async function countNodes({ store }: OpenGraph, projects: readonly string[], kind: string): Promise<number> {
  const row = await store.one<{ n: number }>(
    sql`select count(*) as n from node where project in ${list(projects)} and kind = ${kind}`,
  );
  return Number(row?.n ?? 0);
}

export async function countEdges({ store }: OpenGraph, to: string, kind: string): Promise<number> {
  const row = await store.one<{ n: number }>(
    sql`select count(*) as n from edge where to_id = ${to} and kind = ${kind}`,
  );
  return Number(row?.n ?? 0);
}
