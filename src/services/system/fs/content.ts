// Looking for a text in a file. Small letters find large ones, too; large ones only themselves.
import type { Soon } from '../../../core/attempt.ts';
import { runSoon, type Steps } from '../../../core/steps.ts';
import { decodeAs } from '../../../files/decode.ts';
import { openReal, readOpenedSync } from '../../../files/open.ts';
import { markRange } from '../../../files/redact-range.ts';

export interface MatchedLine {
  line: number;
  text: string;
}

/** Larger files are not written by people. */
export const maxSearched = 8 << 20;
const maxShown = 200;
const looksBinary = 8_000;

/** Of the file at a real path. */
export type FindText = (path: string) => Soon<MatchedLine | undefined>;

export function createFindText(wanted: string): FindText {
  const isExact = /\p{Lu}/u.test(wanted);
  return (path) => {
    const read = readOpenedSync(openReal(path), maxSearched);
    if (!read || read.length === 0 || read.subarray(0, looksBinary).includes(0)) return undefined;
    return runSoon(findIn(read, wanted, isExact));
  };
}

function* findIn(content: Buffer, wanted: string, isExact: boolean): Steps<MatchedLine | undefined> {
  const text = yield* decodeAs('utf-8', content);
  for (let from = 0; from < text.length; from += searchedAtOnce) {
    const piece = text.slice(from, from + searchedAtOnce + wanted.length - 1);
    const at = (isExact ? piece : piece.toLowerCase()).indexOf(wanted);
    if (at >= 0) return yield* describe(text, from + at);
    yield;
  }
  return undefined;
}

/** Characters searched, and lines counted, in one step. */
const searchedAtOnce = 256 * 1024;
const countedAtOnce = 16_384;
/** At least the context that is checked for secrets. */
const around = { before: 64 * 1024, after: 4 * 1024 };

/** A line alone may not show that it is part of a secret, so the lines around it are checked, too. */
function* describe(text: string, at: number): Steps<MatchedLine> {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    start = end + 1;
    if (++line % countedAtOnce === 0) yield;
  }
  const from = start <= around.before ? 0 : text.lastIndexOf('\n', start - around.before) + 1;
  const to = text.indexOf('\n', endOfLine(text, at) + around.after);
  const lines = text.slice(from, to < 0 ? text.length : to).split('\n');
  const own = text.slice(from, start).split('\n').length;
  const [raw = '', clean = ''] = [lines[own - 1], (yield* markRange(lines, own, own))[0]];
  return { line, text: clean === raw ? showLine(raw, at - start) : showLine(clean, 0) };
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** The part of a long line around the match. */
function showLine(line: string, at: number): string {
  if (line.length <= maxShown) return line.trimEnd();
  const from = Math.max(0, at - maxShown / 2);
  return `${from > 0 ? '…' : ''}${line.slice(from, from + maxShown)}…`;
}
