// Lines of one text that a pattern finds, with those around them.
import { cutLine, type LineHit } from './hit.ts';

export function scanText(path: string, text: string, pattern: RegExp, context: number): LineHit[] {
  const hits: LineHit[] = [];
  const lines = text.split('\n');
  // The pattern sees the whole text, since it may go over several lines; where each begins says which they are.
  const starts = new Uint32Array(lines.length);
  for (let at = 1; at < lines.length; at++)
    starts[at] = (starts[at - 1] as number) + (lines[at - 1] as string).length + 1;
  let line = 0;
  const found = new Map<number, number>();
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    while (line + 1 < lines.length && (starts[line + 1] as number) <= match.index) line++;
    const last = match.index + Math.max(1, match[0].length) - 1;
    for (let at = line; at < lines.length && (starts[at] as number) <= last; at++) {
      if (!found.has(at)) found.set(at, Math.max(0, match.index - (starts[at] as number)));
    }
    // One hit a line is enough, and an empty one must not be found for ever.
    pattern.lastIndex = Math.max(last + 1, (starts[line + 1] ?? text.length) as number);
    if (pattern.lastIndex >= text.length) break;
  }
  const shown = new Set<number>();
  for (const at of found.keys()) {
    for (let near = Math.max(0, at - context); near <= Math.min(lines.length - 1, at + context); near++)
      shown.add(near);
  }
  for (const at of [...shown].sort((a, b) => a - b)) {
    if (at === lines.length - 1 && lines[at] === '' && !found.has(at)) continue;
    hits.push({ path, line: at + 1, text: cutLine(lines[at] as string, found.get(at) ?? 0), context: !found.has(at) });
  }
  return hits;
}
