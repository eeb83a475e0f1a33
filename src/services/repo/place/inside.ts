// Files of a repository, opened so that nothing outside it is ever read: links are resolved first, and what was opened is
// held against what was resolved, since a link may be put in its place in between.
import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { isInside, nameInside } from '../../../core/path.ts';
import { isGitFolder, readPath, refusePath, type Said } from './path.ts';

export interface Resolved {
  /** Without links. */
  real: string;
  /** As it is known in the repository: from its root, with slashes, links and all; empty for the root. */
  name: string;
}

export interface OpenFile {
  name: string;
  handle: FileHandle;
  size: number;
  modified: number;
}

const said: Said = { action: 'read', argument: 'arguments.path' };
/** Editors save by putting another file in the place of the first. */
const attempts = 3;

/** `root` is a real path. */
export async function resolveInside(root: string, given: string): Promise<Resolved> {
  const name = readPath(await aboveLinks(root, given), root, said);
  const asked = join(root, name);
  let real: string;
  try {
    real = await realpath(asked);
  } catch (error) {
    throw await explain(root, name, given, error);
  }
  if (!isInside(real, root)) throw refusePath(given, 'it leads out of the repository', said);
  if (nameInside(real, root).split('/').some(isGitFolder)) throw refusePath(given, 'it belongs to git', said);
  return { real, name };
}

export async function openInside(root: string, given: string): Promise<OpenFile> {
  for (let attempt = 1; ; attempt++) {
    const { real, name } = await resolveInside(root, given);
    refuseOdd(await lstat(real).catch((error) => rethrow(given, error)), given);
    const handle = await openReal(real, given);
    try {
      const found = await handle.stat();
      refuseOdd(found, given);
      if (await isStillThere(handle, found, real)) {
        return { name, handle, size: found.size, modified: found.mtimeMs };
      }
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
    if (attempt === attempts) throw refusePath(given, 'it is replaced while it is read', said);
  }
}

/** Never waits for a pipe's other end, and never follows a link. */
function openReal(real: string, given: string): Promise<FileHandle> {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  return open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW).catch((error) => rethrow(given, error));
}

async function isStillThere(handle: FileHandle, opened: Stats, real: string): Promise<boolean> {
  // The kernel's own word for what is open; elsewhere what is there now must be the same file.
  const held = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined);
  if (held !== undefined) return held === real;
  const [now, there] = await Promise.all([realpath(real), stat(real)]).catch(() => []);
  return now === real && there?.ino === opened.ino && there.dev === opened.dev;
}

function refuseOdd(found: Stats, given: string): void {
  if (found.isDirectory()) {
    throw new LoreError('invalid_input', `Cannot read "${given}": it is a folder`, {
      hint: 'list_files shows what is in it.',
      details: { path: said.argument, expected: 'a file', received: given },
    });
  }
  if (!found.isFile()) throw refusePath(given, 'it is not a regular file', said);
}

/** An absolute path may go through a link above the root, as those of temporary folders do on macOS. */
async function aboveLinks(root: string, given: string): Promise<string> {
  if (given.includes('\0') || !isAbsolute(given) || isInside(given, root)) return given;
  const real = await realpath(given).catch(() => given);
  return isInside(real, root) ? real : given;
}

async function explain(root: string, name: string, given: string, error: unknown): Promise<LoreError> {
  const { code } = error as NodeJS.ErrnoException;
  // Whether there is something at a link's other end is nobody's business outside the repository.
  if (code === 'ENOENT' && (await isDangling(root, name)))
    return refusePath(given, 'it is a link that is broken', said);
  return errorOf(given, error);
}

async function isDangling(root: string, name: string): Promise<boolean> {
  let path = root;
  for (const segment of name.split('/')) {
    path = join(path, segment);
    const found = await lstat(path).catch(() => undefined);
    if (!found) return false;
    if (found.isSymbolicLink() && (await realpath(path).catch(() => undefined)) === undefined) return true;
  }
  return false;
}

function rethrow(given: string, error: unknown): never {
  throw errorOf(given, error);
}

export function errorOf(given: string, cause: unknown): LoreError {
  const { code = '' } = cause as NodeJS.ErrnoException;
  const details = { path: said.argument, expected: 'a file of the repository', received: given };
  if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes(code)) {
    return new LoreError('not_found', `Cannot read "${given}": there is no such file`, {
      hint: 'list_files shows what there is.',
      details,
      cause,
    });
  }
  if (code === 'ELOOP') return refusePath(given, 'it is a circle of links', said);
  if (code === 'EACCES' || code === 'EPERM') return refusePath(given, 'its owner lets nobody read it', said);
  if (code === 'ENXIO') return refusePath(given, 'it is not a regular file', said);
  return new LoreError('unavailable', `Cannot read "${given}": the disk does not give it`, { details, cause });
}
