// Redacts some lines of a text together with the lines around them: the middle of a private key, a value below its name or
// a table row below its heading do not look like secrets on their own.
import type { Soon } from '../core/attempt.ts';
import { markLines } from '../core/secret/redact.ts';
import { runSoon, type Steps } from '../core/steps.ts';
import type { LineList } from './lines.ts';

/** Lines before a range that may show that it is secret; more than any key has. */
const before = { lines: 400, characters: 64 * 1024 };
const after = { lines: 20, characters: 4 * 1024 };

/** Lines from `start` to `end`, both counted from 1. */
export function redactRange(lines: LineList, start: number, end: number): Soon<string[]> {
  return runSoon(markRange(lines, start, end));
}

export function* markRange(lines: LineList, start: number, end: number): Steps<string[]> {
  const above = lines.slice(Math.max(0, start - 1 - before.lines), Math.max(0, start - 1)).reverse();
  const shown = lines.slice(start - 1, end);
  const below = lines.slice(end, end + after.lines);
  const head = above.slice(0, countWithin(above, before.characters)).reverse();
  const tail = below.slice(0, countWithin(below, after.characters));
  const clean = (yield* markLines([...head, ...shown, ...tail].join('\n'))).split('\n');
  return clean.slice(head.length, head.length + shown.length);
}

/** The number of lines within this many characters, including the one that exceeds it. */
function countWithin(lines: readonly string[], characters: number): number {
  let count = 0;
  for (let room = characters; count < lines.length && room > 0; count++) room -= (lines[count] as string).length + 1;
  return count;
}
