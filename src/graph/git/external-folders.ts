// Finds the folders outside a repository that git would read: through `.git` files, `commondir`, links among references and
// objects, and alternates. The author of the folder wrote all of these, so none of them can be trusted.
import { type Dirent, realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isInside } from '../../core/path.ts';
import { findGitDirectory, readRepository } from './directory.ts';
import { broken, readSmall } from './files.ts';

export interface OutsideFolders {
  gitDirectory: string;
  /** Real paths of the folders outside that git would read. */
  others: string[];
}

/** Where git keeps references and objects; hooks, logs and settings lead nowhere. */
const sent = ['refs', 'objects', 'reftable'];
/** Each may lead to more. */
const mostFolders = 20_000;

/** Empty if the folder is not a repository. `folder` is a real path. */
export async function findOutsideFolders(folder: string): Promise<OutsideFolders | undefined> {
  const found = findGitDirectory(folder, new Map());
  if (!found) return undefined;
  const { gitDirectory, common, isRegistered } = readRepository(found, new Map());
  // The repository may list the folder as one of its working trees.
  const own = isRegistered ? [folder, gitDirectory, common] : [folder];
  const reached = new Set([gitDirectory, common]);
  const tops = [...reached];
  for (const place of reached) {
    for (const next of await listNext(place, tops.includes(place))) reached.add(next);
    if (reached.size > mostFolders) throw broken(gitDirectory, 'it has too many folders');
  }
  return { gitDirectory, others: [...reached].filter((place) => !own.some((one) => isInside(place, one))) };
}

/** The folders that git reads next from one folder. */
async function listNext(place: string, isTop: boolean): Promise<string[]> {
  const entries: Dirent[] = await readdir(place, { withFileTypes: true }).catch(() => []);
  const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => leadOf(join(place, name)));
  const folders = entries.filter((entry) => entry.isDirectory() && (!isTop || sent.includes(entry.name)));
  const alternates = entries.some(({ name }) => name === 'alternates') ? readAlternates(place) : [];
  return [...folders.map(({ name }) => join(place, name)), ...links, ...alternates];
}

/** `info/alternates` lists object folders, relative to the folder that contains `info`. */
function readAlternates(info: string): string[] {
  const lines = readSmall(join(info, 'alternates')).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => leadOf(resolve(info, '..', line)));
}

/** The folder at a path, or the folder of the file there. */
function leadOf(path: string): string {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : dirname(real);
  } catch {
    // It may exist a moment later.
    return path;
  }
}
