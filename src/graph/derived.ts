// Nodes that are derived from files and can be derived again: many, so they are written many rows a statement and without
// the record of every change that lore has. Ids are names, so two processes that derive the same write the same.
import { SearchIndex } from '../search/search-index.ts';
import { insertAll } from '../store/insert.ts';
import { join, list, type Sql, sql } from '../store/sql.ts';
import type { Store, Transaction } from '../store/store.ts';
import { type DerivedEdge, derivedEdges } from './derived-tables.ts';

export interface DerivedNode {
  id: string;
  kind: string;
  title: string;
  text: string;
  /** As JSON. */
  data: string;
  /** Of kind, title and text. */
  hash: string;
  /** Of all that the index has of it. */
  indexed: string;
  /** As the index keeps them. */
  terms: string;
  length: number;
  vector: Int8Array | undefined;
  /** For what is found by its name. */
  name?: { name: string; qualified: string; kind: string };
}

export interface DerivedFile {
  /** Of its own node, which is the first of its nodes. */
  id: string;
  path: string;
  language: string;
  family: string;
  size: number;
  modified: number;
  hash: string;
  nodes: readonly DerivedNode[];
  /** From one of its nodes to another. */
  edges: readonly { from: string; kind: DerivedEdge; to: string }[];
  /** As JSON: what ties it to other files. */
  links: string;
}

export interface Deriving {
  store: Store;
  project: string;
  /** Whose vectors they have. */
  model: string;
  now: number;
}

/** What a transaction may hold without being felt by others. */
const nodesAtOnce = 240;

/** Puts files in, in place of what was derived from them before. A file's row comes last: until then it counts as unread. */
export async function replaceDerived(deriving: Deriving, files: readonly DerivedFile[]): Promise<void> {
  let batch: DerivedFile[] = [];
  let nodes = 0;
  for (const file of files) {
    if (nodes > 0 && nodes + file.nodes.length > nodesAtOnce) {
      await replaceSome(deriving, batch);
      [batch, nodes] = [[], 0];
    }
    batch.push(file);
    nodes += file.nodes.length;
  }
  if (batch.length > 0) await replaceSome(deriving, batch);
}

async function replaceSome(deriving: Deriving, files: readonly DerivedFile[]): Promise<void> {
  const { store } = deriving;
  const known = await readKnown(
    store,
    files.map(({ id }) => id),
  );
  const all = files.flatMap((file) => file.nodes.map((node) => ({ file, node })));
  const parts = Math.max(1, Math.ceil(all.length / nodesAtOnce));
  for (let part = 0; part < parts; part++) {
    const some = all.slice(part * nodesAtOnce, (part + 1) * nodesAtOnce);
    const isLast = part === parts - 1;
    // Done twice, it is the same.
    await store.tx(
      async (tx) => {
        await upsertNodes(tx, deriving, some);
        await indexNodes(tx, deriving, some, known);
        if (isLast) await settle(tx, deriving, files, known);
      },
      { taken: async () => false },
    );
  }
}

/** A node as its file's row has it: its id, a hash of what the index has of it, and its name in lower case. */
type KnownNode = readonly [id: string, indexed: string, folded?: string];
/** By file, then by node. */
type Known = ReadonlyMap<string, ReadonlyMap<string, KnownNode>>;

async function readKnown(store: Pick<Store, 'all'>, ids: readonly string[]): Promise<Known> {
  const rows = await store.all<{ id: string; nodes: string }>(
    sql`select id, nodes from derived where id in ${list(ids)}`,
  );
  return new Map(
    rows.map(({ id, nodes }) => [id, new Map((JSON.parse(nodes) as KnownNode[]).map((node) => [node[0], node]))]),
  );
}

type Some = readonly { file: DerivedFile; node: DerivedNode }[];

async function upsertNodes(tx: Transaction, { project, now }: Deriving, nodes: Some): Promise<void> {
  await insertAll(tx, nodes, (some) => {
    const rows = some.map(
      ({ file, node }) => sql`(${node.id}, ${project}, ${node.kind}, ${node.title}, ${node.text}, ${node.data}, 0, 1,
        ${file.path}, ${now}, ${now}, ${now}, ${now}, null, null, null, ${node.hash})`,
    );
    return sql`insert into node (id, project, kind, title, text, data, importance, confidence, source, created_at,
        updated_at, accessed_at, valid_from, valid_to, superseded_by, forgotten_at, hash)
      values ${join(rows, ', ')}
      on conflict (id) do update set title = excluded.title, text = excluded.text, data = excluded.data,
        hash = excluded.hash, updated_at = excluded.updated_at, valid_to = null, forgotten_at = null
      where node.hash <> excluded.hash or node.data <> excluded.data or node.valid_to is not null`;
  });
}

async function indexNodes(
  tx: Transaction,
  { store, project, model }: Deriving,
  nodes: Some,
  known: Known,
): Promise<void> {
  const changed = nodes.filter(({ file, node }) => known.get(file.id)?.get(node.id)?.[1] !== node.indexed);
  await new SearchIndex(store).put(
    tx,
    changed.map(({ node: { id, kind, length, terms, vector } }) => ({
      id,
      project,
      kind,
      length,
      frequencies: terms,
      model,
      vector,
    })),
  );
}

/** Names, edges, what is no longer there, and the row that says that all of this is done. */
async function settle(tx: Transaction, deriving: Deriving, files: readonly DerivedFile[], known: Known): Promise<void> {
  const { project } = deriving;
  const gone = files.flatMap(({ id, nodes }) => {
    const kept = new Set(nodes.map((node) => node.id));
    return [...(known.get(id)?.values() ?? [])].filter(([one]) => !kept.has(one));
  });
  await removeNodes(tx, deriving, gone);
  const before = files.filter(({ id }) => known.has(id)).flatMap(({ nodes }) => nodes.map(({ id }) => id));
  await inSome(before, (some) => tx.run(sql`delete from edge where kind = 'contains' and from_id in ${some}`));
  await insertDerivedEdges(
    tx,
    deriving,
    files.flatMap(({ edges }) => edges),
  );
  const named = files.flatMap((file) => file.nodes.flatMap(({ id, name }) => (name ? [{ file, id, name }] : [])));
  await insertAll(tx, named, (some) => {
    const rows = some.map(
      ({ file, id, name }) => sql`(${project}, ${name.name.toLowerCase()}, ${id}, ${name.name}, ${name.qualified},
        ${file.path}, ${name.kind}, ${file.family})`,
    );
    return sql`insert into derived_name (project, folded, id, name, qualified, path, kind, family)
      values ${join(rows, ', ')} on conflict (project, folded, id) do update set kind = excluded.kind`;
  });
  await insertAll(tx, files, (some) => {
    const rows = some.map(({ id, path, language, size, modified, hash, nodes, links }) => {
      const kept = JSON.stringify(nodes.map(nameKnown));
      return sql`(${id}, ${project}, ${path}, ${language}, ${size}, ${modified}, ${hash}, ${kept}, ${links}, 0)`;
    });
    return sql`insert into derived (id, project, path, language, size, modified, hash, nodes, links, linked)
      values ${join(rows, ', ')}
      on conflict (id) do update set language = excluded.language, size = excluded.size, modified = excluded.modified,
        hash = excluded.hash, nodes = excluded.nodes, links = excluded.links,
        linked = case when derived.linked = 0 then 0 else 2 end`;
  });
}

export interface PlainEdge {
  from: string;
  kind: DerivedEdge;
  to: string;
  weight?: number;
}

export async function insertDerivedEdges(
  tx: Pick<Transaction, 'run'>,
  { project, now }: Pick<Deriving, 'project' | 'now'>,
  edges: readonly PlainEdge[],
): Promise<void> {
  // One statement must not name the same edge twice.
  const each = new Map(edges.map((edge) => [`${edge.from} ${edge.kind} ${edge.to}`, edge]));
  await insertAll(tx, [...each.values()], (some) => {
    const rows = some.map(
      ({ from, kind, to, weight = 1 }) => sql`(${from}, ${kind}, ${to}, ${project}, ${weight}, '{}', ${now})`,
    );
    return sql`insert into edge (from_id, kind, to_id, project, weight, data, created_at) values ${join(rows, ', ')}
      on conflict (from_id, kind, to_id) do update set weight = excluded.weight`;
  });
}

/** Files that are no longer there, with all that came of them. */
export async function removeDerived(deriving: Deriving, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += 10) {
    const some = ids.slice(at, at + 10);
    await deriving.store.tx(
      async (tx) => {
        const known = await readKnown(tx, some);
        await removeNodes(
          tx,
          deriving,
          [...known.values()].flatMap((own) => [...own.values()]),
        );
        await tx.run(sql`delete from derived where id in ${list(some)}`);
      },
      { taken: async () => false },
    );
  }
}

/** For good, unless lore leads to it: then it expires, and can still be read. */
async function removeNodes(
  tx: Transaction,
  { store, project, now }: Deriving,
  nodes: readonly KnownNode[],
): Promise<void> {
  const ids = nodes.map(([id]) => id);
  const kept = new Set<string>();
  const own = list([...derivedEdges]);
  await inSome(ids, async (some) => {
    const rows = await tx.all<{ to_id: string }>(
      sql`select distinct to_id from edge where to_id in ${some} and kind not in ${own}`,
    );
    for (const { to_id } of rows) kept.add(to_id);
    await tx.run(sql`delete from edge where from_id in ${some} and kind in ${own}`);
    await tx.run(sql`delete from edge where to_id in ${some} and kind in ${own}`);
  });
  await new SearchIndex(store).remove(tx, ids);
  const lost = ids.filter((id) => !kept.has(id));
  await inSome(lost, (some) => tx.run(sql`delete from node where id in ${some}`));
  await inSome([...kept], (some) => tx.run(sql`update node set valid_to = ${now} where id in ${some}`));
  for (const [id, , folded] of nodes) {
    if (folded === undefined) continue;
    await tx.run(sql`delete from derived_name where project = ${project} and folded = ${folded} and id = ${id}`);
  }
}

function nameKnown({ id, indexed, name }: DerivedNode): KnownNode {
  return name ? [id, indexed, name.name.toLowerCase()] : [id, indexed];
}

async function inSome(ids: readonly string[], work: (some: Sql) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < ids.length; at += 200) await work(list(ids.slice(at, at + 200)));
}
