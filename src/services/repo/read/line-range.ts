// Lines of a file, as bytes: read through once from its beginning, with as little kept as is asked for, so that the size of
// the file does not matter.
import type { OpenFile } from '../../../files/open.ts';

export interface LineBounds {
  start: number;
  /** The last line wanted. */
  end: number;
  maxLines: number;
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

export interface LineRange {
  bytes: Buffer;
  /** The last line in it; 0 for none. */
  last: number;
  /** Where to go on, if lines that were wanted did not fit. */
  next?: number;
  /** The one line in it was too long, and is not whole. */
  isCut: boolean;
  /** Of the whole file, where it was read to its end. */
  total?: number;
}

/** How a line ends: two bytes of UTF-16, or one of everything else. */
export type LineEnd = 'byte' | 'utf16le' | 'utf16be';

const chunkSize = 128 * 1024;
/** So much is read on only to say how many lines there are. */
const countedBytes = 32 * 1024 * 1024;

export async function readLines(
  file: Pick<OpenFile, 'read'>,
  size: number,
  lineEnd: LineEnd,
  { start, end, maxLines, maxBytes, signal }: LineBounds,
): Promise<LineRange> {
  const range: LineRange = { bytes: Buffer.alloc(0), last: 0, isCut: false };
  const kept: Buffer[] = [];
  let pending: Buffer[] = [];
  let [line, taken, waiting] = [1, 0, 0];
  let isFull = false;
  let isBegun = false;

  const keepLine = () => {
    kept.push(...pending);
    taken += waiting;
    [pending, waiting] = [[], 0];
    range.last = line;
    // The next one would be too many.
    if (line - start + 1 >= maxLines && line < end) [isFull, range.next] = [true, line + 1];
  };
  const take = (piece: Buffer) => {
    pending.push(Buffer.from(piece));
    waiting += piece.length;
    if (taken + waiting <= maxBytes) return;
    isFull = true;
    if (range.last > 0) range.next = line;
    else {
      // Not even one line fits: its beginning, so that whoever goes on gets past it.
      kept.push(cutAt(Buffer.concat(pending), maxBytes, lineEnd));
      Object.assign(range, { last: line, isCut: true, next: line + 1 });
    }
    [pending, waiting] = [[], 0];
  };

  const chunk = Buffer.alloc(chunkSize);
  for (let position = 0; ; ) {
    signal?.throwIfAborted();
    const read = await readFull(file, chunk, position);
    if (read === 0) {
      if (isBegun && line >= start && line <= end && !isFull && waiting > 0) keepLine();
      range.total = isBegun ? line : line - 1;
      break;
    }
    position += read;
    const bytes = chunk.subarray(0, read);
    for (let from = 0; from < read; ) {
      const found = findLineEnd(bytes, from, lineEnd);
      const to = found < 0 ? read : found;
      const isWanted = line >= start && line <= end && !isFull;
      if (isWanted) take(bytes.subarray(from, to));
      isBegun = found < 0;
      if (found >= 0) {
        if (isWanted && !isFull) keepLine();
        line++;
      }
      from = to;
    }
    if ((isFull || line > end) && size > countedBytes) break;
  }
  // What seemed to come next may not be there.
  if (range.next !== undefined && range.total !== undefined && range.next > range.total) delete range.next;
  range.bytes = Buffer.concat(kept);
  return range;
}

/** Whole, but at the file's end: a character of two bytes must not be parted. */
async function readFull(file: Pick<OpenFile, 'read'>, chunk: Buffer, position: number): Promise<number> {
  let length = 0;
  while (length < chunk.length) {
    const { bytesRead } = await file.read(chunk, length, chunk.length - length, position + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

/** The place behind it; -1 for none. */
function findLineEnd(bytes: Buffer, from: number, lineEnd: LineEnd): number {
  if (lineEnd === 'byte') return bytes.indexOf(10, from) + 1 || -1;
  const [low, high] = lineEnd === 'utf16le' ? [0, 1] : [1, 0];
  for (let at = bytes.indexOf(10, from); at >= 0; at = bytes.indexOf(10, at + 1)) {
    const unit = at - low;
    if (unit % 2 === 0 && bytes[unit + high] === 0) return unit + 2;
  }
  return -1;
}

/** Not inside a character. */
function cutAt(bytes: Buffer, length: number, lineEnd: LineEnd): Buffer {
  let end = length;
  if (lineEnd !== 'byte') return bytes.subarray(0, end - (end % 2));
  while (end > length - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}
