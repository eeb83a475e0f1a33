// Splits a long text at natural breaks, so that each part can be processed separately without blocking: at an empty line
// outside a fence, else at the end of a line, else anywhere.

const longestPart = 16_000;
const mostLines = 1_000;
/** A fence, or a paragraph without line ends, is cut only when it is much longer. */
const longestWhole = 64_000;

export function* cutText(text: string): Generator<string> {
  let from = 0;
  let lines = 0;
  let isFenced = false;
  for (let at = 0; text.length - from > longestPart || lines > 0; ) {
    const limit = Math.min(text.length, from + longestWhole);
    const found = text.slice(at, limit).indexOf('\n');
    const end = found < 0 ? limit : at + found + 1;
    if (/^\s{0,12}(?:```|~~~)/.test(text.slice(at, Math.min(end, at + 20)))) isFenced = !isFenced;
    const isPause = !isFenced && text.charCodeAt(end) === lineEnd;
    lines++;
    at = end;
    const size = end - from;
    const isLong = size > longestPart || lines > mostLines;
    if ((isLong && isPause) || size >= longestWhole || lines > 4 * mostLines) {
      yield text.slice(from, end);
      from = end;
      lines = 0;
    }
    if (end >= text.length) break;
  }
  if (from < text.length || from === 0) yield text.slice(from);
}

const lineEnd = 10;
