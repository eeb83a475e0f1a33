// Reads the end of a text file in whole lines, for logs and transcripts.
import { fstatSync, readSync } from 'node:fs';

const lineEnd = 10;

/** Reads at most this many bytes; `start` is the position of the first line in the file. */
export function readTail(handle: number, most: number): { text: string; start: number } {
  const { size } = fstatSync(handle);
  const from = Math.max(0, size - most);
  const bytes = Buffer.alloc(size - from);
  const read = bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, from));
  const cut = from === 0 ? 0 : read.indexOf(lineEnd) + 1;
  return { text: read.toString('utf8', cut), start: from + cut };
}
