// The folders that the file tools may read, and whether a path is inside them after links are resolved.
import { realpathSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Caller } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import { isInside, nameInside } from '../../../core/path.ts';
import { isOwnFile } from '../../../files/own.ts';
import type { Folders } from '../../../graph/project/grant.ts';

export interface Roots {
  /** The caller's folder: relative paths begin here. */
  from: string;
  /** Real paths, none inside another. The first may be the project's. */
  folders: readonly string[];
  /** As callers know it: from where they work, or as a whole. */
  nameOf(path: string): string;
}

export async function openRoots(folders: Folders, caller: Caller): Promise<Roots> {
  const { folder, tops } = await folders.list(caller);
  const from = realpathSync.native(folder);
  const project = tops.find((top) => isInside(from, top)) ?? from;
  return {
    from,
    folders: tops,
    nameOf(path) {
      const base = isInside(path, from) ? from : project;
      return isInside(path, base) ? nameInside(path, base) || '.' : path;
    },
  };
}

/** The real path of something that is there. */
export async function resolveWithin(roots: Roots, given: string, action: string): Promise<string> {
  const fail = (state: string) => pathError(given, state, action);
  if (given.includes('\0')) throw fail('it is not a path');
  if (process.platform === 'win32' && /^[\\/]{2}|:(?!\\)/.test(given.replace(/^[A-Za-z]:[\\/]/, ''))) {
    throw fail('it names a device, a stream or another machine');
  }
  const asked = given.startsWith('~') ? join(homedir(), given.slice(1)) : resolve(roots.from, given);
  const isAllowed = (path: string) => roots.folders.some((folder) => isInside(path, folder)) && !isOwnFile(path);
  const real = await realpath(asked).catch(() => undefined);
  if (real !== undefined) {
    if (isAllowed(real)) return real;
    throw fail('it is outside the allowed folders');
  }
  // Outside of them, even the existence of a file is not revealed.
  const near = await resolveNearest(asked);
  if (near === undefined || !isAllowed(near)) throw fail('it is outside the allowed folders');
  throw new LoreError('not_found', `Cannot ${action} "${given}": there is no such file`, {
    details: { path: 'arguments.path', expected: 'a path that exists', received: given },
  });
}

/** The real path of the last existing folder on the path; undefined at a broken link. */
async function resolveNearest(path: string): Promise<string | undefined> {
  for (let place = path; ; place = dirname(place)) {
    const found = await realpath(place).catch(() => undefined);
    if (found !== undefined) return found;
    if (dirname(place) === place || (await lstat(place).catch(() => undefined))) return undefined;
  }
}

const hint = 'A person can allow another folder: lore allow --root <folder>';

export function pathError(given: string, state: string, action: string): LoreError {
  return new LoreError('forbidden', `Cannot ${action} "${given}": ${state}`, {
    hint,
    details: { path: 'arguments.path', expected: 'a path within the project or the setting roots', received: given },
  });
}
