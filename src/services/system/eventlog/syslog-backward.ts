// Reads the lines of a file backwards in blocks, because queries nearly always want the newest.
import type { FileHandle } from 'node:fs/promises';

interface BackwardLine {
  text: string;
  /** Of its first byte. */
  start: number;
}

const pieceSize = 64 * 1024;
/** Longer lines are truncated. */
const maxLine = 1024 * 1024;
const lineEnd = 10;

/** Lines that end before `end`, which is where a line begins, or the file's end. */
export async function* readBackward(file: FileHandle, end: number): AsyncGenerator<BackwardLine, void, void> {
  let from = end;
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  while (from > 0) {
    const size = Math.min(pieceSize, from);
    from -= size;
    const piece = Buffer.alloc(size);
    const { bytesRead } = await file.read(piece, 0, size, from);
    let whole = Buffer.concat([piece.subarray(0, bytesRead), rest]);
    if (isFirst && whole.at(-1) === lineEnd) whole = whole.subarray(0, -1);
    isFirst = false;
    let upTo = whole.length;
    for (let at = whole.lastIndexOf(lineEnd); at >= 0; at = at === 0 ? -1 : whole.lastIndexOf(lineEnd, at - 1)) {
      yield { text: decode(whole.subarray(at + 1, upTo)), start: from + at + 1 };
      upTo = at;
    }
    rest = whole.subarray(0, Math.min(upTo, maxLine));
  }
  if (rest.length > 0) yield { text: decode(rest), start: 0 };
}

function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8', 0, Math.min(bytes.length, maxLine));
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}
