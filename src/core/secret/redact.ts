// Redacts secrets in text before it is stored and again before it is sent. Each becomes a readable mark such as
// `[redacted:github-token]`; everything else is unchanged, and redacted text is not redacted again.
import type { Soon } from '../attempt.ts';
import { readJson } from '../json.ts';
import { runNow, runSoon, type Steps } from '../steps.ts';
import { findSecrets, hasKeyword, prepareSecrets, type Secret, scanText } from './scan.ts';

export { findSecrets, prepareSecrets, type Secret };

interface Found {
  readonly rule: string;
  readonly count: number;
}

interface Redacted {
  readonly text: string;
  /** In order of first appearance; empty if the text is returned unchanged. */
  readonly found: readonly Found[];
}

/** Number of secrets by rule. */
type Tally = Map<string, number>;

/** Synchronous, for texts of limited length; `redactSoon` for all others. */
export function redact(text: string): Redacted {
  return runNow(redactText(text));
}

export function redactSoon(text: string): Soon<Redacted> {
  return runSoon(redactText(text));
}

export function* redactText(text: string): Steps<Redacted> {
  const secrets = yield* scanText(text);
  if (secrets.length === 0) return { text, found: [] };
  const tally: Tally = new Map();
  const clean = yield* replace(text, secrets, tally);
  return { text: clean, found: [...tally].map(([rule, count]) => ({ rule, count })) };
}

/** Marks every line of a secret and keeps the number of lines, for texts that are numbered or truncated later. */
export function redactLines(text: string): Soon<string> {
  return runSoon(markLines(text));
}

export function* markLines(text: string): Steps<string> {
  const secrets = yield* scanText(text);
  if (secrets.length === 0) return text;
  return yield* replace(text, secrets, new Map(), markEachLine);
}

function markEachLine(secret: string, mark: string): string {
  return secret.replace(/[^\n]+/g, mark);
}

/** The text between two positions, redacted as part of the whole: half a secret may not look like one. Keeps the lines. */
export function redactPart(text: string, from: number, to: number): Soon<string> {
  return runSoon(markPart(text, from, to));
}

function* markPart(text: string, from: number, to: number): Steps<string> {
  const secrets = (yield* scanText(text)).filter(({ start, end }) => start < to && end > from);
  const own = secrets.map(({ start, end, rule }) => ({
    start: Math.max(start, from) - from,
    end: Math.min(end, to) - from,
    rule,
  }));
  return yield* replace(text.slice(from, to), own, new Map(), markEachLine);
}

/** Secrets replaced in one step. */
const replacedAtOnce = 2_000;

function* replace(
  text: string,
  secrets: readonly Secret[],
  tally: Tally,
  write = (_: string, mark: string) => mark,
): Steps<string> {
  let clean = '';
  let parts: string[] = [];
  let from = 0;
  for (const { start, end, rule } of secrets) {
    parts.push(text.slice(from, start), write(text.slice(start, end), `[redacted:${rule}]`));
    from = end;
    tally.set(rule, (tally.get(rule) ?? 0) + 1);
    if (parts.length < replacedAtOnce * 2) continue;
    clean += parts.join('');
    parts = [];
    yield;
  }
  parts.push(text.slice(from));
  return clean + parts.join('');
}

/**
 * Redacts a text that may be JSON, or have JSON in its lines, as conversations have: strings are decoded before they are
 * checked. Only strings with a secret are rewritten.
 */
export function redactJson(text: string): Soon<string> {
  return runSoon(cleanJson(text));
}

function* cleanJson(text: string): Steps<string> {
  const whole = parseJson(text);
  if (whole !== undefined) return yield* cleanParsed(text, whole);
  const lines: string[] = [];
  let spent = 0;
  for (const line of text.split('\n')) {
    const value = parseJson(line);
    lines.push(value === undefined ? line : yield* cleanParsed(line, value));
    spent += line.length + 1;
    if (spent < pauseAfter) continue;
    spent = 0;
    yield;
  }
  return (yield* redactText(lines.join('\n'))).text;
}

function* cleanParsed(text: string, value: object): Steps<string> {
  const clean = yield* cleanDeep(value);
  return (yield* redactText(clean === value ? text : JSON.stringify(clean))).text;
}

function parseJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return readJson(text) as object;
  } catch {
    return undefined;
  }
}

/** Selects members of an object that are not changed. */
export type Spare = (object: { readonly [key: string]: unknown }, key: string) => boolean;

/**
 * Redacts the strings and keys of a JSON value; a value is also judged by its key, such as `password`. Values and parts
 * without secrets are returned unchanged. `tally` counts the secrets.
 */
export function redactDeep<T>(value: T, tally?: Tally, spare?: Spare): T {
  return runNow(cleanDeep(value, tally, spare));
}

export function* cleanDeep<T>(value: T, tally: Tally = new Map(), spare?: Spare): Steps<T> {
  return (yield* cleanValue(value, { tally, spare, spent: 0 })) as T;
}

/** Characters of short strings processed in one step. */
const pauseAfter = 16_384;

interface Cleaning {
  readonly tally: Tally;
  readonly spare: Spare | undefined;
  /** Characters since the last pause. */
  spent: number;
}

function* cleanValue(value: unknown, cleaning: Cleaning): Steps<unknown> {
  if (typeof value === 'string') return yield* cleanString(value, cleaning);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return yield* cleanItems(value, cleaning);
  return isPlainObject(value) ? yield* cleanObject(value, cleaning) : value;
}

function* cleanString(text: string, cleaning: Cleaning): Steps<string> {
  const secrets = yield* scanText(text);
  return secrets.length === 0 ? text : yield* replace(text, secrets, cleaning.tally);
}

function* cleanItems(items: readonly unknown[], cleaning: Cleaning): Steps<readonly unknown[]> {
  let copy: unknown[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const clean = yield* cleanValue(items[i], cleaning);
    if (mustPause(cleaning, items[i])) yield;
    if (clean === items[i]) continue;
    copy ??= [...items];
    copy[i] = clean;
  }
  return copy ?? items;
}

function mustPause(cleaning: Cleaning, item: unknown): boolean {
  cleaning.spent += typeof item === 'string' ? item.length + 16 : 16;
  if (cleaning.spent < pauseAfter) return false;
  cleaning.spent = 0;
  return true;
}

function* cleanObject(object: { [key: string]: unknown }, cleaning: Cleaning): Steps<unknown> {
  const keys = Object.keys(object);
  let entries: [string, unknown][] | undefined;
  let taken = new Set<string>();
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const item = object[key];
    const isKeyword = hasKeyword(`${key}="`);
    const cleanKey = isKeyword ? yield* cleanString(key, cleaning) : key;
    const cleanItem = cleaning.spare?.(object, key) ? item : yield* cleanMember(key, item, isKeyword, cleaning);
    if (mustPause(cleaning, item)) yield;
    if (entries === undefined) {
      if (cleanKey === key && cleanItem === item) continue;
      const before = keys.slice(0, i);
      entries = before.map((name) => [name, object[name]]);
      taken = new Set(before);
    }
    entries.push([giveOwnName(cleanKey, taken), cleanItem]);
  }
  return entries ? Object.fromEntries(entries) : object;
}

function* cleanMember(key: string, item: unknown, isKeyword: boolean, cleaning: Cleaning): Steps<unknown> {
  if (!isKeyword || typeof item !== 'string') return yield* cleanValue(item, cleaning);
  const alone = yield* scanText(item);
  const secrets = alone.length > 0 || /\s/.test(item) ? alone : yield* findNamed(key, item);
  return secrets.length === 0 ? item : yield* replace(item, secrets, cleaning.tally);
}

/** Two keys that were secrets of one kind must stay different. */
function giveOwnName(key: string, taken: Set<string>): string {
  let name = key;
  for (let i = 2; taken.has(name); i++) name = `${key} (${i})`;
  taken.add(name);
  return name;
}

/** Joined as in a file; quotes in the value must not end it. */
function* findNamed(key: string, item: string): Steps<Secret[]> {
  const head = `${key}="`;
  return (yield* scanText(`${head}${item.replace(/["'`\\]/g, '#')}"`))
    .map(({ start, end, rule }) => ({
      start: start - head.length,
      end: Math.min(end - head.length, item.length),
      rule,
    }))
    .filter(({ start, end }) => start >= 0 && end > start);
}

function isPlainObject(value: unknown): value is { [key: string]: unknown } {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
