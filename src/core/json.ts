// Parses JSON from outside. JSON.parse takes a second for megabytes of brackets, because each one becomes an object, so a
// long text is checked first and refused if it is nested too deeply or has too many values.

/** No client nests this deeply, and what walks a value recursively can. */
const deepest = 500;
/** Takes up to 50 ms to parse: an item or a bracket counts as one, a member as four, because its name may be a new one. */
const heaviest = 100_000;
/** Too short for either to matter. */
const harmless = 50_000;

const space = 32;
const quote = 34;
const comma = 44;
const colon = 58;
const bracket = 91;
const backslash = 92;
const brace = 123;

/** No number is written with more digits. */
const longestNumber = 1_000;
/** What numbers, true, false and null are made of. */
const plain = Uint8Array.from({ length: 128 }, (_, code) =>
  /[-+.\dEeaflnrstu]/.test(String.fromCharCode(code)) ? 1 : 0,
);

class TooComplex extends SyntaxError {}

/** What is wrong with a text that `readJson` refused, to follow a subject. */
export function explainUnreadable(error: unknown): string {
  return error instanceof TooComplex ? error.message : 'is not JSON';
}

/** Throws a SyntaxError, also for what is refused. */
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
  /** The sign before this one, without blanks and what numbers are made of. */
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

/** Found here already: JSON.parse takes long to say where a long text is wrong. */
function notJson(): SyntaxError {
  return new SyntaxError('Not JSON');
}

/** So much of a string is read sign by sign, before the next quote or backslash is looked for far ahead. */
const near = 32;

/** Says where a string ends that begins at a place; asked for ever later places. */
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
