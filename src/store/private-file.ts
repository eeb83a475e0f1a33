// Creates files that only their owner can read, from the first byte and whatever the umask.
import { chmodSync, closeSync, fchmodSync, fstatSync, openSync, statSync } from 'node:fs';

/** Creates an empty private file, or restricts an existing one. Other failures appear when the file is opened. */
export function makePrivate(path: string): void {
  try {
    const file = openSync(path, 'wx', 0o600);
    // The umask may have removed the owner's rights as well.
    fchmodSync(file, 0o600);
    closeSync(file);
  } catch {
    tighten(path);
  }
}

/**
 * Removes other users' right to read a file that only the owner can write, as earlier versions created it. A file that
 * others can write is shared on purpose.
 */
export function tighten(path: string): void {
  try {
    const { mode, uid } = statSync(path);
    const isOurs = uid === process.getuid?.();
    if (isOurs && (mode & 0o022) === 0 && (mode & 0o077) !== 0) chmodSync(path, mode & 0o700);
  } catch {
    // It does not exist.
  }
}

/** Opens a regular file for overwriting. */
export function openPrivate(path: string): number {
  const file = openSync(path, 'w', 0o600);
  // An existing file may be readable by others. Pipes and devices are not changed.
  if (fstatSync(file).isFile()) fchmodSync(file, 0o600);
  return file;
}
