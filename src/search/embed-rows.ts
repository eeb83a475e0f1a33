// Converts a text to the rows of the table that its vector is the sum of: its WordPiece tokens, and a row for each pair of
// neighbours that the table contains. A pair's row is a correction (what "pull request" means beyond "pull" and "request"), so
// pairs may overlap.
import type { Spellings } from './embed-spellings.ts';
import { createWordPiece } from './wordpiece.ts';

/** Calls back with each row of a text that follows the token `before`; returns its last token. */
export type VisitRows = (text: string, visit: (row: number) => void, before?: number) => number;

export function createRowVisitor(spellings: Spellings): VisitRows {
  const starts = new Uint8Array(spellings.size);
  const pairs = new Map<number, number>();
  for (const row of spellings.pairs) {
    const [first, second] = spellings
      .read(row)
      .split(' ')
      .map((token) => spellings.get(token));
    if (first === undefined || second === undefined) continue;
    starts[first] = 1;
    pairs.set(first * spellings.size + second, row);
  }
  const tokenize = createWordPiece(spellings, { splitCase: true });

  return (text, visit, before = -1) => {
    let last = before;
    tokenize(text, (token) => {
      visit(token);
      if (last >= 0 && starts[last] === 1) {
        const pair = pairs.get(last * spellings.size + token);
        if (pair !== undefined) visit(pair);
      }
      last = token;
    });
    return last;
  };
}
