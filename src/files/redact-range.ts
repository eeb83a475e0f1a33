// Redacts some lines of a text together with the lines around them: the middle of a private key, a value below its name or
// a table row below its heading do not look like secrets on their own.
import type { Soon } from '../core/attempt.ts';
import { markLines } from '../core/secret/redact.ts';
import { runSoon, type Steps } from '../core/steps.ts';

/** What may show that a line is secret stands before it; more of it than any key is long. */
const before = { lines: 400, characters: 64 * 1024 };
const after = { lines: 20, characters: 4 * 1024 };

/** Lines from `start` to `end`, both counted from 1. */
export function redactRange(lines: readonly string[], start: number, end: number): Soon<string[]> {
  return runSoon(markRange(lines, start, end));
}

export function* markRange(lines: readonly string[], start: number, end: number): Steps<string[]> {
  let [from, to] = [start - 1, Math.min(end, lines.length)];
  let room = before.characters;
  while (from > 0 && start - 1 - from < before.lines && room > 0) room -= (lines[--from] as string).length + 1;
  room = after.characters;
  while (to < lines.length && to - end < after.lines && room > 0) room -= (lines[to++] as string).length + 1;
  const clean = (yield* markLines(lines.slice(from, to).join('\n'))).split('\n');
  return clean.slice(start - 1 - from, Math.min(end, lines.length) - from);
}
