// Whether a folder is in `ignore_folders`: by path, with `~` and `*`, or by the name of any folder above it. Subfolders are
// included.
import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { resolveHome } from '../core/path.ts';
import { matchGlob, parseGlob } from './glob.ts';

export function isIgnoredFolder(folder: string, patterns: readonly string[]): boolean {
  if (patterns.length === 0) return false;
  const places = new Set([resolve(folder), realOf(folder)]);
  return patterns.some((pattern) => [...places].some((place) => matches(place, pattern)));
}

function matches(folder: string, pattern: string): boolean {
  const parts = splitPath(folder);
  const isName = !/[\\/]/.test(pattern) && !pattern.startsWith('~');
  if (isName) {
    const glob = parseGlob(pattern);
    return glob !== undefined && parts.some((part) => part === pattern || matchGlob(glob, [part]));
  }
  const wanted = splitPath(resolveHome(pattern));
  const glob = parseGlob(wanted.join('/'));
  return parts.some((_, i) => {
    const above = parts.slice(0, i + 1);
    return above.join('/') === wanted.join('/') || (glob !== undefined && matchGlob(glob, above));
  });
}

function splitPath(path: string): string[] {
  return path.split(sep).filter((part) => part !== '');
}

function realOf(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return resolve(folder);
  }
}
