// Reading one file, or saying why not. It may have become something else since it was listed: a link, a pipe that never
// ends, another file; so what was opened is looked at, not what was there before.
import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { decodeText } from '../../../../graph/decode.ts';

/** Why a file was left out. */
export type Skip = 'too_large' | 'binary' | 'pdf' | 'unreadable' | 'link' | 'other';

export const largestFile = 10_000_000;

export async function readText(path: string): Promise<{ text: string } | { skip: Skip }> {
  const bytes = await readBytes(path, largestFile);
  if ('skip' in bytes) return bytes;
  if (bytes.bytes.subarray(0, 5).toString('latin1') === '%PDF-') return { skip: 'pdf' };
  const text = decodeText(bytes.bytes);
  return text === undefined ? { skip: 'binary' } : { text };
}

async function readBytes(path: string, most: number): Promise<{ bytes: Buffer } | { skip: Skip }> {
  let file: FileHandle | undefined;
  try {
    // A pipe without a writer must not hold us, and a link must not lead away.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const stat = await file.stat();
    if (!stat.isFile()) return { skip: 'other' };
    if (stat.size > most) return { skip: 'too_large' };
    // A folder above it may have been put out of the way.
    if ((await realpath(path)) !== path) return { skip: 'link' };
    const bytes = Buffer.alloc(stat.size + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return { bytes: bytes.subarray(0, Math.min(length, stat.size)) };
  } catch (error) {
    return { skip: (error as NodeJS.ErrnoException).code === 'ELOOP' ? 'link' : 'unreadable' };
  } finally {
    await file?.close();
  }
}
