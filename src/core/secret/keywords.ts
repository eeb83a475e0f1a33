// The keywords of all rules in one table: the three rarest characters of each keyword decide, with one look-up per character,
// whether a match can begin. Built for the first text that could contain a secret.
import { isAscii, type SecretRule } from './rule.ts';

export type RankedRule = SecretRule & { readonly rank: number };

interface Entry {
  readonly keyword: string;
  readonly anyCase: boolean;
  /** Position of its rarest three characters in the keyword. */
  readonly offset: number;
  /** One of its rules accepts it inside a word as well. */
  inside: boolean;
  readonly rules: RankedRule[];
}

export type Bucket = readonly Entry[];

export interface KeywordIndex {
  /** By the classes of three characters, 5 bits each: the number of a bucket, or 0. */
  readonly triples: Uint16Array;
  readonly buckets: readonly Bucket[];
  /** By bucket: one bit for each class that may come directly before and after its three characters. */
  readonly before: Uint32Array;
  readonly behind: Uint32Array;
  /** Keywords outside Latin, which the table has no classes for: all in one pattern, and the rules of each. */
  readonly foreign: RegExp;
  readonly foreignRules: ReadonlyMap<string, readonly RankedRule[]>;
}

export type KeywordVisitor = (bucket: Bucket, at: number) => void;

/** Longer texts are read as bytes, which is twice as fast; for shorter ones copying would take longer. */
export const worthCopying = 2_048;
/** The rules take at most a few milliseconds for this many characters. */
export const pieceLength = 16_384;

let piece: Buffer | undefined;

/** Visits each position in a short text with three characters of a keyword between matching neighbours. */
export function visitShort(index: KeywordIndex, text: string, visit: KeywordVisitor): void {
  const { triples, buckets, before, behind } = index;
  let triple = 0;
  let class3 = 0;
  for (let at = 0; at < text.length; at++) {
    class3 = triple >> 10;
    triple = ((triple << 5) | classAt(text, at)) & 0x7fff;
    const bucket = triples[triple] as number;
    if (bucket === 0) continue;
    if (((before[bucket] as number) >>> class3) & ((behind[bucket] as number) >>> classAt(text, at + 1)) & 1)
      visit(buckets[bucket] as Bucket, at - 2);
  }
}

/** The same for the positions of a long text in the piece at `from`. */
export function visitPiece(index: KeywordIndex, text: string, from: number, visit: KeywordVisitor): void {
  const { triples, buckets, before, behind } = index;
  piece ??= Buffer.allocUnsafe(pieceLength + 2);
  // Only the low byte of a non-Latin character is checked: this may cause false positives, but no misses.
  const length = piece.write(text.slice(from, from + pieceLength + 2), 'latin1');
  for (let at = seek(triples, piece, 0, length); at >= 0; at = seek(triples, piece, at + 1, length)) {
    const bucket = triples[readTriple(text, from + at)] as number;
    const left = classAt(text, from + at - 1);
    const right = classAt(text, from + at + 3);
    if (((before[bucket] as number) >>> left) & ((behind[bucket] as number) >>> right) & 1)
      visit(buckets[bucket] as Bucket, from + at);
  }
}

/** The next position of three characters of a keyword, or -1. This loop takes most of the time. */
function seek(triples: Uint16Array, bytes: Uint8Array, from: number, length: number): number {
  let triple = ((classes[bytes[from] as number] as number) << 5) | (classes[bytes[from + 1] as number] as number);
  for (let at = from + 2; at < length; at++) {
    triple = ((triple << 5) | (classes[bytes[at] as number] as number)) & 0x7fff;
    if (triples[triple] !== 0) return at - 2;
  }
  return -1;
}

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (classes[code] as number) : 0;
}

export function standsAt(text: string, at: number, keyword: string, anyCase: boolean): boolean {
  for (let i = 0; i < keyword.length; i++) {
    let code = text.charCodeAt(at + i);
    if (anyCase && code >= 65 && code <= 90) code += 32;
    if (code !== keyword.charCodeAt(i)) return false;
  }
  return true;
}

export function buildIndex(rules: readonly SecretRule[]): KeywordIndex {
  const entries = new Map<string, Entry>();
  const foreignRules = new Map<string, RankedRule[]>();
  for (const [rank, rule] of rules.entries()) {
    const ranked = { ...rule, rank };
    const anyCase = rule.anyCase ?? false;
    for (const keyword of rule.keywords) {
      if (!isAscii(keyword)) {
        foreignRules.set(keyword, [...(foreignRules.get(keyword) ?? []), ranked]);
        continue;
      }
      const key = anyCase ? `${keyword}i` : keyword;
      const entry = entries.get(key);
      const inside = rule.inside ?? false;
      if (entry) {
        entry.rules.push(ranked);
        entry.inside ||= inside;
      } else entries.set(key, { keyword, anyCase, offset: findRarest(keyword), inside, rules: [ranked] });
    }
  }
  const triples = new Uint16Array(1 << 15);
  const buckets: Entry[][] = [[]];
  const before = new Uint32Array(entries.size + 1);
  const behind = new Uint32Array(entries.size + 1);
  for (const entry of entries.values()) {
    const { keyword, offset } = entry;
    const triple = readTriple(keyword, offset);
    if (triples[triple] === 0) triples[triple] = buckets.push([]) - 1;
    const bucket = triples[triple] as number;
    buckets[bucket]?.push(entry);
    before[bucket] = (before[bucket] as number) | maskOf(keyword, offset - 1);
    behind[bucket] = (behind[bucket] as number) | maskOf(keyword, offset + 3);
  }
  return {
    triples,
    buckets,
    before,
    behind,
    foreign: new RegExp([...foreignRules.keys()].join('|'), 'gi'),
    foreignRules,
  };
}

/** Letters by their number in the alphabet, ignoring case; digits are one class; the rest is 0. */
const classes = new Uint8Array(256);
for (let i = 1; i <= 26; i++) classes[64 + i] = classes[96 + i] = i;
for (const digit of '0123456789') classes[digit.charCodeAt(0)] = 27;
for (const [i, signs] of ['_', '-', ':/', ' .=~'].entries()) {
  for (const sign of signs) classes[sign.charCodeAt(0)] = 28 + i;
}

function readTriple(keyword: string, offset: number): number {
  let triple = 0;
  for (let i = 0; i < 3; i++) triple = (triple << 5) | (classes[keyword.charCodeAt(offset + i)] as number);
  return triple;
}

/** Outside the keyword anything may follow. */
function maskOf(keyword: string, at: number): number {
  return at < 0 || at >= keyword.length ? 0xffffffff : 1 << (classes[keyword.charCodeAt(at)] as number);
}

/** By class: its frequency in prose and code. Searching `ssw` instead of `pas` saves most of the work. */
const frequency = [
  9, 26, 10, 19, 18, 27, 11, 12, 14, 24, 3, 5, 20, 17, 22, 25, 13, 2, 21, 23, 28, 16, 6, 8, 4, 9, 1, 9, 6, 9, 5, 30,
];

/** More frequent in prose, code and lock files than their characters suggest; a dot represents a space. */
const frequent = new Set(
  `con 134 par wor ord |.: red cre --- th" ifi :// cod key cou log gin ndi and sig den ial ral cur mon hes acc wil pas ass
  om/ ack bas abi riv sor sid ssi ion ses ess nic var abl ble aki d.w asi ard ecr sec ret vis rol pag onv ing ver bea oki
  ook ffi off web sal las glo oks com ck. ks/`
    .split(/\s+/)
    .map((triple) => readTriple(triple, 0)),
);

function findRarest(keyword: string): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let offset = 0; offset <= keyword.length - 3; offset++) {
    let sum = frequent.has(readTriple(keyword, offset)) ? 5_000 : 0;
    for (let i = 0; i < 3; i++) sum += (frequency[classes[keyword.charCodeAt(offset + i)] as number] as number) ** 2;
    if (sum < least) {
      least = sum;
      best = offset;
    }
  }
  return best;
}
