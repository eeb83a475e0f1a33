// Parses JSON from outside. JSON.parse takes a second for megabytes of brackets, because each one becomes an object, so a
// long text is checked first and refused if it is nested too deeply or has too many values.

/** No client nests deeper, and recursive code must not overflow. */
const deepest = 500;
/** Takes up to 50 ms to parse: an item or bracket counts as one, a member as four, because its name may be new. */
const heaviest = 100_000;
/** Shorter texts are not checked. */
const harmless = 50_000;

const space = 32;
const quote = 34;
const comma = 44;
const colon = 58;
const bracket = 91;
const backslash = 92;
const brace = 123;

/** Digits of the longest accepted number. */
const longestNumber = 1_000;
/** Characters of numbers, true, false and null. */
const plain = Uint8Array.from({ length: 128 }, (_, code) =>
  /[-+.\dEeaflnrstu]/.test(String.fromCharCode(code)) ? 1 : 0,
);

class TooComplex extends SyntaxError {}

/** Why `readJson` refused a text, as a clause without subject. */
export function explainUnreadable(error: unknown): string {
  return error instanceof TooComplex ? error.message : 'is not JSON';
}

/** Throws a SyntaxError, also for refused texts. */
export function readJson(text: string, most = heaviest): unknown {
  if (text.length > harmless) checkShape(text, most);
  return JSON.parse(text);
}

function checkShape(text: string, most: number): void {
  const { length } = text;
  const findQuote = createQuoteFinder(text);
  let depth = 0;
  let weight = 0;
  let run = 0;
  /** The previous character, without spaces and characters of numbers. */
  let last = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code <= space) continue;
    if (plain[code] === 1) {
      if (++run > longestNumber) throw notJson();
      continue;
    }
    run = 0;
    if (code === quote) {
      if (last === quote) throw notJson();
      at = findQuote(at + 1);
    } else if (code === comma) weight++;
    else if (code === colon) weight += 3;
    else if (code === brace || code === bracket) {
      weight++;
      if (++depth > deepest) throw new TooComplex(`nests deeper than ${deepest} levels`);
    } else if (code === brace + 2 || code === bracket + 2) depth--;
    else throw notJson();
    if (weight > most) throw new TooComplex('has too many values');
    last = code;
  }
  if (last === 0 && run === 0) throw notJson();
}

/** Detected here, because JSON.parse takes long to locate an error in a long text. */
function notJson(): SyntaxError {
  return new SyntaxError('Not JSON');
}

/** Characters of a string that are read one by one before the next quote or backslash is searched. */
const near = 32;

/** Finds the end of a string from its start; called with increasing positions. */
function createQuoteFinder(text: string): (from: number) => number {
  const { length } = text;
  let nextQuote = -1;
  let nextBackslash = -1;
  const find = (sign: string, from: number) => {
    const at = text.indexOf(sign, from);
    return at < 0 ? length : at;
  };
  return (from) => {
    for (let at = from; ; ) {
      for (const end = Math.min(at + near, length); at < end; ) {
        const code = text.charCodeAt(at);
        if (code === quote) return at;
        at += code === backslash ? 2 : 1;
      }
      if (at >= length) return at;
      if (nextQuote < at) nextQuote = find('"', at);
      if (nextBackslash < at) nextBackslash = find('\\', at);
      at = Math.min(nextQuote, nextBackslash);
    }
  };
}
