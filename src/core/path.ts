// Paths as text: whether one is in a folder, its relative name, and `~`.
import { homedir } from 'node:os';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** The folder itself is inside. Both are taken as they are: resolve links first where they matter. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** From the folder, with slashes; empty for the folder itself. */
export function nameInside(path: string, folder: string): string {
  return relative(folder, path).split(sep).join('/');
}

/** As a person writes a folder in settings and commands. */
export function resolveHome(folder: string): string {
  return resolve(folder.replace(/^~(?=[\\/]|$)/, homedir()));
}

/** Whether the name of a project is the path of its folder; ids begin with their kind. */
export function isPath(named: string): boolean {
  return /^[.~]|[\\/]/.test(named) && !/^(git|repo|path):/.test(named);
}
