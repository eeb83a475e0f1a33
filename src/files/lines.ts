// The lines of a long text without an array, because a file of a few megabytes may have millions. The positions of every 256th
// line are stored; the others are found on demand.
import type { Steps } from '../core/steps.ts';

/** The part of an array's interface that is needed. */
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
