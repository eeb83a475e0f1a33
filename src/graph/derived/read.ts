// Reads derived data: indexed files and their state, edges, and names.

import { list, nothing, type Sql, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { type Node, type NodeRow, readNode } from '../node.ts';
import type { OpenGraph } from '../open.ts';
import { isOver } from '../operation/follow.ts';
import { findTree } from './tree.ts';

export interface KnownFile {
  id: string;
  path: string;
  size: number;
  modified: number;
  hash: string;
}

const pageSize = 2_000;

/** All files of a project, by path. */
export async function* listDerived({ store }: Pick<OpenGraph, 'store'>, project: string): AsyncGenerator<KnownFile> {
  for (let last = ''; ; ) {
    const rows = await store.all<KnownFile>(
      sql`select id, path, size, modified, hash from derived where project = ${project} and path > ${last}
          order by path limit ${pageSize}`,
    );
    yield* rows;
    if (rows.length < pageSize) return;
    last = (rows.at(-1) as KnownFile).path;
  }
}

export async function findDerived({ store }: Pick<OpenGraph, 'store'>, ids: readonly string[]): Promise<KnownFile[]> {
  const found: KnownFile[] = [];
  for (let at = 0; at < ids.length; at += 200) {
    const some = list(ids.slice(at, at + 200));
    found.push(
      ...(await store.all<KnownFile>(sql`select id, path, size, modified, hash from derived where id in ${some}`)),
    );
  }
  return found;
}

/** Whether a folder contains indexed files. */
export async function hasBelow({ store }: Pick<OpenGraph, 'store'>, project: string, folder: string): Promise<boolean> {
  const row = await store.one(
    sql`select id from derived where project = ${project} ${isBelow('path', folder)} limit 1`,
  );
  return row !== undefined;
}

export interface LinkedFile {
  id: string;
  path: string;
  language: string;
  /** Ids of its nodes, its own first. */
  nodes: string[];
  links: string;
  /** Whether it already has edges. */
  isTied: boolean;
}

/** Files not linked since they were read. */
export async function listUnlinked(store: Store, project: string, limit: number): Promise<LinkedFile[]> {
  const rows = await store.all<Omit<LinkedFile, 'nodes' | 'isTied'> & { nodes: string; linked: number }>(
    sql`select id, path, language, nodes, links, linked from derived where project = ${project} and linked in (0, 2)
        limit ${limit}`,
  );
  return rows.map(({ nodes, linked, ...rest }) => ({
    ...rest,
    nodes: (JSON.parse(nodes) as [string][]).map(([id]) => id),
    isTied: linked !== 0,
  }));
}

export interface DerivedName {
  id: string;
  name: string;
  qualified: string;
  path: string;
  kind: string;
  family: string;
}

/** Nodes with one of these names, ignoring case. */
export async function findNames(
  { store }: Pick<OpenGraph, 'store'>,
  project: string,
  names: readonly string[],
): Promise<DerivedName[]> {
  const found: DerivedName[] = [];
  const folded = [...new Set(names.map((name) => name.toLowerCase()))];
  for (let at = 0; at < folded.length; at += 256) {
    const some = list(folded.slice(at, at + 256));
    const rows = await store.all<DerivedName>(
      sql`select id, name, qualified, path, kind, family from derived_name
          where project = ${project} and folded in ${some}`,
    );
    for (const row of rows) found.push(row);
  }
  return found;
}

/** Distinct names with the given prefix, in order. */
export async function completeNames(
  { store }: Pick<OpenGraph, 'store'>,
  project: string,
  typed: string,
  limit: number,
): Promise<string[]> {
  const from = typed.toLowerCase();
  const rows = await store.all<{ name: string }>(
    sql`select name from derived_name where project = ${project} and folded >= ${from}
          and substr(folded, 1, ${[...from].length}) = ${from}
        order by folded limit ${limit * 4}`,
  );
  return [...new Set(rows.map(({ name }) => name))].slice(0, limit);
}

export interface IndexState {
  files: number;
  /** `none` before the first index; `partial` if indexing was cancelled. */
  state: 'none' | 'indexing' | 'partial' | 'complete';
  operation?: string;
  /** Progress of a running operation. */
  done?: number;
  total?: number;
}

/** Whether the files of a project are indexed. Before that is complete, results may be incomplete. */
export async function readIndexState(opened: OpenGraph, tree: string): Promise<IndexState> {
  const files = await countDerived(opened.store, tree);
  const known = await findTree(opened.store, tree);
  const last = known && (await opened.operations.get(known.operation));
  if (!last) return { files, state: files === 0 ? 'none' : 'partial' };
  const { id: operation, done, total } = last;
  if (!isOver(last)) return { files, state: 'indexing', operation, done, ...(total !== undefined && { total }) };
  return { files, state: last.state === 'done' ? 'complete' : files === 0 ? 'none' : 'partial' };
}

export async function countDerived(store: Pick<Store, 'one'>, project: string): Promise<number> {
  const row = await store.one<{ n: number }>(sql`select count(*) as n from derived where project = ${project}`);
  return Number(row?.n ?? 0);
}

/** Node ids by file, the file's own first. */
export async function listNodes(
  { store }: Pick<OpenGraph, 'store'>,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (let at = 0; at < ids.length; at += 200) {
    const some = list(ids.slice(at, at + 200));
    const rows = await store.all<{ id: string; nodes: string }>(sql`select id, nodes from derived where id in ${some}`);
    for (const { id, nodes } of rows)
      found.set(
        id,
        (JSON.parse(nodes) as [string][]).map(([one]) => one),
      );
  }
  return found;
}

/** Targets of edges of some kinds from these nodes. */
export async function listSteps(
  { store }: Pick<OpenGraph, 'store'>,
  from: readonly string[],
  kinds: readonly string[],
): Promise<{ from: string; to: string; kind: string }[]> {
  const found: { from: string; to: string; kind: string }[] = [];
  for (let at = 0; at < from.length; at += 256) {
    const some = list(from.slice(at, at + 256));
    const rows = await store.all<{ from_id: string; to_id: string; kind: string }>(
      sql`select from_id, to_id, kind from edge where from_id in ${some} and kind in ${list(kinds)}`,
    );
    for (const { from_id, to_id, kind } of rows) found.push({ from: from_id, to: to_id, kind });
  }
  return found;
}

/** Files in a folder, most referenced first. */
export async function listByImportance(
  { store }: Pick<OpenGraph, 'store'>,
  project: string,
  folder: string,
  limit: number,
  offset: number,
): Promise<Node[]> {
  const below = isBelow('source', folder);
  const rows = await store.all<NodeRow>(
    sql`select * from node where project = ${project} and kind = 'file' and valid_to is null ${below}
        order by importance desc, created_at desc, id desc limit ${limit} offset ${offset}`,
  );
  return rows.map(readNode);
}

/** Number of files in a folder, by subfolder and by language; largest first. */
export async function countFolders({ store }: Pick<OpenGraph, 'store'>, project: string, folder: string) {
  const below = isBelow('path', folder);
  const rows = await store.all<{ path: string; language: string }>(
    sql`select path, language from derived where project = ${project} ${below}`,
  );
  const folders = new Map<string, number>();
  const languages = new Map<string, number>();
  const start = folder === '' ? 0 : folder.length + 1;
  for (const { path, language } of rows) {
    languages.set(language, (languages.get(language) ?? 0) + 1);
    const end = path.indexOf('/', start);
    if (end > 0) folders.set(path.slice(0, end), (folders.get(path.slice(0, end)) ?? 0) + 1);
  }
  const ordered = (counts: Map<string, number>) => [...counts].sort((a, b) => b[1] - a[1]);
  return {
    files: rows.length,
    folders: ordered(folders).map(([path, files]) => ({ path, files })),
    languages: Object.fromEntries(ordered(languages)),
  };
}

/** Databases sort texts differently, so the prefix is compared directly. */
function isBelow(column: 'path' | 'source', folder: string): Sql {
  if (folder === '') return nothing;
  const start = `${folder}/`;
  const from = column === 'path' ? sql`path` : sql`source`;
  return sql`and substr(${from}, 1, ${[...start].length}) = ${start}`;
}
