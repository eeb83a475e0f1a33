// BERT's uncased WordPiece: clean, lower-case, strip accents, split at spaces, punctuation and CJK, then match the longest
// known piece from the left. With `splitCase`, a camelCase word that is not in the vocabulary is split at its humps first,
// because `getUserName` is three words to a reader.

export interface WordPieceOptions {
  /** Returned for a word that no pieces cover; without it, such words are skipped. */
  unknown?: number;
  splitCase?: boolean;
}

export type Tokenize = (text: string, visit: (token: number) => void) => void;

const longestWord = 100;
/** Words repeat, so most of the work is one lookup. Cleared when full. */
const cachedWords = 65_536;

export function createWordPiece(
  pieces: Pick<ReadonlyMap<string, number>, 'get' | 'has'>,
  options: WordPieceOptions = {},
): Tokenize {
  const cache = new Map<string, readonly number[]>();
  const unknown = options.unknown === undefined ? [] : [options.unknown];

  function matchPieces(word: string): readonly number[] {
    const whole = pieces.get(word);
    if (whole !== undefined) return [whole];
    const found: number[] = [];
    for (let start = 0; start < word.length; ) {
      let end = word.length;
      let piece: number | undefined;
      for (; end > start; end--) {
        piece = pieces.get(start === 0 ? word.slice(0, end) : `##${word.slice(start, end)}`);
        if (piece !== undefined) break;
      }
      if (piece === undefined) return unknown;
      found.push(piece);
      start = end;
    }
    return found;
  }

  function resolveWord(word: string): readonly number[] {
    if (word.length > longestWord) return unknown;
    const lower = stripAccents(word.toLowerCase());
    if (!options.splitCase || pieces.has(lower)) return matchPieces(lower);
    return splitCase(word).flatMap((part) => matchPieces(stripAccents(part.toLowerCase())));
  }

  return (text, visit) => {
    visitWords(text, (word) => {
      let tokens = cache.get(word);
      if (tokens === undefined) {
        tokens = resolveWord(word);
        if (cache.size >= cachedWords) cache.clear();
        if (word.length <= longestWord) cache.set(word, tokens);
      }
      for (const token of tokens) visit(token);
    });
  };
}

/** Splits `parseHTTPRequest` into `parse`, `HTTP`, `Request`. */
export function splitCase(word: string): string[] {
  return word.replace(/(\p{Ll}|\d)(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1$2 ').split(' ');
}

/** Calls back with every word and punctuation mark, in original case. */
export function visitWords(text: string, visit: (word: string) => void): void {
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 ? asciiWord[code] === 1 : !isBreak(text, at, code)) {
      if (start < 0) start = at;
      continue;
    }
    if (start >= 0) visit(cleanWord(text.slice(start, at)));
    start = -1;
    if (code < 128 ? asciiMark[code] === 1 : isMark(text, at, code)) {
      const wide = code >= 0xd800 && code < 0xdc00;
      visit(wide ? text.slice(at, at + 2) : text.charAt(at));
      if (wide) at++;
    }
  }
  if (start >= 0) visit(cleanWord(text.slice(start)));
}

/** The next position from `from` on where a text can be split without changing its words. */
export function findCut(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 ? asciiWord[code] === 0 : (code < 0xd800 || code > 0xdfff) && isBreak(text, at, code)) return at;
  }
  return text.length;
}

const asciiMark = Uint8Array.from({ length: 128 }, (_, code) =>
  /[!-/:-@[-`{-~]/.test(String.fromCharCode(code)) ? 1 : 0,
);
/** Control characters are part of a word here: BERT removes them and does not split there. */
const asciiWord = Uint8Array.from({ length: 128 }, (_, code) =>
  asciiMark[code] === 1 || code === 32 || (code >= 9 && code <= 10) || code === 13 ? 0 : 1,
);

const blank = /^\p{Zs}$|^[\u2028\u2029]$/u;
const mark = /^\p{P}$/u;

function isBreak(text: string, at: number, code: number): boolean {
  return isMark(text, at, code) || blank.test(text.charAt(at));
}

function isMark(text: string, at: number, code: number): boolean {
  if (code >= 0xd800 && code < 0xdc00) {
    const point = text.codePointAt(at) as number;
    return isIdeograph(point) || mark.test(String.fromCodePoint(point));
  }
  return isIdeograph(code) || mark.test(text.charAt(at));
}

/** The blocks that BERT splits by character; Hangul and kana are not among them. */
function isIdeograph(point: number): boolean {
  return (
    (point >= 0x4e00 && point <= 0x9fff) ||
    (point >= 0x3400 && point <= 0x4dbf) ||
    (point >= 0xf900 && point <= 0xfaff) ||
    (point >= 0x20000 && point <= 0x2ceaf) ||
    (point >= 0x2f800 && point <= 0x2fa1f)
  );
}

const plain = /^[\x20-\x7e]*$/;

function cleanWord(word: string): string {
  return plain.test(word) ? word : word.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\ufffd]/gu, '');
}

function stripAccents(word: string): string {
  return plain.test(word) ? word : word.normalize('NFD').replace(/\p{Mn}/gu, '');
}
