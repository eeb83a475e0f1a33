// Keeps a folder open while it is read, so that replacing it with a link has no effect. Large folders are listed in slices
// that let other work run, and files of this installation are left out.
import { closeSync, constants, type Dir, type Dirent, lstatSync, opendirSync, openSync, realpathSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type OpenRefusal, pathOf, refusalOf } from './open.ts';
import { findOwnNames } from './own.ts';

export interface HeldFolder {
  /** Its real path. */
  folder: string;
  /** Names below this path are names in the open folder. */
  path: string;
  /** Call after reading. */
  isStill(): boolean;
  close(): void;
}

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

interface Listed {
  /** Each followed by its kind: see `kindOf`. */
  entries: string[];
  /** There were more. */
  isCut: boolean;
}

/** Called between slices to let other work run. */
export type OptionalPause = () => Promise<void> | undefined;

/** Yields to other work after this time, in ms. */
export function createPause(longestMs: number, signal?: AbortSignal): OptionalPause {
  let since = performance.now();
  return () => {
    if (performance.now() - since < longestMs) return undefined;
    return nextTurn().then(() => {
      signal?.throwIfAborted();
      since = performance.now();
    });
  };
}

const entriesAtOnce = 512;
const sortedAtOnce = 4_096;
const letters: Record<EntryKind, string> = { file: 'f', folder: 'd', link: 'l', other: 'o' };
const kinds = Object.fromEntries(Object.entries(letters).map(([kind, letter]) => [letter, kind]));

/** `folder` should be a real path: if it contains a link, it is not opened. */
export function holdFolder(folder: string): HeldFolder | OpenRefusal {
  try {
    const stats = lstatSync(folder);
    if (!stats.isDirectory()) return stats.isSymbolicLink() ? 'link' : 'special';
    const held = process.platform === 'linux' ? holdOpen(folder) : undefined;
    return held ?? watchFolder(folder);
  } catch (error) {
    return refusalOf(error);
  }
}

/** Undefined if the kernel does not report open files. */
function holdOpen(folder: string): HeldFolder | OpenRefusal | undefined {
  const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const fd = openSync(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
  const held = pathOf(fd);
  const close = () => closeSync(fd);
  if (held === folder) return { folder, path: `/proc/self/fd/${fd}`, isStill: () => true, close };
  close();
  return held === undefined ? undefined : 'link';
}

/** The result is valid only if the path still leads to the folder. */
function watchFolder(folder: string): HeldFolder | OpenRefusal {
  const isStill = () => {
    try {
      return realpathSync.native(folder) === folder;
    } catch {
      return false;
    }
  };
  return isStill() ? { folder, path: folder, isStill, close: () => {} } : 'link';
}

/** The names in order; a caller with few of them needs no pause. */
export async function listFolder(
  folder: string,
  most: number,
  pause: OptionalPause = () => undefined,
): Promise<Listed | OpenRefusal> {
  const held = holdFolder(folder);
  if (typeof held === 'string') return held;
  try {
    const listed = await listHeld(held, most, pause);
    return held.isStill() ? listed : 'link';
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return refusalOf(error);
    throw error;
  } finally {
    held.close();
  }
}

export async function listHeld({ folder, path }: HeldFolder, most: number, pause: OptionalPause): Promise<Listed> {
  const listed = await readEntries(opendirSync(path, { bufferSize: entriesAtOnce }), most, pause, findOwnNames(folder));
  return { ...listed, entries: await sortEntries(listed.entries, pause) };
}

export function kindOf(entry: string): EntryKind {
  return kinds[entry.at(-1) as string] as EntryKind;
}

export function nameOf(entry: string): string {
  return entry.slice(0, -2);
}

async function readEntries(
  folder: Dir,
  most: number,
  pause: OptionalPause,
  isOwn?: (name: string) => boolean,
): Promise<Listed> {
  const entries: string[] = [];
  let isCut = false;
  try {
    for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
      if (entries.length >= most) {
        isCut = true;
        break;
      }
      if (isOwn?.(entry.name)) continue;
      // A character that names cannot contain separates the kind, and sorts before all others.
      entries.push(`${entry.name}\0${letters[kindOfEntry(entry)]}`);
      if (entries.length % entriesAtOnce === 0) await pause();
    }
  } finally {
    folder.closeSync();
  }
  return { entries, isCut };
}

function kindOfEntry(entry: Dirent): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

async function sortEntries(entries: string[], pause: OptionalPause): Promise<string[]> {
  if (entries.length <= sortedAtOnce) return entries.sort();
  let runs: string[][] = [];
  for (let at = 0; at < entries.length; at += sortedAtOnce) {
    runs.push(entries.slice(at, at + sortedAtOnce).sort());
    await pause();
  }
  while (runs.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await merge(runs[at] as string[], runs[at + 1] ?? [], pause));
    }
    runs = merged;
  }
  return runs[0] as string[];
}

async function merge(left: string[], right: string[], pause: OptionalPause): Promise<string[]> {
  if (right.length === 0) return left;
  const merged: string[] = [];
  let [atLeft, atRight] = [0, 0];
  while (atLeft < left.length && atRight < right.length) {
    const [first, second] = [left[atLeft] as string, right[atRight] as string];
    if (first < second) atLeft++;
    else atRight++;
    merged.push(first < second ? first : second);
    if (merged.length % sortedAtOnce === 0) await pause();
  }
  for (; atLeft < left.length; atLeft++) merged.push(left[atLeft] as string);
  for (; atRight < right.length; atRight++) merged.push(right[atRight] as string);
  return merged;
}
