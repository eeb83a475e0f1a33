// Maintains derived nodes: files that were touched but not changed, compaction after many writes, and the edges between
// mentioned entities and the files they mean.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { compactIndex } from '../../search/compact.ts';
import { list, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { projectOf } from '../project/project.ts';
import { listDecisions, listMembers } from '../project/table.ts';
import { type Deriving, insertDerivedEdges, keepDistinct, type PlainEdge } from './derived.ts';
import type { KnownFile } from './read.ts';
import { derivedKinds } from './tables.ts';

const nodesAtOnce = 200;
/** Terms that a thread compacts at once: its memory adds to the server's. */
const termsAtOnce = 600_000;

/** Records a new time for unchanged content. */
export async function settleSame(
  { store }: Deriving,
  { id }: KnownFile,
  { size, modified }: { size: number; modified: number },
): Promise<void> {
  await store.run(sql`update derived set size = ${size}, modified = ${modified} where id = ${id}`);
}

/** Compacts the written documents for fast search, unless another process does. */
export async function compactDerived(store: Store, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await compactIndex(store, { signal, length: termsAtOnce, only: derivedKinds })));
}

/** Replaces all edges of one kind from these nodes. */
export async function replaceKind(
  deriving: Deriving,
  kind: PlainEdge['kind'],
  from: readonly string[],
  edges: readonly PlainEdge[],
): Promise<void> {
  const { store } = deriving;
  const wanted = new Map<string, PlainEdge[]>();
  for (const edge of keepDistinct(edges)) {
    const own = wanted.get(edge.from);
    if (own) own.push(edge);
    else wanted.set(edge.from, [edge]);
  }
  for (let at = 0; at < from.length; at += nodesAtOnce) {
    const some = from.slice(at, at + nodesAtOnce);
    await store.tx(
      async (tx) => {
        await tx.run(sql`delete from edge where from_id in ${list(some)} and kind = ${kind}`);
        await insertDerivedEdges(
          tx,
          deriving,
          some.flatMap((id) => wanted.get(id) ?? []),
        );
      },
      { taken: async () => false },
    );
    await nextTurn();
  }
}

/** Ids and names of the mentioned entities of a kind, in a project. */
export async function listEntities(
  { store, project }: Deriving,
  entity: string,
): Promise<{ id: string; name: string }[]> {
  const members = listMembers(await listDecisions(store), projectOf(project));
  return store.all<{ id: string; name: string }>(
    sql`select id, title as name from node where project in ${list(members)} and kind = 'entity' and text = ${entity}
        order by created_at desc limit ${20_000}`,
  );
}

/** Entries that link to one of these nodes. */
export async function findAbout(store: Pick<Store, 'all'>, ids: readonly string[], limit: number): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await store.all<{ from_id: string }>(
    sql`select distinct edge.from_id, node.created_at from edge join node on node.id = edge.from_id
        where edge.to_id in ${list(ids)} and node.kind in ('memory', 'checkpoint', 'remediation', 'skill')
          and node.forgotten_at is null and node.valid_to is null
        order by node.created_at desc limit ${limit}`,
  );
  return rows.map(({ from_id }) => from_id);
}

/** Sets how often each node is referenced, from 0 to 1. */
export async function setImportance({ store }: Deriving, weights: ReadonlyMap<string, number>): Promise<void> {
  // There are few distinct values, so equal ones are written together.
  const groups = new Map<number, string[]>();
  for (const [id, weight] of weights) {
    const rounded = Math.round(weight * 100) / 100;
    const group = groups.get(rounded);
    if (group) group.push(id);
    else groups.set(rounded, [id]);
  }
  for (const [weight, ids] of groups) {
    for (let at = 0; at < ids.length; at += nodesAtOnce) {
      const some = list(ids.slice(at, at + nodesAtOnce));
      await store.run(sql`update node set importance = ${weight} where id in ${some} and importance <> ${weight}`);
      await nextTurn();
    }
  }
}
