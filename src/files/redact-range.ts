// Some lines of a text, redacted together with what surrounds them: the middle of a private key, a value below its name or a
// row below its heading do not look like secrets by themselves.
import { redactLines } from '../core/redact.ts';

/** What may show that a line is secret stands before it; more of it than any key is long. */
const before = { lines: 400, characters: 64 * 1024 };
const after = { lines: 20, characters: 4 * 1024 };

/** Lines from `start` to `end`, both counted from 1. */
export function redactRange(lines: readonly string[], start: number, end: number): string[] {
  let [from, to] = [start - 1, Math.min(end, lines.length)];
  let room = before.characters;
  while (from > 0 && start - 1 - from < before.lines && room > 0) room -= (lines[--from] as string).length + 1;
  room = after.characters;
  while (to < lines.length && to - end < after.lines && room > 0) room -= (lines[to++] as string).length + 1;
  const clean = redactLines(lines.slice(from, to).join('\n')).split('\n');
  return clean.slice(start - 1 - from, Math.min(end, lines.length) - from);
}
