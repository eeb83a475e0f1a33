// Creates files that only their owner can read, from the first byte and whatever the umask.
import { chmodSync, closeSync, fchmodSync, fstatSync, openSync, statSync } from 'node:fs';

/** Creates an empty file, or tightens the one that is there. Other failures are left to whoever opens it. */
export function makePrivate(path: string): void {
  try {
    const file = openSync(path, 'wx', 0o600);
    // A umask may have taken more than others' rights.
    fchmodSync(file, 0o600);
    closeSync(file);
  } catch {
    tighten(path);
  }
}

/**
 * Others lose the right to read what only the owner may write, which is how earlier versions made it. A file that others
 * may write is shared on purpose.
 */
export function tighten(path: string): void {
  try {
    const { mode, uid } = statSync(path);
    const isOurs = uid === process.getuid?.();
    if (isOurs && (mode & 0o022) === 0 && (mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
  } catch {
    // It is not there.
  }
}

/** Opens a regular file to be written anew. */
export function openPrivate(path: string): number {
  const file = openSync(path, 'w', 0o600);
  // It may have been there before, for others to read. A pipe or a device is nobody's.
  if (fstatSync(file).isFile()) fchmodSync(file, 0o600);
  return file;
}
