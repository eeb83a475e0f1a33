// Reads the evidence for the project of a folder from the disk, without starting a process. A remote is only a claim: anyone can
// write one into `.git/config`. resolve.ts decides which project it is.
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { LoreError } from '../../core/error.ts';
import { isInside } from '../../core/path.ts';
import { findGitDirectory, type GitDirectory, isPlanted, readRepository } from '../git/directory.ts';
import { gitError, hash, isUnchanged, judge, look, type Seen } from '../git/files.ts';
import { nameOf, readRemote } from '../git/remote.ts';
import { isReserved } from './reserved-folder.ts';

export interface Project {
  /** Stable: unchanged when the folder moves or its remotes change. */
  readonly id: string;
  readonly name: string;
  /** Top of the folder's working tree; real path of a bare repository or plain folder. */
  readonly root: string;
  /** Id of the tree: a project may have several worktrees and clones, each with its own files. */
  readonly tree: string;
}

export interface Folder {
  readonly root: string;
  /** Common to all its worktrees: the main working tree, or the bare repository; else the folder itself. */
  readonly home: string;
  readonly name: string;
  readonly isGit: boolean;
  /** Identifies the home folder even after a move; empty if the file system does not support it. */
  readonly stamp: string;
  /** The preferred id: that of its remote (`git:<host>/<path>`), else one from its path. */
  readonly claim: string;
  /** Ids of all its remotes, the preferred one first; they prove nothing. */
  readonly remotes: readonly string[];
  /** Ids that only this path can have: `repo:<hash>` of a repository, `path:<hash>` of a folder. */
  readonly local: readonly string[];
  /** Its `.git` points to a repository that does not list it. */
  readonly isForeign?: boolean;
  /** A home folder above that is a repository: earlier versions treated this folder as part of it. */
  readonly above?: string | undefined;
}

/** The id of an additional tree of a project, from the folder or URL that identifies it. */
export function nameTree(project: string, place: string): string {
  return `${project}#${hash(place)}`;
}

/** The files of a plain folder that became a project are under the project's own id. */
export function treeOf(project: string, root: string): string {
  return project === namePath(root) ? project : nameTree(project, root);
}

/** The project of a tree. */
export function projectOf(tree: string): string {
  const at = tree.indexOf('#');
  return at < 0 ? tree : tree.slice(0, at);
}

const maxCached = 256;
/** Most remotes; a hostile configuration may have thousands. */
const maxRemotes = 20;

const cache = new Map<string, { folder: Folder; seen: Seen }>();

/** The same object while nothing that it depends on has changed. */
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
  if (folder === '' || folder.includes('\0')) throw gitError('invalid_input', folder, 'it is not a path');
  try {
    const real = realpathSync.native(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    const [word, state] = judge(error);
    throw gitError(word === 'unavailable' ? 'not_found' : word, folder, `it ${state}`, { cause: error });
  }
  throw gitError('invalid_input', folder, 'it is not a folder');
}

function identify(real: string, seen: Seen): Folder {
  for (let place = real; ; place = dirname(place)) {
    const found = place !== real && isPlanted(place, seen) ? undefined : findGitDirectory(place, seen);
    // A repository of dotfiles is about the home folder, not about its subfolders, which are separate.
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
  // A worktree of a home folder's repository is separate as well.
  const above = place !== root && isReserved(place) ? place : undefined;
  // If the repository does not list it, the folder is separate, whatever its `.git` points to.
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

/** The URLs: `origin` first, then by name. */
function orderRemotes(remotes: ReadonlyMap<string, string>): string[] {
  const rank = (name: string) => (name === 'origin' ? 0 : 1);
  return [...remotes].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1)).map(([, address]) => address);
}

/** Ignores a further remote that cannot be parsed. */
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

/** Inode numbers are reused after a deletion, so the birth time is included. */
export function readStamp(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && stats.birthtimeNs > 0n ? `${stats.ino}:${stats.birthtimeNs}` : '';
}
