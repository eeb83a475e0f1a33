// The property list that `defaults export` prints, as JSON: enough of XML for what Apple's own writer makes.
import type { SettingValue } from './settings-store.ts';

interface Reading {
  text: string;
  at: number;
}

interface Value {
  type: string;
  value: unknown;
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const maxDepth = 50;

/** The entries of the outermost dictionary; undefined if it cannot be parsed. */
export function readPlist(text: string): SettingValue[] | undefined {
  const start = text.indexOf('<plist');
  const reading = { text, at: text.indexOf('>', start) + 1 };
  const tag = start < 0 ? undefined : takeTag(reading);
  if (tag === 'dict/') return [];
  return tag === 'dict' ? readDictionary(reading, 0) : undefined;
}

function takeTag(reading: Reading): string | undefined {
  const pattern = /\s*<(\/?[a-z]+\/?)>/y;
  pattern.lastIndex = reading.at;
  const found = pattern.exec(reading.text);
  if (found) reading.at = pattern.lastIndex;
  return found?.[1];
}

function takeText(reading: Reading, tag: string): string | undefined {
  const end = reading.text.indexOf(`</${tag}>`, reading.at);
  if (end < 0) return undefined;
  const raw = reading.text.slice(reading.at, end);
  reading.at = end + tag.length + 3;
  return raw.replace(/&(#x?[0-9a-f]+|[a-z]+);/gi, (whole, name: string) => entities[name] ?? readCode(name) ?? whole);
}

function readCode(name: string): string | undefined {
  const code = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return name.startsWith('#') && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function readDictionary(reading: Reading, depth: number): SettingValue[] | undefined {
  const entries: SettingValue[] = [];
  for (let tag = takeTag(reading); tag === 'key'; tag = takeTag(reading)) {
    const name = takeText(reading, 'key');
    const value = readValue(reading, takeTag(reading), depth);
    if (name === undefined || !value) return undefined;
    entries.push({ name, ...value });
  }
  return entries;
}

function readValue(reading: Reading, tag: string | undefined, depth: number): Value | undefined {
  if (tag === undefined || depth > maxDepth) return undefined;
  if (tag === 'true/' || tag === 'false/') return { type: 'bool', value: tag === 'true/' };
  if (tag === 'array/') return { type: 'array', value: [] };
  if (tag === 'dict/') return { type: 'dict', value: {} };
  if (tag === 'string/') return { type: 'string', value: '' };
  if (tag === 'array') return readArray(reading, depth);
  if (tag === 'dict') {
    const entries = readDictionary(reading, depth + 1);
    return entries && { type: 'dict', value: Object.fromEntries(entries.map(({ name, value }) => [name, value])) };
  }
  const text = takeText(reading, tag);
  if (text === undefined) return undefined;
  if (tag === 'integer') return { type: 'int', value: Number(text) };
  if (tag === 'real') return { type: 'float', value: Number(text) };
  if (tag === 'data') return { type: 'data', value: Buffer.from(text, 'base64').toString('hex') };
  return tag === 'string' || tag === 'date' ? { type: tag, value: text } : undefined;
}

function readArray(reading: Reading, depth: number): Value | undefined {
  const items: unknown[] = [];
  for (let tag = takeTag(reading); tag !== '/array'; tag = takeTag(reading)) {
    const item = readValue(reading, tag, depth + 1);
    if (!item) return undefined;
    items.push(item.value);
  }
  return { type: 'array', value: items };
}
