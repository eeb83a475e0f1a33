// A program's settings file: replaced atomically, with links followed and modes kept. Files that are not text or not writable
// are left unchanged.
import {
  chownSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { LoreError } from '../core/error.ts';

export interface ConfigFile {
  /** The path that the program uses. */
  file: string;
  /** The target of a link, or the same path. */
  target: string;
  exists: boolean;
  bytes: Buffer;
  text: string;
}

export function readConfigFile(file: string): ConfigFile {
  const target = followLinks(file);
  const bytes = readOrNothing(file, target);
  if (!bytes) return { file, target, exists: false, bytes: Buffer.alloc(0), text: '' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { file, target, exists: true, bytes, text };
  } catch {
    throw new LoreError('invalid_input', `Cannot change "${file}": it is not UTF-8`);
  }
}

function readOrNothing(file: string, target: string): Buffer | undefined {
  try {
    return readFileSync(target);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw failure(file, error);
  }
}

/** Also if the last link has no target yet. */
function followLinks(file: string): string {
  let place = file;
  for (let hops = 0; hops < 40; hops++) {
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (!stats?.isSymbolicLink()) return stats ? realpathSync(place) : place;
    place = resolve(dirname(place), readlinkSync(place));
  }
  throw new LoreError('conflict', `Cannot change "${file}": it is a circular link`);
}

/** A read-only file could be replaced, but someone made it read-only on purpose. */
export function expectWritable({ file, target }: ConfigFile): void {
  const stats = statSync(target, { throwIfNoEntry: false });
  if (stats && (stats.mode & 0o222) === 0) {
    throw new LoreError('forbidden', `Cannot change "${file}": it is read-only`);
  }
}

/** Replaces the file atomically; returns the created folders, innermost first. */
export function writeConfigFile(
  { file, target }: Pick<ConfigFile, 'file' | 'target'>,
  bytes: Uint8Array,
  mode?: number,
): string[] {
  const before = statSync(target, { throwIfNoEntry: false });
  try {
    const made = makeFolders(dirname(target));
    const passing = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
    try {
      const handle = openSync(passing, 'wx', mode ?? (before ? before.mode & 0o777 : 0o600));
      try {
        writeSync(handle, bytes);
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      if (before && process.getuid && before.uid !== process.getuid()) chownSync(passing, before.uid, before.gid);
      renameSync(passing, target);
    } catch (error) {
      rmSync(passing, { force: true });
      throw error;
    }
    return made;
  } catch (error) {
    throw failure(file, error);
  }
}

function makeFolders(folder: string): string[] {
  const made: string[] = [];
  for (let place = folder; !statSync(place, { throwIfNoEntry: false }); place = dirname(place)) made.push(place);
  mkdirSync(folder, { recursive: true });
  return made;
}

export function deleteConfigFile({ file, target }: Pick<ConfigFile, 'file' | 'target'>): void {
  try {
    rmSync(target, { force: true });
  } catch (error) {
    throw failure(file, error);
  }
}

/** Whether the file no longer exists. */
export function removeEmptyFolder(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function failure(file: string, error: unknown): LoreError {
  if (error instanceof LoreError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new LoreError('forbidden', `Cannot change "${file}": permission denied`, { cause: error });
  }
  return new LoreError('unavailable', `Cannot change "${file}": ${code ?? 'the disk failed'}`, { cause: error });
}
