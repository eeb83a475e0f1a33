// Reads a range of lines from a file in bounded memory, whatever the size of the file: one pass from the beginning, or from a
// line whose position an earlier pass noted.
import type { OpenFile } from '../../../files/open.ts';

export interface LineBounds {
  start: number;
  /** Last requested line. */
  end: number;
  maxLines: number;
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

export interface LineRange {
  bytes: Buffer;
  /** Last line included; 0 for none. */
  last: number;
  /** Line to continue from, if requested lines did not fit. */
  next?: number;
  /** The only line was too long: the position where it is truncated. */
  cutAt?: number;
  /** Lines of the whole file, if it was read to its end. */
  total?: number;
}

/** The line end: two bytes in UTF-16, one otherwise. */
export type LineEnd = 'byte' | 'utf16le' | 'utf16be';

/** Byte positions of lines 1, 1025, 2049 … as far as they are known. */
export type LineMarks = [0, ...number[]];
const linesApart = 1_024;

const chunkSize = 512 * 1024;
/** Bytes read only to count lines. */
const countedBytes = 32 * 1024 * 1024;

export async function readLines(
  file: Pick<OpenFile, 'read'>,
  size: number,
  lineEnd: LineEnd,
  { start, end, maxLines, maxBytes, signal }: LineBounds,
  marks: LineMarks = [0],
): Promise<LineRange> {
  const range: LineRange = { bytes: Buffer.alloc(0), last: 0 };
  const kept: Buffer[] = [];
  let pending: Buffer[] = [];
  const mark = Math.min(marks.length - 1, Math.floor((start - 1) / linesApart));
  let [line, taken, waiting] = [mark * linesApart + 1, 0, 0];
  let lineAt = marks[mark] as number;
  let isFull = false;
  let isBegun = false;

  const keepLine = () => {
    kept.push(...pending);
    taken += waiting;
    [pending, waiting] = [[], 0];
    range.last = line;
    // The next line would exceed the limit.
    if (line - start + 1 >= maxLines && line < end) [isFull, range.next] = [true, line + 1];
  };
  const take = (piece: Buffer) => {
    pending.push(Buffer.from(piece));
    waiting += piece.length;
    if (taken + waiting <= maxBytes) return;
    isFull = true;
    if (range.last > 0) range.next = line;
    else {
      // Not even one line fits: return its beginning, so that the caller can continue.
      const part = cutAt(Buffer.concat(pending), maxBytes, lineEnd);
      kept.push(part);
      Object.assign(range, { last: line, cutAt: lineAt + part.length, next: line + 1 });
    }
    [pending, waiting] = [[], 0];
  };

  // Even, since two-byte characters must not be split.
  const chunk = Buffer.alloc(Math.min(chunkSize, size + 2 - (size % 2)));
  for (let position = lineAt; ; ) {
    signal?.throwIfAborted();
    const read = await readFull(file, chunk, position);
    if (read === 0) {
      if (isBegun && line >= start && line <= end && !isFull && waiting > 0) keepLine();
      range.total = isBegun ? line : line - 1;
      break;
    }
    const chunkAt = position;
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
        lineAt = chunkAt + to;
        if (line === marks.length * linesApart + 1) marks.push(lineAt);
      }
      from = to;
    }
    if ((isFull || line > end) && size > countedBytes) break;
  }
  // The next line may not exist.
  if (range.next !== undefined && range.total !== undefined && range.next > range.total) delete range.next;
  range.bytes = Buffer.concat(kept);
  return range;
}

/** Up to this many bytes from a position. */
export async function readBytes(file: Pick<OpenFile, 'read'>, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, await readFull(file, bytes, position));
}

/** Fills the buffer completely, except at the end of the file: a two-byte character must not be split. */
async function readFull(file: Pick<OpenFile, 'read'>, chunk: Buffer, position: number): Promise<number> {
  let length = 0;
  while (length < chunk.length) {
    const { bytesRead } = await file.read(chunk, length, chunk.length - length, position + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

/** The position after it; -1 for none. */
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
export function cutAt(bytes: Buffer, length: number, lineEnd: LineEnd): Buffer {
  let end = length;
  if (lineEnd !== 'byte') return bytes.subarray(0, end - (end % 2));
  while (end > length - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}
