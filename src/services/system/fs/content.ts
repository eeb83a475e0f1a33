// Looking for a text in a file. Small letters find large ones, too; large ones only themselves.
import { runNow } from '../../../core/steps.ts';
import { openReal, readOpenedSync } from '../../../files/open.ts';
import { markRange } from '../../../files/redact-range.ts';

export interface MatchedLine {
  line: number;
  text: string;
}

/** Larger files are not text that somebody wrote. */
export const maxSearched = 8 << 20;
const maxShown = 200;
const looksBinary = 8_000;

/** Of the file at a real path. */
export type FindText = (path: string) => MatchedLine | undefined;

export function createFindText(wanted: string): FindText {
  const isExact = /\p{Lu}/u.test(wanted);
  const bytes = Buffer.from(wanted);
  return (path) => {
    const read = readOpenedSync(openReal(path), maxSearched);
    if (!read || read.length === 0 || read.subarray(0, looksBinary).includes(0)) return undefined;
    return isExact ? locate(read, bytes) : locateIgnoringCase(read, wanted);
  };
}

function locate(content: Buffer, wanted: Buffer): MatchedLine | undefined {
  const at = content.indexOf(wanted);
  return at < 0 ? undefined : describe(content.toString(), content.toString('utf8', 0, at).length);
}

function locateIgnoringCase(content: Buffer, wanted: string): MatchedLine | undefined {
  const text = content.toString('utf8');
  const at = text.toLowerCase().indexOf(wanted);
  return at < 0 ? undefined : describe(text, at);
}

/** The line alone may not show that it is part of a secret: the lines around it are looked at, too. */
function describe(text: string, at: number): MatchedLine {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const lines = text.split('\n');
  const [raw = '', clean = ''] = [lines[line - 1], runNow(markRange(lines, line, line))[0]];
  return { line, text: clean === raw ? showLine(raw, at - before.lastIndexOf('\n') - 1) : showLine(clean, 0) };
}

/** Of a long line, the part around what was found. */
function showLine(line: string, at: number): string {
  if (line.length <= maxShown) return line.trimEnd();
  const from = Math.max(0, at - maxShown / 2);
  return `${from > 0 ? '…' : ''}${line.slice(from, from + maxShown)}…`;
}
