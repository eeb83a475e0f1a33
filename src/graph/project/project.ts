// Reads the evidence for the project of a folder from the disk, without starting a process. A remote is only a claim: anyone can
// write one into `.git/config`. resolve.ts decides which project it is.
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { LoreError } from '../../core/error.ts';
import { isInside } from '../../core/path.ts';
import { findGitDirectory, type GitDirectory, isPlanted, readRepository } from '../git/directory.ts';
import { hash, isUnchanged, judge, look, refuse, type Seen } from '../git/files.ts';
import { nameOf, readRemote } from '../git/remote.ts';
import { isReserved } from './reserved-folder.ts';

export interface Project {
  /** Stable: it stays when the folder moves or its remotes change. */
  readonly id: string;
  readonly name: string;
  /** The top of the working tree the folder lies in; a bare repository's or plain folder's own real path. */
  readonly root: string;
  /** Whose files these are: a project may have several trees, worktrees and clones, each with files of its own. */
  readonly tree: string;
}

export interface Folder {
  readonly root: string;
  /** What all its worktrees have in common: the main working tree, or the repository without one; else the folder itself. */
  readonly home: string;
  readonly name: string;
  readonly isGit: boolean;
  /** Identifies the home folder itself wherever it is moved; empty where the file system cannot. */
  readonly stamp: string;
  /** The id it asks for: its remote's (`git:<host>/<path>`), else one made from its own path. */
  readonly claim: string;
  /** Ids of all its remotes, the preferred one first: claims that prove nothing. */
  readonly remotes: readonly string[];
  /** Ids that only this path can have: `repo:<hash>` of a repository, `path:<hash>` of a folder. */
  readonly local: readonly string[];
  /** Its `.git` leads to a repository elsewhere that does not list it. */
  readonly isForeign?: boolean;
  /** A home folder above that is a repository: earlier versions took this folder for a part of it. */
  readonly above?: string | undefined;
}

/** The id of a tree that is not the only one its project can have, by the folder or address that identifies it. */
export function nameTree(project: string, place: string): string {
  return `${project}#${hash(place)}`;
}

/** A plain folder that became a project has its files under the project's own id. */
export function treeOf(project: string, root: string): string {
  return project === namePath(root) ? project : nameTree(project, root);
}

/** The project of a tree. */
export function projectOf(tree: string): string {
  const at = tree.indexOf('#');
  return at < 0 ? tree : tree.slice(0, at);
}

const maxCached = 256;
/** More remotes than anyone has; a hostile configuration may have thousands. */
const maxRemotes = 20;

const cache = new Map<string, { folder: Folder; seen: Seen }>();

/** The same object as long as nothing it depends on has changed. */
export function identifyFolder(path: string): Folder {
  const real = resolveFolder(path);
  const known = cache.get(real);
  if (known && isUnchanged(known.seen)) return known.folder;
  cache.delete(real);
  const seen: Seen = new Map();
  const folder = identify(real, seen);
  look(folder.home, seen);
  if (cache.size >= maxCached) cache.clear();
  cache.set(real, { folder, seen });
  return folder;
}

/** The folder's real path. */
export function resolveFolder(folder: string): string {
  if (folder === '' || folder.includes('\0')) throw refuse('invalid_input', folder, 'it is not a path');
  try {
    const real = realpathSync.native(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    const [word, state] = judge(error);
    throw refuse(word === 'unavailable' ? 'not_found' : word, folder, `it ${state}`, { cause: error });
  }
  throw refuse('invalid_input', folder, 'it is not a folder');
}

function identify(real: string, seen: Seen): Folder {
  for (let place = real; ; place = dirname(place)) {
    const found = place !== real && isPlanted(place, seen) ? undefined : findGitDirectory(place, seen);
    // A repository of dotfiles is about the home folder, not about what lies in it: that stands for itself.
    if (found && isReserved(found.root) && found.root !== real) return { ...describePlain(real), above: found.root };
    if (found) return identifyRepository(found, seen);
    if (dirname(place) === place) return describePlain(real);
  }
}

function describePlain(real: string): Folder {
  const id = namePath(real);
  const name = nameOf(real);
  return { root: real, home: real, name, isGit: false, stamp: readStamp(real), claim: id, remotes: [], local: [id] };
}

function identifyRepository(found: GitDirectory, seen: Seen): Folder {
  const { root, common, remotes: addresses, isRegistered } = readRepository(found, seen);
  const place = basename(common) === '.git' ? dirname(common) : common;
  // A worktree of a home folder's repository stands for itself, too.
  const above = place !== root && isReserved(place) ? place : undefined;
  // Without the repository's word for it, the folder stands for itself, whatever its `.git` points to.
  const isPart = isRegistered && above === undefined;
  const home = isPart ? place : root;
  const local = isPart ? [`repo:${hash(common)}`, namePath(home)] : [namePath(home)];
  const [first, ...others] = orderRemotes(addresses).slice(0, maxRemotes);
  const preferred = first === undefined ? undefined : readRemote(first, place, common, seen);
  const remotes = preferred
    ? [preferred.id, ...others.flatMap((address) => tryRemote(address, place, common, seen))]
    : [];
  return {
    root,
    home,
    name: preferred?.name ?? nameOf(home),
    isGit: true,
    stamp: readStamp(home),
    claim: preferred?.id ?? (local[0] as string),
    remotes: [...new Set(remotes)],
    local,
    ...(!isRegistered && !isInside(common, root) && { isForeign: true }),
    ...(isRegistered && above !== undefined && { above }),
  };
}

/** The addresses: of `origin` first, then by name. */
function orderRemotes(remotes: ReadonlyMap<string, string>): string[] {
  const rank = (name: string) => (name === 'origin' ? 0 : 1);
  return [...remotes].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1)).map(([, address]) => address);
}

/** A further remote that cannot be understood is no reason to refuse the folder. */
function tryRemote(address: string, place: string, common: string, seen: Seen): string[] {
  try {
    return [readRemote(address, place, common, seen).id];
  } catch (error) {
    if (error instanceof LoreError) return [];
    throw error;
  }
}

function namePath(path: string): string {
  return `path:${hash(path)}`;
}

/** An inode number is used again after a deletion, so it counts only together with the time of its birth. */
export function readStamp(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && stats.birthtimeNs > 0n ? `${stats.ino}:${stats.birthtimeNs}` : '';
}
