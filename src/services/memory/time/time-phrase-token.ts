// A query as words with their places. What is code, a path, an address or a version stays one word that means nothing
// here, so that no date is read out of it.
import { months, weekdays } from './time-phrase-words.ts';

export interface Token {
  /** As written, without the marks around it. */
  text: string;
  /** In lower case, without a possessive ending. */
  word: string;
  start: number;
  end: number;
  /** What stands between this word and the one before, but for spaces: nothing, or a mark. */
  gap: string;
}

const code = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
const openingMarks = /^[([{<"'“‘*_~]+/;
const closingMarks = /[)\]}>"'”’*_~.,;:!?…]+$/;
const possessive = /['’]s$/;
const dashes = /[–—]/;

export function readTokens(text: string): Token[] {
  const plain = text.replace(code, (span) => '\uE000'.repeat(span.length));
  const tokens: Token[] = [];
  let gap = '';
  for (const chunk of plain.matchAll(/\S+/g)) {
    let at = chunk.index;
    for (const piece of splitChunk(chunk[0])) {
      const opening = openingMarks.exec(piece.text)?.[0] ?? '';
      const body = piece.text.slice(opening.length);
      const closing = closingMarks.exec(body)?.[0] ?? '';
      const inner = body.slice(0, body.length - closing.length);
      const start = at + opening.length;
      gap += opening;
      if (inner !== '') {
        const word = inner.toLowerCase().replace(possessive, '');
        tokens.push({ text: inner, word, start, end: start + inner.length, gap });
        // The point of `Jan. 3` ends no sentence.
        gap = closing === '.' && inner.length <= 4 && (months.has(word) || weekdays.has(word)) ? '' : closing;
      } else gap += closing;
      gap += piece.joint;
      at += piece.text.length + piece.joint.length;
    }
  }
  return tokens;
}

interface Piece {
  text: string;
  joint: string;
}

/** `March–May`, `mid-March`, `Monday-Friday`: two words with a dash between; any other hyphen belongs to its word. */
function splitChunk(chunk: string): Piece[] {
  const pieces: Piece[] = [];
  let rest = chunk;
  for (;;) {
    const at = rest.search(dashes);
    const joint = at >= 0 ? at : hyphenOf(rest);
    if (joint < 0) return [...pieces, { text: rest, joint: '' }];
    pieces.push({ text: rest.slice(0, joint), joint: rest[joint] as string });
    rest = rest.slice(joint + 1);
  }
}

function hyphenOf(chunk: string): number {
  const pair = /^[("'“]*([A-Za-z]{3,9})-([A-Za-z]{3,9}|\d{4})(?![\w-])/.exec(chunk);
  if (!pair) return -1;
  const [first, second] = [pair[1] as string, pair[2] as string].map((word) => word.toLowerCase()) as [string, string];
  const isNamed = (word: string): boolean => months.has(word) || weekdays.has(word) || /^\d/.test(word);
  return isNamed(second) && (isNamed(first) || /^(?:mid|early|late)$/.test(first)) ? chunk.indexOf('-') : -1;
}
