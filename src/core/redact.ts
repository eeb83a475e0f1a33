// Takes secrets out of text before it is stored and again before it leaves. Each becomes a readable mark such as
// `[redacted:github-token]`; everything else stays as it was, and what is already redacted does not change again.
import { findSecrets, type Secret } from './secret-scan.ts';

export { findSecrets, type Secret };

export interface Found {
  readonly rule: string;
  readonly count: number;
}

export interface Redacted {
  readonly text: string;
  /** In the order of first appearance; empty where the text is returned as it came. */
  readonly found: readonly Found[];
}

/** How often each rule found something. */
export type Tally = Map<string, number>;

export function redact(text: string): Redacted {
  const secrets = findSecrets(text);
  if (secrets.length === 0) return { text, found: [] };
  const tally: Tally = new Map();
  const clean = replace(text, secrets, tally);
  return { text: clean, found: [...tally].map(([rule, count]) => ({ rule, count })) };
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
 * Redacts the strings and keys of a JSON value; a value is also judged by its key, as `password` tells of what follows.
 * Without a find the very same value is returned, otherwise the same parts that had none. `tally` learns what was found.
 */
export function redactDeep<T>(value: T, tally: Tally = new Map()): T {
  return redactValue(value, tally) as T;
}

function redactValue(value: unknown, tally: Tally): unknown {
  if (typeof value === 'string') {
    const secrets = findSecrets(value);
    return secrets.length === 0 ? value : replace(value, secrets, tally);
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => redactValue(item, tally));
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  return isPlainObject(value) ? redactObject(value, tally) : value;
}

function redactObject(object: { [key: string]: unknown }, tally: Tally): unknown {
  let changed = false;
  const taken = new Set<string>();
  const entries = Object.entries(object).map(([key, item]): [string, unknown] => {
    const cleanKey = giveOwnName(String(redactValue(key, tally)), taken);
    const cleanItem = typeof item === 'string' ? redactField(key, item, tally) : redactValue(item, tally);
    if (cleanKey !== key || cleanItem !== item) changed = true;
    return [cleanKey, cleanItem];
  });
  return changed ? Object.fromEntries(entries) : object;
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
