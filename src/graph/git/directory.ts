// Finds the repository of a folder without starting git. GIT_DIR, includes and the user's configuration are ignored, because
// the result must not depend on the caller.
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseGitConfig } from './config.ts';
import { attempt, broken, isFolder, look, readSmall, type Seen } from './files.ts';

export interface GitDirectory {
  /** Top of the working tree, or the folder of a bare repository. */
  root: string;
  gitDirectory: string;
}

export interface Repository extends GitDirectory {
  /** The directory shared by all worktrees. */
  common: string;
  /** The first URL of every remote, from which git fetches. */
  remotes: Map<string, string>;
  /** Whether the repository itself lists `root` as one of its working trees. */
  isRegistered: boolean;
}

/**
 * In a world-writable folder such as /tmp, any user can create a repository that contains everything below. A repository
 * counts only if its owner is the user, the system, or the owner of the folder.
 */
export function isPlanted(place: string, seen: Seen): boolean {
  const own = process.getuid?.();
  const folder = attempt(place, () => statSync(place));
  if (own === undefined || (folder.mode & 0o002) === 0) return false;
  return ['.git', 'HEAD'].some((name) => {
    const path = join(place, name);
    const owner = look(path, seen) ? attempt(path, () => lstatSync(path).uid) : own;
    return ![0, own, folder.uid].includes(owner);
  });
}

export function findGitDirectory(place: string, seen: Seen): GitDirectory | undefined {
  const dotGit = join(place, '.git');
  if (look(dotGit, seen)) {
    const pointed = isFolder(dotGit) ? dotGit : readPointer(dotGit, 'gitdir: ');
    return { root: place, gitDirectory: resolveGit(resolve(place, pointed), dotGit) };
  }
  if (!look(join(place, 'HEAD'), seen) || !isGitDirectory(place, seen)) return undefined;
  // A bare repository, or a folder inside `.git`.
  return { root: basename(place) === '.git' ? dirname(place) : place, gitDirectory: place };
}

export function readRepository({ root, gitDirectory }: GitDirectory, seen: Seen): Repository {
  const common = resolveCommon(gitDirectory, seen);
  const config = join(common, 'config');
  look(config, seen);
  const remotes = new Map<string, string>();
  let worktree: string | undefined;
  for (const { section, subsection, key, value } of parseGitConfig(readSmall(config), config)) {
    if (section === 'core' && subsection === undefined && key === 'worktree') worktree = value;
    if (section !== 'remote' || key !== 'url' || subsection === undefined || value === '') continue;
    if (!remotes.has(subsection)) remotes.set(subsection, value);
  }
  const isRegistered = isOwnTree({ root, gitDirectory }, common, worktree, seen);
  return { root, gitDirectory, common, remotes, isRegistered };
}

/**
 * A folder's `.git` file may point anywhere, and the author of the folder wrote it. Only the files of the repository prove
 * that the folder belongs to it: they are inside it, list it as a worktree, or name it as the working tree of a submodule.
 */
function isOwnTree(
  { root, gitDirectory }: GitDirectory,
  common: string,
  worktree: string | undefined,
  seen: Seen,
): boolean {
  if (gitDirectory === common && (root === common || join(root, '.git') === common)) return true;
  if (gitDirectory === common) return worktree !== undefined && isSamePath(resolve(common, worktree), root);
  const back = join(gitDirectory, 'gitdir');
  if (dirname(gitDirectory) !== join(common, 'worktrees') || !look(back, seen)) return false;
  const tree = dirname(resolve(gitDirectory, readPointer(back, '')));
  // Inside the worktree's own directory, which git lists.
  return root === gitDirectory || isSamePath(tree, root);
}

function isSamePath(path: string, real: string): boolean {
  try {
    return realpathSync.native(path) === real;
  } catch {
    return false;
  }
}

function isGitDirectory(place: string, seen: Seen): boolean {
  return look(join(place, 'commondir'), seen) || ['objects', 'refs'].every((part) => isFolder(join(place, part)));
}

/** Worktrees share one directory, named in `commondir`; a submodule has none and is its own. */
export function resolveCommon(gitDirectory: string, seen: Seen): string {
  checkHead(join(gitDirectory, 'HEAD'));
  const pointer = join(gitDirectory, 'commondir');
  const pointed = look(pointer, seen) ? readPointer(pointer, '') : '.';
  const common = resolveGit(resolve(gitDirectory, pointed), pointer);
  for (const part of ['objects', 'refs']) {
    if (!isFolder(join(common, part))) throw broken(join(common, part), 'it is missing');
  }
  return common;
}

function checkHead(path: string): void {
  const link = attempt(path, () => (lstatSync(path).isSymbolicLink() ? readlinkSync(path) : ''));
  if (link.startsWith('refs/')) return;
  if (!/^(?:ref:\s*refs\/|[0-9a-f]{40}(?:[0-9a-f]{24})?\s*$)/.test(readSmall(path))) {
    throw broken(path, 'it names no branch or commit');
  }
}

function readPointer(path: string, prefix: string): string {
  const text = readSmall(path);
  const target = text.startsWith(prefix) ? text.slice(prefix.length).replace(/\r?\n$/, '') : '';
  if (target === '' || /[\0\n]/.test(target)) throw broken(path, 'it does not say where the repository is');
  return target;
}

function resolveGit(path: string, source: string): string {
  const real = attempt(source, () => realpathSync.native(path), 'the repository it points to');
  if (!isFolder(real)) throw broken(source, 'what it points to is not a folder');
  return real;
}
