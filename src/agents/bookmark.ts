// The position up to which each transcript was learned, so that the next hook continues there.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openNamed } from '../files/open.ts';

/** More than the number of concurrent sessions. */
const maxBookmarks = 500;
const maxPieceBytes = 4 << 20;

export interface Bookmarks {
  /** The next complete lines, at most a few megabytes; call `keep` when they are stored. */
  read(transcript: string): { lines: string; keep(): void } | undefined;
}

export function openBookmarks(folder: string): Bookmarks {
  return {
    read(transcript) {
      const mark = join(folder, createHash('sha256').update(transcript).digest('hex').slice(0, 24));
      const { lines, end } = readLines(transcript, readMark(mark));
      if (lines === '') return undefined;
      return { lines, keep: () => writeMark(folder, mark, end) };
    },
  };
}

function readMark(mark: string): number {
  try {
    return Number(readFileSync(mark, 'utf8')) || 0;
  } catch {
    return 0;
  }
}

function writeMark(folder: string, mark: string, end: number): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(mark, String(end), { mode: 0o600 });
  const marks = readdirSync(folder).map((name) => join(folder, name));
  if (marks.length <= maxBookmarks) return;
  const byAge = marks.map((path) => ({ path, age: statSync(path).mtimeMs })).sort((a, b) => a.age - b.age);
  for (const { path } of byAge.slice(0, maxBookmarks / 2)) rmSync(path, { force: true });
}

function readLines(transcript: string, mark: number): { lines: string; end: number } {
  const file = openNamed(transcript);
  if (typeof file === 'string') return { lines: '', end: mark };
  try {
    const { fd, size } = file;
    // A file that became shorter is a new one of the same name.
    const start = mark <= size ? mark : 0;
    const bytes = Buffer.alloc(Math.min(size - start, maxPieceBytes));
    const piece = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, start));
    // An unfinished last line is still being written; a line longer than a piece is skipped.
    const lastEnd = piece.lastIndexOf(10) + 1;
    const isTooLong = lastEnd === 0 && piece.length === maxPieceBytes;
    const end = isTooLong ? piece.length : lastEnd;
    return { lines: piece.toString('utf8', 0, end), end: start + end };
  } finally {
    file.close();
  }
}
