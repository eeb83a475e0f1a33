// The entries of one folder, in order. It is read in slices, so that a folder of a million files holds up nobody, and only
// if the path still leads to the folder that was meant: a link may have been put in its place.
import {
  closeSync,
  constants,
  type Dir,
  type Dirent,
  opendirSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';

type EntryKind = 'file' | 'folder' | 'link' | 'other';

interface Listed {
  /** Each with its kind behind it: see `kindOf`. */
  entries: string[];
  /** There were more. */
  isCut: boolean;
}

/** Called between slices: gives others their turn. */
export type Pause = () => Promise<void> | undefined;

const entriesAtOnce = 512;
const sortedAtOnce = 4_096;
const letters: Record<EntryKind, string> = { file: 'f', folder: 'd', link: 'l', other: 'o' };
const kinds = Object.fromEntries(Object.entries(letters).map(([kind, letter]) => [letter, kind]));

/** Throws what the system says; 'link' where the path leads elsewhere. */
export async function listFolder(path: string, most: number, pause: Pause): Promise<Listed | 'link'> {
  const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  if (process.platform !== 'linux') {
    const listed = await readEntries(opendirSync(path, { bufferSize: entriesAtOnce }), most, pause);
    return realpathSync.native(path) === path ? listed : 'link';
  }
  let held: number;
  try {
    held = openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (['ELOOP', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return 'link';
    throw error;
  }
  try {
    // The kernel's own word for what is open; and it is read through what is open.
    const open = `/proc/self/fd/${held}`;
    if (readlinkSync(open) !== path) return 'link';
    return await readEntries(opendirSync(open, { bufferSize: entriesAtOnce }), most, pause);
  } finally {
    closeSync(held);
  }
}

export function kindOf(entry: string): EntryKind {
  return kinds[entry.at(-1) as string] as EntryKind;
}

export function nameOf(entry: string): string {
  return entry.slice(0, -2);
}

async function readEntries(folder: Dir, most: number, pause: Pause): Promise<Listed> {
  const entries: string[] = [];
  let isCut = false;
  try {
    for (let entry = folder.readSync(); entry; entry = folder.readSync()) {
      if (entries.length >= most) {
        isCut = true;
        break;
      }
      // What cannot be in a name parts it from its kind, and sorts before all that can.
      entries.push(`${entry.name}\0${letters[kindOfEntry(entry)]}`);
      if (entries.length % entriesAtOnce === 0) await pause();
    }
  } finally {
    folder.closeSync();
  }
  return { entries: await sortEntries(entries, pause), isCut };
}

function kindOfEntry(entry: Dirent): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

async function sortEntries(entries: string[], pause: Pause): Promise<string[]> {
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

async function merge(left: string[], right: string[], pause: Pause): Promise<string[]> {
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
