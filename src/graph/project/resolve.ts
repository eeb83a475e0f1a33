// Decides which project a folder belongs to. The folder itself is the proof: its path, or its inode after a move, which the
// author of its content cannot choose. Remotes and first commits can be forged, so they only lead to a question to the user.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createId } from '../../core/id.ts';
import { list, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import { hash } from '../git/files.ts';
import { askGit } from '../git/git.ts';
import { readHead } from '../git/head.ts';
import type { OpenGraph } from '../open.ts';
import { type Folder, identifyFolder, readStamp } from './project.ts';
import {
  claimId,
  deletePlace,
  findAlike,
  findPlaces,
  mergeProject,
  type ProjectFolder,
  readPlaces,
  writePlace,
} from './table.ts';

/** Limit for reading the first commit of a long history, in ms, because the caller waits. */
const historyMs = 800;
const unreadable = '-';
const maxKeys = 40;
const maxRelated = 5;

/** A folder on a machine, as recorded in the database. */
export function namePlace({ machine }: Pick<OpenGraph, 'machine'>, home: string): string {
  return hash(JSON.stringify([machine, home]));
}

/** With `granting`, the caller works in the folder, so that others may name it from now on. */
export async function resolvePlace(
  opened: OpenGraph,
  folder: Folder,
  { granting = false }: { granting?: boolean } = {},
): Promise<ProjectFolder> {
  const { store, graph, machine } = opened;
  const place = namePlace(opened, folder.home);
  const stamp = folder.stamp === '' ? '' : `${machine}/${folder.stamp}`;
  const known = (await findPlaces(store, place, stamp)).find((one) => one.place === place);
  const keys = [...folder.remotes, ...folder.local.filter((id) => id.startsWith('repo:'))];
  const isGranted = known?.granted || !granting;
  const isKnown = known && isGranted && known.stamp === stamp && keys.every((key) => known.keys.includes(key));
  if (isKnown && (known.history !== '' || !hasCommit(folder))) return known;
  const history = (known?.stamp === stamp && known.history) || (await readHistory(folder));
  const seen = { place, stamp, keys, history, folder, granting, now: graph.now() };
  // Reads everything that it depends on, so it can be repeated safely.
  return store.tx((tx) => settle(tx, seen), { taken: async () => false });
}

interface Seen {
  place: string;
  stamp: string;
  keys: readonly string[];
  history: string;
  folder: Folder;
  granting: boolean;
  now: number;
}

async function settle(tx: Transaction, seen: Seen): Promise<ProjectFolder> {
  const { place, stamp, keys, history, folder, granting, now } = seen;
  // First, so that two processes do not both create a project for a new folder.
  await tx.run(
    sql`insert into project_place (place, project, path, stamp, keys, history, related, settled, seen_at)
        values (${place}, '', '', '', '[]', '', '[]', 0, ${now}) on conflict (place) do nothing`,
  );
  const ids = [folder.claim, ...folder.local];
  const places = await findAlike(tx, { place, stamp, ids, keys, history });
  const before = places.find((one) => one.place === place);
  const moved = stamp === '' ? undefined : places.find((one) => one.stamp === stamp && one.place !== place);
  const isSameFolder = stamp !== '' && before?.stamp === stamp;
  const isSame = before !== undefined && (isSameFolder || (!moved && !isReplaced(before, seen)));
  const from = isSame ? before : moved;
  const project = from?.project ?? (await chooseProject(tx, seen, places));
  if (before && !isSame) await writePlace(tx, { ...before, place: `${place}@${before.stamp}` }, now);
  if (moved && !isSame && isGone(moved, folder)) await deletePlace(tx, moved.place);
  const next: ProjectFolder = {
    place,
    project,
    path: folder.home,
    stamp,
    keys: [...new Set([...keys, ...(from?.keys ?? [])])].slice(0, maxKeys),
    history: history || (from?.history ?? ''),
    related: await findRelated(tx, { ...seen, places, project, before: isSame ? undefined : before }),
    settled: from?.settled === true && keys.every((key) => from.keys.includes(key)),
    granted: granting || from?.granted === true,
  };
  await writePlace(tx, next, now);
  return next;
}

/** Another folder at the same path is the same project, unless its content is clearly different. */
function isReplaced(before: ProjectFolder, { keys, history, folder }: Seen): boolean {
  const own = new Set(folder.local);
  const [then, now] = [before.keys, keys].map((all) => all.filter((key) => !own.has(key))) as [string[], string[]];
  if (then.length > 0 && now.length > 0) return !now.some((key) => then.includes(key));
  const isRead = (commit: string) => commit !== '' && commit !== unreadable;
  return isRead(before.history) && isRead(history) && before.history !== history;
}

/** Whether the recorded folder has moved away; with another mount it can be in both places. */
function isGone({ path }: ProjectFolder, { stamp }: Folder): boolean {
  try {
    return readStamp(path) !== stamp;
  } catch {
    return true;
  }
}

/** For a folder without a record: the entries of earlier versions, else a new project. */
async function chooseProject(
  tx: Transaction,
  { folder, now }: Seen,
  places: readonly ProjectFolder[],
): Promise<string> {
  const taken = new Set(places.map(({ project }) => project));
  const { wanted, nodes, earlier } = await findEarlier(tx, folder, taken);
  const [first, ...parts] = earlier;
  if (first !== undefined) {
    await claimId(tx, first, 'lore', now);
    // Other ids of the same folder: before it had a remote or was a repository.
    for (const id of parts) await mergeProject(tx, { id, into: first, by: 'lore', now });
    return first;
  }
  for (const id of [...wanted, createId('prj')]) {
    if (!nodes.has(id) && !taken.has(id) && (await claimId(tx, id, 'lore', now))) return id;
  }
  throw new Error('a newly generated id is already in use');
}

/** The ids under which versions without folder records stored the memories of a folder. */
async function findEarlier(tx: Pick<Transaction, 'all'>, folder: Folder, taken: ReadonlySet<string>) {
  const wanted = [...new Set([folder.claim, ...folder.local])];
  const nodes = await findNodes(tx, wanted);
  const isOwn = (id: string) => folder.local.includes(id) || isAt(nodes.get(id)?.root, folder);
  return { wanted, nodes, earlier: wanted.filter((id) => nodes.has(id) && !taken.has(id) && isOwn(id)) };
}

/** The ids of folders that used to be projects. Records nothing. */
export async function findFormer(opened: OpenGraph, paths: readonly string[]): Promise<string[]> {
  const folders = paths.flatMap((path) => tryIdentify(path) ?? []);
  const places = await readPlaces(
    opened.store,
    folders.map(({ home }) => namePlace(opened, home)),
  );
  const known = new Map(places.map((one) => [one.place, one.project]));
  const found: string[] = [];
  for (const folder of folders) {
    const project = known.get(namePlace(opened, folder.home));
    if (project !== undefined) found.push(project);
    else {
      const alike = { place: '', stamp: '', keys: [], history: '', ids: [folder.claim, ...folder.local] };
      const taken = new Set((await findAlike(opened.store, alike)).map((one) => one.project));
      found.push(...(await findEarlier(opened.store, folder, taken)).earlier);
    }
  }
  return [...new Set(found)];
}

function tryIdentify(path: string): Folder | undefined {
  try {
    return identifyFolder(path);
  } catch {
    return undefined;
  }
}

/** Whether a project of an earlier version began in this folder or a worktree of it. */
function isAt(root: string | undefined, { home }: Folder): boolean {
  return root !== undefined && tryIdentify(root)?.home === home;
}

interface Relating extends Seen {
  places: readonly ProjectFolder[];
  project: string;
  /** The record of this path. */
  before: ProjectFolder | undefined;
}

/** Projects with a common remote or first commit, most likely first. */
async function findRelated(tx: Transaction, { places, keys, history, project, before, folder }: Relating) {
  const isRead = history !== '' && history !== unreadable;
  const weigh = (other: ProjectFolder) =>
    (other.keys.some((key) => keys.includes(key)) ? 2 : 0) + (isRead && other.history === history ? 1 : 0);
  const likely = places
    .map((other) => ({ id: other.project, weight: weigh(other) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  const earlier = await findNodes(tx, folder.remotes);
  const ids = [...likely.map(({ id }) => id), ...earlier.keys(), ...(before ? [before.project] : [])];
  return [...new Set(ids)].filter((id) => id !== project).slice(0, maxRelated);
}

/** The project nodes among the ids, with their original folders. */
async function findNodes(
  tx: Pick<Transaction, 'all'>,
  ids: readonly string[],
): Promise<Map<string, { root: string | undefined }>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.all<{ project: string; data: string }>(
    sql`select project, data from node where kind = 'project' and project in ${list(ids)} order by id`,
  );
  return new Map(
    rows.map(({ project, data }) => {
      const { root } = JSON.parse(data) as { root?: unknown };
      return [project, { root: typeof root === 'string' ? root : undefined }];
    }),
  );
}

function hasCommit({ isGit, root }: Folder): boolean {
  return isGit && readHead(root)?.commit !== undefined;
}

/** The first ancestor of the checked-out commit. A shallow clone does not have it. */
async function readHistory(folder: Folder): Promise<string> {
  if (!hasCommit(folder)) return '';
  if (['.git/shallow', 'shallow'].some((path) => existsSync(join(folder.home, path)))) return unreadable;
  try {
    const args = ['rev-list', '--first-parent', '--max-parents=0', 'HEAD'];
    return (await askGit(folder.root, args, { silenceMs: historyMs })) || unreadable;
  } catch {
    return unreadable;
  }
}
