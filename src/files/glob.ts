// Matches paths against patterns with `*`, `?`, `[…]` and `**`, like git. Hand-written because a pattern may come from a hostile
// repository: as a regular expression it can take forever; here the work is bounded by the two lengths.

/** One part of a path. */
type Segment =
  | { kind: 'any' }
  | { kind: 'literal'; text: string }
  | { kind: 'suffix'; text: string }
  | { kind: 'tokens'; tokens: readonly Token[] };

type Token = { kind: 'character'; text: string } | { kind: 'one' } | { kind: 'star' } | ClassToken;

interface ClassToken {
  kind: 'class';
  negated: boolean;
  ranges: readonly (readonly [number, number])[];
}

/** `globstar` matches any number of parts, including none; at the end of a pattern, at least one. */
export type Glob = readonly (Segment | 'globstar')[];

/** Undefined for a pattern that cannot match. Case-insensitive patterns are compared in lower case. */
export function parseGlob(pattern: string, caseless = false): Glob | undefined {
  const parts = splitOutsideClasses(caseless ? pattern.toLowerCase() : pattern);
  const glob: (Segment | 'globstar')[] = [];
  for (const part of parts) {
    if (part === '**') {
      if (glob.at(-1) !== 'globstar') glob.push('globstar');
      continue;
    }
    const segment = parseSegment(part);
    if (!segment) return undefined;
    glob.push(segment);
  }
  return glob;
}

/** Cost of comparing a path, per character; a plain name is compared directly. */
export function weigh(glob: Glob): number {
  return glob.reduce((sum, segment) => {
    if (segment === 'globstar' || segment.kind !== 'tokens') return sum + 0.1;
    return segment.tokens.reduce((all, token) => all + (token.kind === 'class' ? token.ranges.length + 1 : 1), sum);
  }, 0);
}

/** Matches the parts of a path from `from` on. */
export function matchGlob(glob: Glob, parts: readonly string[], from = 0): boolean {
  let [at, part] = [0, from];
  let [afterStar, retry] = [-1, 0];
  while (part < parts.length) {
    const segment = glob[at];
    if (segment === 'globstar') {
      // At the end it matches the rest, which is at least one part.
      if (at === glob.length - 1) return true;
      afterStar = ++at;
      retry = part;
    } else if (segment !== undefined && matchSegment(segment, parts[part] as string)) {
      at++;
      part++;
    } else if (afterStar >= 0) {
      at = afterStar;
      part = ++retry;
    } else return false;
  }
  return at === glob.length;
}

function matchSegment(segment: Segment, text: string): boolean {
  if (segment.kind === 'any') return true;
  if (segment.kind === 'literal') return text === segment.text;
  if (segment.kind === 'suffix') return text.endsWith(segment.text);
  return matchTokens(segment.tokens, text);
}

/** On a mismatch only the last star is extended, because earlier ones cannot do better. */
function matchTokens(tokens: readonly Token[], text: string): boolean {
  let [at, letter] = [0, 0];
  let [afterStar, retry] = [-1, 0];
  while (letter < text.length) {
    const token = tokens[at];
    if (token?.kind === 'star') {
      afterStar = ++at;
      retry = letter;
    } else if (token !== undefined && matchToken(token, text, letter)) {
      at++;
      letter++;
    } else if (afterStar >= 0) {
      at = afterStar;
      letter = ++retry;
    } else return false;
  }
  while (tokens[at]?.kind === 'star') at++;
  return at === tokens.length;
}

function matchToken(token: Token, text: string, letter: number): boolean {
  if (token.kind === 'character') return text[letter] === token.text;
  if (token.kind !== 'class') return true;
  const code = text.charCodeAt(letter);
  return token.ranges.some(([low, high]) => code >= low && code <= high) !== token.negated;
}

/** A slash in brackets is not a separator. */
function splitOutsideClasses(pattern: string): string[] {
  if (!pattern.includes('[')) return pattern.split('/');
  const parts: string[] = [];
  let begun = 0;
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === '[') at = (readClass(pattern, at)?.end ?? at + 1) - 1;
    else if (pattern[at] === '/') {
      parts.push(pattern.slice(begun, at));
      begun = at + 1;
    }
  }
  return [...parts, pattern.slice(begun)];
}

function parseSegment(part: string): Segment | undefined {
  if (/^\*+$/.test(part)) return { kind: 'any' };
  if (!/[*?[\\]/.test(part)) return { kind: 'literal', text: part };
  if (/^\*[^*?[\\]+$/.test(part)) return { kind: 'suffix', text: part.slice(1) };
  const tokens: Token[] = [];
  for (let at = 0; at < part.length; at++) {
    const letter = part[at] as string;
    if (letter === '*') {
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (letter === '?') tokens.push({ kind: 'one' });
    else if (letter === '[') {
      const found = readClass(part, at);
      if (!found) return undefined;
      tokens.push(found.token);
      at = found.end - 1;
    } else if (letter === '\\') {
      if (++at === part.length) return undefined;
      tokens.push({ kind: 'character', text: part[at] as string });
    } else tokens.push({ kind: 'character', text: letter });
  }
  return { kind: 'tokens', tokens };
}

const named: Record<string, string> = {
  alpha: 'azAZ',
  digit: '09',
  alnum: 'azAZ09',
  upper: 'AZ',
  lower: 'az',
  space: '\t\r  ',
  blank: '\t\t  ',
  punct: '!/:@[`{~',
  xdigit: '09afAF',
  word: 'azAZ09__',
  cntrl: '\0\x1f\x7f\x7f',
  graph: '!~',
  print: ' ~',
};

/** The content of brackets and their end; undefined if they are not closed. */
function readClass(text: string, start: number): { token: ClassToken; end: number } | undefined {
  let at = start + 1;
  const negated = text[at] === '!' || text[at] === '^';
  if (negated) at++;
  const ranges: [number, number][] = [];
  for (let isFirst = true; at < text.length; isFirst = false) {
    if (text[at] === ']' && !isFirst) return { token: { kind: 'class', negated, ranges }, end: at + 1 };
    const name = /^\[:([a-z]+):\]/.exec(text.slice(at, at + 12));
    if (name) {
      const pairs = named[name[1] as string];
      if (pairs === undefined) return undefined;
      for (let pair = 0; pair < pairs.length; pair += 2) {
        ranges.push([pairs.charCodeAt(pair), pairs.charCodeAt(pair + 1)]);
      }
      at += name[0].length;
      continue;
    }
    if (text[at] === '\\') at++;
    const low = text.charCodeAt(at++);
    const isRange = text[at] === '-' && at + 1 < text.length && text[at + 1] !== ']';
    if (isRange) at += text[at + 1] === '\\' ? 2 : 1;
    ranges.push([low, isRange ? text.charCodeAt(at++) : low]);
  }
  return undefined;
}
