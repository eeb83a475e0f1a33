// What a rule for finding secrets is: data that scan.ts interprets. A pattern is tried only where one
// of its keywords stands, so that text without keywords costs one table look-up a character.

export type Range = readonly [start: number, end: number];

export interface SecretRule {
  /** Stands in the mark: `[redacted:github-token]`. */
  readonly id: string;
  /** For people: what is taken for a secret. */
  readonly description: string;
  /**
   * Literals at which `pattern` begins, three characters at least; in lower case where `anyCase`. Those beyond ASCII are
   * looked for in any case and anywhere.
   */
  readonly keywords: readonly string[];
  readonly anyCase?: boolean;
  /** The keyword may follow a letter or digit, as in `dbPassword`; otherwise it has to begin a word. */
  readonly inside?: boolean;
  /**
   * Flags `dy`: sticky, with indices. Its first group that takes part is the secret, or the whole match if there is none.
   * It must take linear time on any text: rules.test.ts states and checks the conditions.
   */
  readonly pattern: RegExp;
  /** The secret begins at the first group (in a look-behind, before the keyword) and ends with the match. */
  readonly fromGroup?: boolean;
  /**
   * Flag `g`: what ends the run of characters that the pattern begins with. Where the pattern fails, it fails everywhere in
   * that run, so the scanner skips it.
   */
  readonly run?: RegExp;
  /** Flag `g`: what ends a believed secret whose pattern stops at `judgedLength`. */
  readonly stop?: RegExp;
  /** Where a believed secret really ends, at least at `end`. */
  extend?(text: string, start: number, end: number): number;
  /** The first group is a stretch of text in which each match of this (flags `dg`) is a secret. */
  readonly each?: RegExp;
  /** Finds the secrets behind the match, which is then only a label. Looks at a bounded number of characters. */
  find?(text: string, from: number): readonly Range[];
  /** Says no to what only looks like a secret. */
  check?(secret: string, place: SecretPosition): boolean;
}

/** Where a candidate stands: `at` is where its keyword begins. */
export interface SecretPosition {
  readonly text: string;
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

export function defineRule(rule: SecretRule): SecretRule {
  if (!rule.pattern.sticky || !rule.pattern.hasIndices)
    throw new Error(`Cannot define rule "${rule.id}": flags must be dy`);
  if (rule.keywords.some((keyword) => keyword.length < 3 && isAscii(keyword)))
    throw new Error(`Cannot define rule "${rule.id}": keyword too short`);
  return rule;
}

export function isAscii(text: string): boolean {
  return !/[^ -~]/.test(text);
}

/** Such a prefix is recognised behind a letter as well: `old_ghp_….txt`, `tokenxoxb-…`. */
const distinctive = /^(?=.*[_-])[\w-]{4,}$|^xox/;

/** A rule for tokens known by their own form: a prefix that nothing else has, then chance. */
export function defineToken(
  id: string,
  description: string,
  keywords: readonly string[],
  pattern: RegExp,
  more: Partial<SecretRule> = {},
): SecretRule {
  const inside = keywords.every((keyword) => distinctive.test(keyword));
  return defineRule({ id, description, keywords, pattern, check: isLively, inside, ...more });
}

/** Not a row of x, not an example: what was drawn by chance has many different characters and no words of that kind. */
export function isLively(secret: string): boolean {
  const sample = takeSample(secret);
  return !isMadeUp(sample) && entropyOf(sample) >= 2.8;
}

/** So much of a value is judged; more would only cost time. */
export const judgedLength = 192;

export function takeSample(value: string): string {
  return value.length > judgedLength ? value.slice(0, judgedLength) : value;
}

const phrases =
  /example|placeholder|change-?_?(?:me|it|this)|your[-_]|replace|redacted|dummy|insert|(?:token|key|secret)[-_]?here|x{5}|\*{4}|\.{4}|0{8}/i;

/** Written by a person to stand for a secret. */
export function isMadeUp(value: string): boolean {
  return phrases.test(value) || hasRow(value, 8);
}

/** `abcdefgh`, `12345678`: so many characters in the order of their codes. */
function hasRow(value: string, length: number): boolean {
  let row = 1;
  for (let i = 1; i < value.length; i++) {
    row = value.charCodeAt(i) === value.charCodeAt(i - 1) + 1 ? row + 1 : 1;
    if (row >= length) return true;
  }
  return false;
}

/** By the low byte of a character; all zero between two calls. */
const counts = new Uint32Array(256);

/** Shannon's, in bits per character, of the characters that count. */
export function entropyOf(value: string, counted?: (code: number) => boolean): number {
  let size = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (counted && !counted(code)) continue;
    (counts[code & 0xff] as number)++;
    size++;
  }
  let bits = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i) & 0xff;
    const count = counts[code] as number;
    if (count === 0) continue;
    bits -= (count / size) * Math.log2(count / size);
    counts[code] = 0;
  }
  return bits;
}
