// Reports changes of single files to subscribers. It polls, because editors replace files, and network folders report nothing.
import { lstatSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { LoreError } from '../../../core/error.ts';
import { openInside } from '../../../files/inside.ts';

const lookEveryMs = 500;
const mostFiles = 1_000;

interface WatchedFile {
  stamp: string;
  listeners: Set<() => void>;
}

const watched = new Map<string, WatchedFile>();
let isLooking = false;

/** Refuses what cannot be read. Returns a function that ends it. */
export async function watchFile(root: string, path: string, changed: () => void): Promise<() => void> {
  const { file } = await openInside(root, path);
  file.close();
  const one = watched.get(file.path) ?? {
    stamp: describe(lstatSync(file.path, { bigint: true })),
    listeners: new Set(),
  };
  if (watched.size >= mostFiles && one.listeners.size === 0) {
    throw new LoreError('limit_exceeded', `Cannot subscribe to "${path}": ${mostFiles} files are watched already`);
  }
  // The same function may watch for several subscribers.
  const listener = () => changed();
  one.listeners.add(listener);
  watched.set(file.path, one);
  if (!isLooking) lookLater();
  return () => {
    one.listeners.delete(listener);
    if (one.listeners.size === 0) watched.delete(file.path);
  };
}

async function look(): Promise<void> {
  for (const [path, one] of watched) {
    const stamp = await lstat(path, { bigint: true }).then(describe, () => 'missing');
    if (stamp === one.stamp) continue;
    one.stamp = stamp;
    for (const listener of one.listeners) listener();
  }
  if (watched.size > 0) lookLater();
  else isLooking = false;
}

function lookLater(): void {
  isLooking = true;
  setTimeout(look, lookEveryMs).unref();
}

function describe({
  mtimeNs,
  ctimeNs,
  size,
  ino,
}: {
  mtimeNs: bigint;
  ctimeNs: bigint;
  size: bigint;
  ino: bigint;
}): string {
  return `${mtimeNs} ${ctimeNs} ${size} ${ino}`;
}
