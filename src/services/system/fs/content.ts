// Looking for a text in a file. Small letters find large ones, too; large ones only themselves.
import { openReal, readOpenedSync } from '../../../files/open.ts';

export interface Line {
  line: number;
  text: string;
}

/** Larger files are not text that somebody wrote. */
export const maxSearched = 8 << 20;
const maxShown = 200;
const looksBinary = 8_000;

/** Of the file at a real path. */
export type FindText = (path: string) => Line | undefined;

export function createFindText(wanted: string): FindText {
  const isExact = /\p{Lu}/u.test(wanted);
  const bytes = Buffer.from(wanted);
  return (path) => {
    const read = readOpenedSync(openReal(path), maxSearched);
    if (!read || read.length === 0 || read.subarray(0, looksBinary).includes(0)) return undefined;
    return isExact ? locate(read, bytes) : locateIgnoringCase(read, wanted);
  };
}

function locate(content: Buffer, wanted: Buffer): Line | undefined {
  const at = content.indexOf(wanted);
  if (at < 0) return undefined;
  const before = content.subarray(0, at);
  let line = 1;
  for (let end = before.indexOf(10); end >= 0; end = before.indexOf(10, end + 1)) line++;
  const start = before.lastIndexOf(10) + 1;
  const end = content.indexOf(10, at);
  return { line, text: showLine(content.toString('utf8', start, end < 0 ? content.length : end), at - start) };
}

function locateIgnoringCase(content: Buffer, wanted: string): Line | undefined {
  const text = content.toString('utf8');
  const at = text.toLowerCase().indexOf(wanted);
  if (at < 0) return undefined;
  const lines = text.slice(0, at).split('\n');
  const start = at - (lines.at(-1)?.length ?? 0);
  const end = text.indexOf('\n', at);
  return { line: lines.length, text: showLine(text.slice(start, end < 0 ? undefined : end), at - start) };
}

/** Of a long line, the part around what was found. */
function showLine(line: string, at: number): string {
  if (line.length <= maxShown) return line.trimEnd();
  const from = Math.max(0, at - maxShown / 2);
  return `${from > 0 ? '…' : ''}${line.slice(from, from + maxShown)}…`;
}
