// GVariant text as gsettings and dconf use it: basic types as JSON, everything else verbatim under the type `gvariant`.
import { valueError } from './errors.ts';

const wholeTypes: Record<string, string> = {
  y: 'byte',
  n: 'int16',
  q: 'uint16',
  i: 'int32',
  u: 'uint32',
  h: 'handle',
  x: 'int64',
  t: 'uint64',
};

/** For types without a JSON equivalent. */
const other = 'gvariant';

export function readVariant(text: string): { type: string; value: unknown } {
  const plain = text.trim();
  if (plain === 'true' || plain === 'false') return { type: 'b', value: plain === 'true' };
  const marked = /^(byte|int16|uint16|int32|uint32|handle|int64|uint64) (-?(?:0x[0-9a-f]+|\d+))$/.exec(plain);
  const type = Object.entries(wholeTypes).find(([, word]) => word === marked?.[1])?.[0];
  if (marked && type) return { type, value: exact(marked[2] as string) };
  if (/^-?\d+$/.test(plain)) return { type: 'i', value: Number(plain) };
  if (/^-?\d+\.\d*(?:e[+-]?\d+)?$/.test(plain)) return { type: 'd', value: Number(plain) };
  const string = readString(plain, 0);
  if (string && string.end === plain.length) return { type: 's', value: string.value };
  if (plain === '@as []') return { type: 'as', value: [] };
  const list = readStrings(plain);
  return list ? { type: 'as', value: list } : { type: other, value: plain };
}

export function writeVariant(type: string, value: unknown): string {
  if (type === 'b' && typeof value === 'boolean') return String(value);
  if (type === 's' && typeof value === 'string') return quote(value);
  if (type === 'd' && Number.isFinite(value)) return Number.isInteger(value) ? `${value}.0` : String(value);
  if (type === 'as' && Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.length === 0 ? '@as []' : `[${value.map(quote).join(', ')}]`;
  }
  const word = wholeTypes[type];
  const isWhole = Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,20}$/.test(value));
  if (word !== undefined && isWhole) return type === 'i' ? `int32 ${value}` : `${word} ${value}`;
  // Passed as text to GVariant's own parser, which accepts only values.
  if (type === other && typeof value === 'string' && value !== '' && !value.startsWith('-')) return value;
  throw valueError(type, value, `JSON of type ${type}, or type ${other} with GVariant text`);
}

function exact(digits: string): number | string {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : digits;
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', a: '\x07', v: '\v' };

function readString(text: string, start: number): { value: string; end: number } | undefined {
  const sign = text[start];
  if (sign !== "'" && sign !== '"') return undefined;
  let value = '';
  for (let at = start + 1; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === sign) return { value, end: at + 1 };
    if (letter !== '\\') {
      value += letter;
      continue;
    }
    const code = /^(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(text.slice(at + 1, at + 10));
    if (code) {
      const point = Number.parseInt(code[1] ?? code[2] ?? '', 16);
      if (point > 0x10ffff) return undefined;
      value += String.fromCodePoint(point);
      at += code[0].length;
    } else {
      const next = text[++at] ?? '';
      value += escapes[next] ?? next;
    }
  }
  return undefined;
}

function readStrings(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  const items: string[] = [];
  for (let at = 1; ; ) {
    const item = readString(text, at);
    if (!item) return undefined;
    items.push(item.value);
    if (text[item.end] === ']') return item.end + 1 === text.length ? items : undefined;
    if (!text.startsWith(', ', item.end)) return undefined;
    at = item.end + 2;
  }
}

/** Letters that end a line or steer something are written as numbers. */
function quote(text: string): string {
  const inner = text.replace(/['\\]/g, '\\$&').replace(/\p{Cc}|[\u2028\u2029]/gu, (letter) => {
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `'${inner}'`;
}
