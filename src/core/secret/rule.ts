// The definition of a rule for secrets: data that scan.ts interprets. A pattern is tried only at one of its keywords, so that
// text without keywords costs one table look-up per character.

export type Range = readonly [start: number, end: number];

export interface SecretRule {
  /** Name in the mark: `[redacted:github-token]`. */
  readonly id: string;
  /** Description for people. */
  readonly description: string;
  /**
   * Literals at which `pattern` begins, at least three characters; in lower case with `anyCase`. Those outside ASCII are
   * found in any case and anywhere.
   */
  readonly keywords: readonly string[];
  readonly anyCase?: boolean;
  /** The keyword may follow a letter or digit, as in `dbPassword`; otherwise it must begin a word. */
  readonly inside?: boolean;
  /**
   * Flags `dy`: sticky, with indices. Its first group that takes part is the secret, or the whole match if there is none.
   * It must take linear time on any text: rules.test.ts states and checks the conditions.
   */
  readonly pattern: RegExp;
  /** The secret begins at the first group (in a look-behind, before the keyword) and ends with the match. */
  readonly fromGroup?: boolean;
  /**
   * Flag `g`: the end of the run of characters that the pattern begins with. If the pattern fails, it fails everywhere in
   * that run, so the scanner skips it.
   */
  readonly run?: RegExp;
  /** Flag `g`: the end of an accepted secret whose pattern stops at `judgedLength`. */
  readonly stop?: RegExp;
  /** The real end of an accepted secret, at least `end`. */
  extend?(text: string, start: number, end: number): number;
  /** The first group is a range in which each match of this (flags `dg`) is a secret. */
  readonly each?: RegExp;
  /** Finds the secrets after the match, which is then only a label. Reads a bounded number of characters. */
  find?(text: string, from: number): readonly Range[];
  /** Rejects values that only look like a secret. */
  check?(secret: string, place: SecretPosition): boolean;
}

/** Position of a candidate: `at` is the start of its keyword. */
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

/** Such a prefix is also recognised after a letter: `old_ghp_….txt`, `tokenxoxb-…`. */
const distinctive = /^(?=.*[_-])[\w-]{4,}$|^xox/;

/** A rule for tokens with their own form: a unique prefix, then random characters. */
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

/** Not repeated characters and not an example: random values have many different characters and no such words. */
export function isLively(secret: string): boolean {
  const sample = takeSample(secret);
  return !isMadeUp(sample) && entropyOf(sample) >= 2.8;
}

/** Characters of a value that are judged; more would only cost time. */
export const judgedLength = 192;

export function takeSample(value: string): string {
  return value.length > judgedLength ? value.slice(0, judgedLength) : value;
}

const phrases =
  /example|placeholder|change-?_?(?:me|it|this)|your[-_]|replace|redacted|dummy|insert|(?:token|key|secret)[-_]?here|x{5}|\*{4}|\.{4}|0{8}/i;

/** Written by a person as a placeholder. */
export function isMadeUp(value: string): boolean {
  return phrases.test(value) || hasRow(value, 8);
}

/** `abcdefgh`, `12345678`: a number of characters in the order of their codes. */
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

/** Shannon entropy in bits per character, of the relevant characters. */
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
