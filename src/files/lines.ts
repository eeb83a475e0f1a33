// The lines of a long text, without an array of them: a file of a few megabytes may have millions. Where every so many lines
// begin is kept, and those in between are looked for when they are asked for.
import type { Steps } from '../core/steps.ts';

/** An array of lines, or as much of one as it takes. */
export interface LineList {
  readonly length: number;
  slice(from: number, to: number): string[];
}

const linesApart = 256;
const pauseAfter = 16_384;

export function* indexLines(text: string): Steps<LineList> {
  const starts = [0];
  let length = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (length % linesApart === 0) starts.push(at + 1);
    if (++length % pauseAfter === 0) yield;
  }
  return {
    length,
    slice(from, to) {
      const lines: string[] = [];
      const first = Math.floor(from / linesApart);
      let at = starts[first] ?? text.length;
      for (let line = first * linesApart; line < Math.min(to, length); line++) {
        const end = text.indexOf('\n', at);
        if (line >= from) lines.push(text.slice(at, end < 0 ? text.length : end));
        at = end + 1;
      }
      return lines;
    },
  };
}
