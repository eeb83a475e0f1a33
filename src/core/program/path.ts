// Finds programs on PATH, except in folders of a project: programs from a repository must not be run, neither by us nor by a
// program that we run. It is synchronous, because asynchronous calls would take longer, and starting a program blocks anyway.
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../path.ts';

/** A path by the name it has on PATH: there are programs that are several and go by it. */
export async function findProgram(name: string, outside: readonly string[], path?: string) {
  return findIn(name, trustPath(outside, path));
}

/** The folders of PATH that may be searched for programs. */
interface TrustedPath {
  folders: readonly string[];
  /** Real paths of folders whose programs are not run. */
  roots: readonly string[];
}

/** Excludes these folders and the repositories that contain them. */
export function trustPath(outside: readonly string[], path = process.env.PATH ?? ''): TrustedPath {
  const roots = [...new Set(outside.flatMap(findRoots))];
  const folders = path.split(delimiter).filter((folder) => {
    if (!isAbsolute(folder) || isOfPackages(folder)) return false;
    return !isAmong(folder, roots) && !isAmong(resolveLinks(folder), roots);
  });
  return { folders, roots };
}

export function findIn(name: string, { folders, roots }: TrustedPath): string | undefined {
  const file = process.platform === 'win32' && !/\.\w+$/.test(name) ? `${name}.exe` : name;
  return folders
    .map((folder) => join(folder, file))
    .find((found) => isRunnable(found) && !isAmong(resolveLinks(found), roots));
}

/**
 * The folder as given and as a real path, and the repositories around it. A folder that contains the user's home is not
 * excluded, because it is not an untrusted project.
 */
function findRoots(folder: string): string[] {
  const real = resolveLinks(folder);
  const home = resolveLinks(homedir());
  const holdsAll = (root: string) => root === dirname(root) || isInside(home, root);
  const roots = [folder, real];
  for (let above = dirname(real); !holdsAll(above); above = dirname(above)) {
    if (existsSync(join(above, '.git'))) roots.push(above);
  }
  return roots.filter((root) => !holdsAll(root));
}

/** npm's folder of package programs; npm adds those of all folders above to PATH. */
function isOfPackages(folder: string): boolean {
  return basename(folder) === '.bin' && basename(dirname(folder)) === 'node_modules';
}

function isAmong(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => isInside(path, root));
}

function resolveLinks(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function isRunnable(path: string): boolean {
  try {
    // Most folders do not contain it; without exceptions the check is fast.
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
