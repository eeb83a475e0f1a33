// The files of one log, newest first: the current one and rotated ones, some of them compressed. A segment is identified by
// its first line, which stays when it is renamed, copied or compressed.
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';

export interface LogSegment {
  file: FileHandle;
  size: number;
  modified: number;
  /** Undefined for an empty one. */
  print: string | undefined;
  close(): Promise<void>;
}

const maxUnpacked = 1024 ** 3;
const printLength = 256;

/** `syslog`, `syslog.1`, `syslog.2.gz`; `messages`, `messages-20250301`, `messages-20250222.gz`. */
export async function findSegments(folder: string, name: string): Promise<string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const rotated = names.flatMap((each): [string, number][] => {
    if (!each.startsWith(name)) return [];
    const [, number, date] = /^(?:\.(\d{1,4})|-(\d{8,14}))(?:\.gz)?$/.exec(each.slice(name.length)) ?? [];
    if (number !== undefined) return [[each, Number(number)]];
    // The later the date, the newer it is.
    return date === undefined ? [] : [[each, -Number(date.padEnd(14, '0'))]];
  });
  rotated.sort((a, b) => a[1] - b[1]);
  return [...(names.includes(name) ? [name] : []), ...rotated.map(([each]) => each)].map((each) => join(folder, each));
}

/** Undefined where it has just been rotated away. */
export async function openSegment(path: string, signal: AbortSignal): Promise<LogSegment | undefined> {
  try {
    return path.endsWith('.gz') ? await openPacked(path, signal) : await openPlain(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (error instanceof LoreError || signal.aborted) throw error;
    const isForbidden = code === 'EACCES' || code === 'EPERM';
    throw new LoreError(
      isForbidden ? 'forbidden' : 'unavailable',
      `Cannot read log file "${path}": ${isForbidden ? 'this user may not' : 'it is damaged'}`,
      { cause: error, ...(isForbidden && { hint: 'A person can add the user to the group adm.' }) },
    );
  }
}

async function openPlain(path: string): Promise<LogSegment> {
  const file = await open(path, 'r');
  try {
    const { size, mtimeMs } = await file.stat();
    return { file, size, modified: mtimeMs, print: await readPrint(file, size), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Unpacked into a file of its own, which is gone afterwards: it can only be read backward when it is whole. */
async function openPacked(path: string, signal: AbortSignal): Promise<LogSegment> {
  const { mtimeMs } = await stat(path);
  const folder = await mkdtemp(join(tmpdir(), 'lore-log-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const target = join(folder, 'unpacked');
    const unpacked = createWriteStream(target, { mode: 0o600 });
    await pipeline(createReadStream(path), createGunzip(), limitSize(path), unpacked, { signal });
    const { close, ...segment } = await openPlain(target);
    return { ...segment, modified: mtimeMs, close: () => close().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

function limitSize(path: string): Transform {
  let size = 0;
  return new Transform({
    transform(part: Buffer, _, done) {
      size += part.length;
      if (size <= maxUnpacked) return done(null, part);
      done(new LoreError('limit_exceeded', `Cannot read log file "${path}": it is larger than 1 GiB uncompressed`));
    },
  });
}

async function readPrint(file: FileHandle, size: number): Promise<string | undefined> {
  if (size === 0) return undefined;
  const head = Buffer.alloc(Math.min(size, printLength));
  await file.read(head, 0, head.length, 0);
  const end = head.indexOf(10);
  const line = end < 0 ? head : head.subarray(0, end);
  return hashHex(line).slice(0, 12);
}
