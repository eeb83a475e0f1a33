// Takes secrets out of text before it is stored and again before it leaves. Each becomes a readable mark such as
// `[redacted:github-token]`; everything else stays as it was, and what is already redacted does not change again.
import { findSecrets, hasKeyword, prepareSecrets, type Secret } from './secret/scan.ts';

export { findSecrets, prepareSecrets, type Secret };

interface Found {
  readonly rule: string;
  readonly count: number;
}

interface Redacted {
  readonly text: string;
  /** In the order of first appearance; empty where the text is returned as it came. */
  readonly found: readonly Found[];
}

/** How often each rule found something. */
type Tally = Map<string, number>;

export function redact(text: string): Redacted {
  const secrets = findSecrets(text);
  if (secrets.length === 0) return { text, found: [] };
  const tally: Tally = new Map();
  const clean = replace(text, secrets, tally);
  return { text: clean, found: [...tally].map(([rule, count]) => ({ rule, count })) };
}

/** Marks every line of a secret, so that there are as many lines as before: for a text that is numbered or cut afterwards. */
export function redactLines(text: string): string {
  const secrets = findSecrets(text);
  if (secrets.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, rule } of secrets) {
    parts.push(text.slice(from, start), text.slice(start, end).replace(/[^\n]+/g, `[redacted:${rule}]`));
    from = end;
  }
  return parts.join('') + text.slice(from);
}

function replace(text: string, secrets: readonly Secret[], tally: Tally): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, rule } of secrets) {
    parts.push(text.slice(from, start), `[redacted:${rule}]`);
    from = end;
    tally.set(rule, (tally.get(rule) ?? 0) + 1);
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/**
 * Redacts a text that may be JSON, or have JSON in its lines, as conversations have: what stands in a string is judged as
 * it reads, not as it is escaped. Only what holds a secret is written anew.
 */
export function redactJson(text: string): string {
  const whole = parseJson(text);
  if (whole !== undefined) return redactParsed(text, whole);
  const lines = text.split('\n').map((line) => {
    const value = parseJson(line);
    return value === undefined ? line : redactParsed(line, value);
  });
  return redact(lines.join('\n')).text;
}

function redactParsed(text: string, value: object): string {
  const clean = redactDeep(value);
  return redact(clean === value ? text : JSON.stringify(clean)).text;
}

function parseJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** Says which member of an object is to stay as it is. */
export type Spare = (object: { readonly [key: string]: unknown }, key: string) => boolean;

/**
 * Redacts the strings and keys of a JSON value; a value is also judged by its key, as `password` tells of what follows.
 * Without a find the very same value is returned, otherwise the same parts that had none. `tally` learns what was found.
 */
export function redactDeep<T>(value: T, tally: Tally = new Map(), spare?: Spare): T {
  return redactValue(value, tally, spare) as T;
}

function redactValue(value: unknown, tally: Tally, spare?: Spare): unknown {
  if (typeof value === 'string') {
    const secrets = findSecrets(value);
    return secrets.length === 0 ? value : replace(value, secrets, tally);
  }
  if (Array.isArray(value)) return redactItems(value, tally, spare);
  return isPlainObject(value) ? redactObject(value, tally, spare) : value;
}

function redactItems(items: readonly unknown[], tally: Tally, spare?: Spare): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < items.length; i++) {
    const clean = redactValue(items[i], tally, spare);
    if (clean === items[i]) continue;
    copy ??= [...items];
    copy[i] = clean;
  }
  return copy ?? items;
}

function redactObject(object: { [key: string]: unknown }, tally: Tally, spare?: Spare): unknown {
  const keys = Object.keys(object);
  let entries: [string, unknown][] | undefined;
  let taken = new Set<string>();
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const item = object[key];
    const telling = hasKeyword(`${key}="`);
    const cleanKey = telling ? String(redactValue(key, tally)) : key;
    const cleanItem = spare?.(object, key) ? item : redactMember(key, item, telling, tally, spare);
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

function redactMember(key: string, item: unknown, telling: boolean, tally: Tally, spare?: Spare): unknown {
  return telling && typeof item === 'string' ? redactField(key, item, tally) : redactValue(item, tally, spare);
}

/** Two keys that were secrets of one kind must not become one. */
function giveOwnName(key: string, taken: Set<string>): string {
  let name = key;
  for (let i = 2; taken.has(name); i++) name = `${key} (${i})`;
  taken.add(name);
  return name;
}

function redactField(key: string, item: string, tally: Tally): string {
  const alone = findSecrets(item);
  const secrets = alone.length > 0 || /\s/.test(item) ? alone : findNamed(key, item);
  return secrets.length === 0 ? item : replace(item, secrets, tally);
}

/** As if the two stood in a file; quotes within the value must not end it there. */
function findNamed(key: string, item: string): Secret[] {
  const head = `${key}="`;
  return findSecrets(`${head}${item.replace(/["'`\\]/g, '#')}"`)
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
