// The only way to open files that others may have put there. It never follows a link, never waits for a pipe or device, and
// checks the opened file rather than the path, which may have changed in between.

import type { Stats } from 'node:fs';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { isOwnFile, isOwnInode } from './own.ts';

/** Why a file is not opened. */
export type OpenRefusal =
  | 'missing'
  | 'link'
  | 'folder'
  /** A pipe, a socket, a device. */
  | 'special'
  /** It belongs to this installation. */
  | 'own'
  | 'denied'
  /** It was replaced meanwhile. */
  | 'moved'
  /** The system has no more file descriptors. */
  | 'exhausted'
  | 'failed';

/** The reason in counts of skipped files. */
export function skipOf(refusal: OpenRefusal): 'link' | 'other' | 'unreadable' {
  if (refusal === 'link' || refusal === 'moved') return 'link';
  return refusal === 'folder' || refusal === 'special' || refusal === 'own' ? 'other' : 'unreadable';
}

const readPart = promisify(read);

export class OpenFile {
  readonly fd: number;
  readonly path: string;
  readonly size: number;
  readonly modified: number;
  readonly mode: number;

  constructor(fd: number, path: string, { size, mtimeMs, mode }: Stats) {
    this.fd = fd;
    this.path = path;
    this.size = size;
    this.modified = mtimeMs;
    this.mode = mode;
  }

  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    return readPart(this.fd, buffer, offset, length, position);
  }

  /** All of it as of opening; it may have become shorter since. */
  async bytes(): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(this.size);
    let length = 0;
    for (let got = -1; got !== 0 && length < this.size; length += got) {
      got = (await this.read(bytes, length, this.size - length, length)).bytesRead;
    }
    return bytes.subarray(0, length);
  }

  bytesSync(): Buffer {
    const bytes = Buffer.allocUnsafe(this.size);
    let length = 0;
    for (let got = -1; got !== 0 && length < this.size; length += got) {
      got = readSync(this.fd, bytes, length, this.size - length, length);
    }
    return bytes.subarray(0, length);
  }

  close(): void {
    closeSync(this.fd);
  }
}

/** `path` should be a real path: if it contains a link, it is not opened. */
export function openReal(path: string): OpenFile | OpenRefusal {
  try {
    const before = refuse(lstatSync(path));
    if (before !== undefined) return before;
    if (isOwnFile(path)) return 'own';
    const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
    const fd = openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    const checked = check(fd, path);
    if (typeof checked === 'string') closeSync(fd);
    return checked;
  } catch (error) {
    return refusalOf(error);
  }
}

/** Follows links: for paths from a terminal, and for git, whose directory can be anywhere. */
export function openNamed(path: string): OpenFile | OpenRefusal {
  try {
    return openReal(realpathSync.native(path));
  } catch (error) {
    return refusalOf(error);
  }
}

/** Reads a file; undefined if it is larger than the limit or refused. */
export async function readOpened(opened: OpenFile | OpenRefusal, most: number): Promise<Buffer | undefined> {
  if (typeof opened === 'string') return undefined;
  try {
    return opened.size > most ? undefined : await opened.bytes();
  } catch {
    return undefined;
  } finally {
    opened.close();
  }
}

export function readOpenedSync(opened: OpenFile | OpenRefusal, most: number): Buffer | undefined {
  if (typeof opened === 'string') return undefined;
  try {
    return opened.size > most ? undefined : opened.bytesSync();
  } catch {
    return undefined;
  } finally {
    opened.close();
  }
}

function check(fd: number, path: string): OpenFile | OpenRefusal {
  try {
    const stats = fstatSync(fd);
    if (isOwnInode(stats)) return 'own';
    return refuse(stats) ?? (isStillAt(fd, stats, path) ? new OpenFile(fd, path, stats) : 'moved');
  } catch (error) {
    return refusalOf(error);
  }
}

function refuse(stats: Stats): OpenRefusal | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isSymbolicLink()) return 'link';
  return stats.isDirectory() ? 'folder' : 'special';
}

/** A folder above it may have become a link. The kernel reports the open file; elsewhere the path must still lead to it. */
function isStillAt(fd: number, opened: Stats, path: string): boolean {
  const held = pathOf(fd);
  if (held !== undefined) return held === path;
  const now = lstatSync(path);
  return now.ino === opened.ino && now.dev === opened.dev && realpathSync.native(path) === path;
}

/** The path of the open file according to the kernel; undefined if it is unknown. */
export function pathOf(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

const refusals: { readonly [code: string]: OpenRefusal } = {
  ENOENT: 'missing',
  ENOTDIR: 'missing',
  ENAMETOOLONG: 'missing',
  ERR_INVALID_ARG_VALUE: 'missing',
  ELOOP: 'link',
  // It is no longer a link.
  EINVAL: 'moved',
  EACCES: 'denied',
  EPERM: 'denied',
  ENXIO: 'special',
  EMFILE: 'exhausted',
  ENFILE: 'exhausted',
};

export function refusalOf(error: unknown): OpenRefusal {
  return refusals[String((error as NodeJS.ErrnoException).code)] ?? 'failed';
}
