// What a rule for finding secrets is: data that the scanner in redact.ts interprets. A pattern is tried only where one
// of its keywords stands, so that text without keywords costs one table look-up a character.

export interface SecretRule {
  /** Stands in the mark: `[redacted:github-token]`. */
  readonly id: string;
  /** For people: what is taken for a secret. */
  readonly description: string;
  /** Literals at which `pattern` begins, three characters at least; in lower case where `anyCase`. */
  readonly keywords: readonly string[];
  readonly anyCase?: boolean;
  /** The keyword may follow a letter or digit, as in `dbPassword`; otherwise it has to begin a word. */
  readonly inside?: boolean;
  /**
   * Flags `dy`: sticky, with places. Its first group that takes part is the secret, or all of it where there is none.
   * It must be linear: neighbours of a repetition exclude each other, and what may start often has an upper bound.
   */
  readonly pattern: RegExp;
  /** The secret begins at the first group (in a look-behind, before the keyword) and ends with the match. */
  readonly fromGroup?: boolean;
  /** Sticky, unbounded: what else belongs to a believed secret whose pattern stops at `judgedLength`. */
  readonly rest?: RegExp;
  /** The first group is a stretch of text in which each match of this (flags `dg`) is a secret. */
  readonly each?: RegExp;
  /** Says no to what only looks like a secret. */
  check?(secret: string, place: Place): boolean;
}

/** Where a candidate stands: `at` is where its keyword begins. */
export interface Place {
  readonly text: string;
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

export function defineRule(rule: SecretRule): SecretRule {
  if (!rule.pattern.sticky || !rule.pattern.hasIndices)
    throw new Error(`Cannot define rule "${rule.id}": flags must be dy`);
  if (rule.keywords.some((keyword) => keyword.length < 3))
    throw new Error(`Cannot define rule "${rule.id}": keyword too short`);
  return rule;
}

/** A rule for tokens known by their own form: a prefix that nothing else has, then chance. */
export function defineToken(
  id: string,
  description: string,
  keywords: readonly string[],
  pattern: RegExp,
  more: Partial<SecretRule> = {},
): SecretRule {
  return defineRule({ id, description, keywords, pattern, check: isLively, ...more });
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

const sayings =
  /example|placeholder|change-?_?(?:me|it|this)|your[-_]|replace|redacted|dummy|insert|(?:token|key|secret)[-_]?here|x{5}|\*{4}|\.{4}|0{8}/i;

/** Written by a person to stand for a secret. */
export function isMadeUp(value: string): boolean {
  return sayings.test(value) || hasRow(value, 8);
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

/** Shannon's, in bits a character. */
export function entropyOf(value: string): number {
  const counts = new Map<number, number>();
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
