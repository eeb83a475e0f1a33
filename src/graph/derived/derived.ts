// Nodes that are derived from files and can be derived again. There are many, so they are written in batches, without a change
// history and without hashes for duplicates. Ids are derived from names, so that two processes write the same rows.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Document } from '../../search/document.ts';
import { putFresh, putMany, retireAll } from '../../search/put.ts';
import { insertAll } from '../../store/insert.ts';
import { list, type Sql, sql } from '../../store/sql.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { edgeColumns, nodeColumns } from '../statement.ts';
import type { DescribedDocument } from './document.ts';
import { type DerivedEdge, derivedEdges } from './tables.ts';

export interface DerivedNode extends DescribedDocument {
  id: string;
  kind: string;
  title: string;
  text: string;
  /** As JSON. */
  data: string;
  /** Position of its parent among the file's nodes. */
  parent?: number;
  /** For nodes that are found by name. */
  name?: { name: string; qualified: string; kind: string };
}

export interface DerivedFile {
  /** Id of the file's own node, which is the first of its nodes. */
  id: string;
  path: string;
  language: string;
  family: string;
  size: number;
  modified: number;
  hash: string;
  nodes: readonly DerivedNode[];
  /** The vectors of its nodes, concatenated: one array is faster to transfer between threads. */
  vectors: Int8Array | undefined;
  /** The terms of its nodes, concatenated, and the words they refer to, separated by spaces. */
  terms: Uint32Array;
  words: string;
  /** Links to other files, as JSON. */
  links: string;
}

export interface Deriving {
  store: Store;
  /** Project id of the tree. A project may have several trees, and derived nodes belong to one. */
  project: string;
  /** Id of the embedder. */
  model: string;
  now: number;
}

/** Nodes per transaction, so that other writers do not wait noticeably. */
const nodesAtOnce = 240;
const rowsAtOnce = 500;

/** Replaces the derived data of files. A file's row is written last: until then it counts as unread. */
export async function replaceDerived(
  deriving: Deriving,
  files: readonly DerivedFile[],
  signal?: AbortSignal,
): Promise<void> {
  if (files.length === 0) return;
  const { store } = deriving;
  const known = await readKnown(store, files);
  const nodes = files.reduce((sum, file) => sum + file.nodes.length, 0);
  if (nodes > nodesAtOnce) return replaceMany(deriving, files, known, signal);
  await store.tx(async (tx) => {
    await upsertNodes(tx, deriving, files.flatMap(withNodes));
    await putFresh(tx, listChanged(deriving, files, known));
    await insertNames(tx, deriving, files.flatMap(listNames));
    await settle(tx, deriving, files, known);
  }, again);
}

/** Idempotent. */
const again = { taken: async () => false };

/** Table by table in key order, so that neighbouring rows are written together. */
async function replaceMany(
  deriving: Deriving,
  files: readonly DerivedFile[],
  known: Known,
  signal?: AbortSignal,
): Promise<void> {
  const { store } = deriving;
  const pause = async () => {
    await nextTurn();
    signal?.throwIfAborted();
  };
  // After a crash in the middle, even an unchanged file is read again.
  await inSome([...known.keys()], (some) => store.run(sql`update derived set hash = '' where id in ${some}`));
  const nodes = files.flatMap(withNodes).sort((a, b) => (a.node.id < b.node.id ? -1 : 1));
  for (const some of cut(nodes, rowsAtOnce)) {
    await store.tx((tx) => upsertNodes(tx, deriving, some), again);
    await pause();
  }
  const names = files.flatMap(listNames).sort((a, b) => (a.folded < b.folded ? -1 : 1));
  for (const some of cut(names, rowsAtOnce)) {
    await store.tx((tx) => insertNames(tx, deriving, some), again);
    await pause();
  }
  await putMany(store, listChanged(deriving, files, known), pause);
  for (const some of cutFiles(files)) {
    await store.tx((tx) => settle(tx, deriving, some, known), again);
    await pause();
  }
}

function* cut<T>(all: readonly T[], length: number): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += length) yield all.slice(at, at + length);
}

function* cutFiles(files: readonly DerivedFile[]): Generator<readonly DerivedFile[]> {
  let batch: DerivedFile[] = [];
  let nodes = 0;
  for (const file of files) {
    if (nodes > 0 && nodes + file.nodes.length > rowsAtOnce) {
      yield batch;
      [batch, nodes] = [[], 0];
    }
    batch.push(file);
    nodes += file.nodes.length;
  }
  if (batch.length > 0) yield batch;
}

/** A node in its file's row: its id, a hash of its indexed data, and its name in lower case. */
type KnownNode = readonly [id: string, indexed: string, folded?: string];
/** By file, then by node. */
type Known = ReadonlyMap<string, ReadonlyMap<string, KnownNode>>;

async function readKnown(store: Pick<Store, 'all'>, files: readonly { id: string }[]): Promise<Known> {
  const known = new Map<string, ReadonlyMap<string, KnownNode>>();
  const ids = files.map(({ id }) => id);
  await inSome(ids, async (some) => {
    const rows = await store.all<{ id: string; nodes: string }>(sql`select id, nodes from derived where id in ${some}`);
    for (const { id, nodes } of rows)
      known.set(id, new Map((JSON.parse(nodes) as KnownNode[]).map((node) => [node[0], node])));
  });
  return known;
}

interface NodeOf {
  file: DerivedFile;
  node: DerivedNode;
}

const withNodes = (file: DerivedFile): NodeOf[] => file.nodes.map((node) => ({ file, node }));

async function upsertNodes(tx: Transaction, { project, now }: Deriving, nodes: readonly NodeOf[]): Promise<void> {
  await insertAll(
    tx,
    nodes,
    ({ file, node: { id, kind, title, text, data } }) => [
      id,
      project,
      kind,
      title,
      text,
      data,
      0,
      1,
      file.path,
      now,
      now,
      now,
      now,
      null,
      null,
      null,
      '',
    ],
    (rows) => sql`insert into node (${nodeColumns}) values ${rows}
      on conflict (id) do update set title = excluded.title, text = excluded.text, data = excluded.data,
        updated_at = excluded.updated_at, valid_to = null, forgotten_at = null
      where node.title <> excluded.title or node.text <> excluded.text or node.data <> excluded.data
        or node.valid_to is not null`,
  );
}

/** Nodes that are missing or different in the index. */
function listChanged({ project, model }: Deriving, files: readonly DerivedFile[], known: Known): Document[] {
  return files.flatMap((file) => {
    const width = (file.vectors?.length ?? 0) / file.nodes.length;
    const words = file.words.split(' ');
    const before = known.get(file.id);
    let end = 0;
    return file.nodes.flatMap(({ id, kind, length, terms, indexed }, at): Document[] => {
      end += terms;
      if (before?.get(id)?.[1] === indexed) return [];
      const vector = file.vectors?.subarray(at * width, (at + 1) * width);
      const packed = file.terms.subarray(end - terms, end);
      return [{ id, project, kind, length, frequencies: { words, packed }, model, vector }];
    });
  });
}

interface NameRow extends Required<Pick<DerivedNode, 'id' | 'name'>> {
  file: DerivedFile;
  folded: string;
}

function listNames(file: DerivedFile): NameRow[] {
  return file.nodes.flatMap(({ id, name }) => (name ? [{ file, id, name, folded: name.name.toLowerCase() }] : []));
}

async function insertNames(tx: Transaction, { project }: Deriving, names: readonly NameRow[]): Promise<void> {
  await insertAll(
    tx,
    names,
    ({ file, folded, id, name: { name, qualified, kind } }) => [
      project,
      folded,
      id,
      name,
      qualified,
      file.path,
      kind,
      file.family,
    ],
    (rows) => sql`insert into derived_name (project, folded, id, name, qualified, path, kind, family) values ${rows}
      on conflict (project, folded, id) do update set kind = excluded.kind`,
  );
}

/** Writes edges, removes obsolete nodes, and writes the row that marks the file as read. */
async function settle(tx: Transaction, deriving: Deriving, files: readonly DerivedFile[], known: Known): Promise<void> {
  const { project } = deriving;
  const gone = files.flatMap(({ id, nodes }) => {
    const kept = new Set(nodes.map((node) => node.id));
    return [...(known.get(id)?.values() ?? [])].filter(([one]) => !kept.has(one));
  });
  await removeNodes(tx, deriving, gone);
  const before = files.filter(({ id }) => known.has(id)).flatMap(({ nodes }) => nodes.map(({ id }) => id));
  await inSome(before, (some) => tx.run(sql`delete from edge where kind = 'contains' and from_id in ${some}`));
  await insertDerivedEdges(tx, deriving, files.flatMap(listContained));
  await insertAll(
    tx,
    files,
    ({ id, path, language, size, modified, hash, nodes, links }) => [
      id,
      project,
      path,
      language,
      size,
      modified,
      hash,
      JSON.stringify(nodes.map(nameKnown)),
      links,
      0,
    ],
    (rows) => sql`insert into derived (id, project, path, language, size, modified, hash, nodes, links, linked)
      values ${rows}
      on conflict (id) do update set language = excluded.language, size = excluded.size, modified = excluded.modified,
        hash = excluded.hash, nodes = excluded.nodes, links = excluded.links,
        linked = case when derived.linked = 0 then 0 else 2 end`,
  );
  if (files.some(({ id }) => !known.has(id))) await countPaths(tx, project);
}

async function countPaths(tx: Transaction, tree: string): Promise<void> {
  await tx.run(
    sql`insert into derived_paths (tree, revision) values (${tree}, 1)
        on conflict (tree) do update set revision = derived_paths.revision + 1`,
  );
}

function listContained({ nodes }: DerivedFile): PlainEdge[] {
  return nodes.flatMap(({ id: to, parent }) => {
    const from = nodes[parent ?? -1]?.id;
    return from === undefined ? [] : [{ from, kind: 'contains', to }];
  });
}

export interface PlainEdge {
  from: string;
  kind: DerivedEdge;
  to: string;
  weight?: number;
}

/** One statement must not contain the same edge twice. */
export async function insertDerivedEdges(
  tx: Pick<Transaction, 'run'>,
  { project, now }: Pick<Deriving, 'project' | 'now'>,
  edges: readonly PlainEdge[],
): Promise<void> {
  await insertAll(
    tx,
    edges,
    ({ from, kind, to, weight = 1 }) => [from, kind, to, project, weight, '{}', now],
    (rows) => sql`insert into edge (${edgeColumns}) values ${rows}
      on conflict (from_id, kind, to_id) do update set weight = excluded.weight`,
  );
}

/** Of duplicates, the last. */
export function keepDistinct(edges: readonly PlainEdge[]): PlainEdge[] {
  return [...new Map(edges.map((edge) => [`${edge.from} ${edge.kind} ${edge.to}`, edge])).values()];
}

/** Removes deleted files with all derived data. */
export async function removeDerived(deriving: Deriving, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += 10) {
    const some = ids.slice(at, at + 10);
    await deriving.store.tx(async (tx) => {
      const known = await readKnown(
        tx,
        some.map((id) => ({ id })),
      );
      await removeNodes(
        tx,
        deriving,
        [...known.values()].flatMap((own) => [...own.values()]),
      );
      await tx.run(sql`delete from derived where id in ${list(some)}`);
      await countPaths(tx, deriving.project);
    }, again);
  }
}

/** Permanently, unless a memory links to it: then it expires and stays readable. */
async function removeNodes(tx: Transaction, { project, now }: Deriving, nodes: readonly KnownNode[]): Promise<void> {
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
  await retireAll(tx, ids);
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
