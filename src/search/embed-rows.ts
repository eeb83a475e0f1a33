// Converts a text to the rows of the table that its vector is the sum of: its WordPiece tokens, and a row for each pair of
// neighbours that the table contains. A pair's row is a correction (what "pull request" means beyond "pull" and "request"), so
// pairs may overlap.
import { createWordPiece } from './wordpiece.ts';

/** Calls back with each row of a text that follows the token `before`; returns its last token. */
export type VisitRows = (text: string, visit: (row: number) => void, before?: number) => number;

/** A pair is written as its two tokens with a space between; tokens contain none. */
export function createRowVisitor(rows: readonly string[]): VisitRows {
  const pieces = new Map<string, number>();
  const starts = new Uint8Array(rows.length);
  const pairs = new Map<number, number>();
  for (let row = 0; row < rows.length; row++) {
    const spelling = rows[row] as string;
    const blank = spelling.indexOf(' ');
    if (blank < 0) {
      pieces.set(spelling, row);
      continue;
    }
    const first = pieces.get(spelling.slice(0, blank));
    const second = pieces.get(spelling.slice(blank + 1));
    if (first === undefined || second === undefined) continue;
    starts[first] = 1;
    pairs.set(first * rows.length + second, row);
  }
  const tokenize = createWordPiece(pieces, { splitCase: true });

  return (text, visit, before = -1) => {
    let last = before;
    tokenize(text, (token) => {
      visit(token);
      if (last >= 0 && starts[last] === 1) {
        const pair = pairs.get(last * rows.length + token);
        if (pair !== undefined) visit(pair);
      }
      last = token;
    });
    return last;
  };
}
