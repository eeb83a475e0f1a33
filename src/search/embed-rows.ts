// Converts a text to the rows of the table that its vector is the sum of. English: its WordPiece tokens, and a row for each pair
// of neighbours that the table contains. A pair's row is a correction (what "pull request" means beyond "pull" and "request"),
// so pairs may overlap. Words of other languages have rows of their own.
import type { Spellings } from './embed-spellings.ts';
import { foldWord, judgeForeign, otherScripts, unspaced } from './language.ts';
import { createWordPiece, visitWords } from './wordpiece.ts';

/** Calls back with each row of a text that follows the token `before`; returns its last token. */
export type VisitRows = (text: string, visit: (row: number) => void, before?: number) => number;

/** The row of a spelling in the table of other languages. */
export type FindRow = (spelling: string) => number | undefined;

const notAscii = /[^\0-\x7f]/;
/** Neither an identifier nor a number. */
const plainWord = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u;
/** Without function words, in characters: a heading or a query. */
const shortText = 100;
/** In characters. A run without spaces may be a whole sentence, which hardly occurs twice. */
const longest = { piece: 16, cached: 32, run: 8_192 };
const cachedWords = 20_000;

/** `openLanguages` is called for the first text that is not in English. */
export function createRowVisitor(
  spellings: Spellings,
  openLanguages?: () => FindRow,
  judge: (text: string) => number = judgeForeign,
): VisitRows {
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
  const cache = new Map<string, readonly number[]>();
  let opened: FindRow | undefined;

  const visitEnglish: VisitRows = (text, visit, before = -1) => {
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

  function visitWord(word: string, split: () => readonly number[], visit: (row: number) => void): void {
    let rows = cache.get(word);
    if (rows === undefined) {
      rows = split();
      if (cache.size >= cachedWords) cache.clear();
      if (word.length <= longest.cached) cache.set(word, rows);
    }
    for (const row of rows) visit(row);
  }

  /** Words that are the same in English, like names, have no row of their own. */
  function visitLatin(text: string, find: FindRow, visit: (row: number) => void): void {
    visitWords(text, (word) => {
      if (!plainWord.test(word)) return void visitEnglish(word, visit);
      visitWord(
        word,
        () => {
          const folded = foldWord(word);
          const whole = find(folded) ?? spellings.get(folded);
          return whole === undefined ? splitWord(find, folded, true) : [whole];
        },
        visit,
      );
    });
  }

  /** A text without function words is in the language that has more of its words. */
  function isForeign(text: string, open: () => FindRow): boolean {
    let foreign = judge(text);
    if (foreign !== 0 || text.length > shortText) return foreign > 0;
    visitWords(text, (word) => {
      if (!plainWord.test(word)) return;
      const folded = foldWord(word);
      if (spellings.has(folded)) foreign--;
      else if (open()(folded) !== undefined) foreign++;
    });
    return foreign > 0;
  }

  return (text, visit, before = -1) => {
    if (!openLanguages) return visitEnglish(text, visit, before);
    const open = () => {
      opened ??= openLanguages();
      return opened;
    };
    const isLatinForeign = isForeign(text, open);
    if (!isLatinForeign && !(notAscii.test(text) && text.search(otherScripts) >= 0)) {
      return visitEnglish(text, visit, before);
    }
    const find = open();
    let last = before;
    let from = 0;
    const visitRest = (part: string) => {
      if (!isLatinForeign) last = visitEnglish(part, visit, last);
      else visitLatin(part, find, visit);
    };
    for (const { 0: run, index } of text.matchAll(otherScripts)) {
      visitRest(text.slice(from, index));
      from = index + run.length;
      last = -1;
      visitWord(run, () => splitRun(find, foldWord(run.slice(0, longest.run))), visit);
    }
    visitRest(text.slice(from));
    return last;
  };
}

/** A run of letters may have parts with and without spaces: Korean with Chinese characters. */
function splitRun(find: FindRow, run: string): number[] {
  const rows: number[] = [];
  let from = 0;
  for (const { 0: part, index } of run.matchAll(unspaced)) {
    rows.push(...splitWord(find, run.slice(from, index), true), ...splitWord(find, part, false));
    from = index + part.length;
  }
  return [...rows, ...splitWord(find, run.slice(from), true)];
}

/**
 * The longest known piece from the left. A piece inside a word starts with "##", except in scripts without spaces, where a
 * word can start anywhere. Letters without a row are skipped.
 */
export function splitWord(find: FindRow, word: string, isSpaced: boolean): number[] {
  const rows: number[] = [];
  for (let start = 0; start < word.length; ) {
    let end = Math.min(word.length, start + longest.piece);
    let row: number | undefined;
    for (; end > start; end--) {
      row = find(isSpaced && start > 0 ? `##${word.slice(start, end)}` : word.slice(start, end));
      if (row !== undefined) break;
    }
    if (row !== undefined) rows.push(row);
    start = Math.max(end, start + 1);
  }
  return rows;
}
