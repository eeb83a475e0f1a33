// Finds secrets: one pass over the text looks for three characters of a keyword in a table, and only where the whole
// keyword stands are its rules' patterns tried, at that place. The table is built when the first text comes that could
// hold a secret at all: neither importing this nor a first small answer costs anything.
import { mayHoldSecret } from './hint.ts';
import { isAscii, judgedLength, type Range, type SecretRule } from './rule.ts';
import { listSecretRules } from './rules.ts';

export interface Secret {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

interface Candidate extends Secret {
  readonly rank: number;
}

type RankedRule = SecretRule & { readonly rank: number };

interface Entry {
  readonly keyword: string;
  readonly anyCase: boolean;
  /** Where in the keyword its rarest three characters begin. */
  readonly offset: number;
  /** One of its rules takes it inside a word as well. */
  inside: boolean;
  readonly rules: RankedRule[];
}

type Bucket = readonly Entry[];

interface Index {
  /** By the classes of three characters, 5 bits each: the number of a bucket, or 0. */
  readonly triples: Uint16Array;
  readonly buckets: readonly Bucket[];
  /** By bucket: one bit for each class that may stand right before and right behind its three characters. */
  readonly before: Uint32Array;
  readonly behind: Uint32Array;
  /** Keywords beyond Latin, which the table has no classes for: all in one pattern, and the rules of each. */
  readonly foreign: RegExp;
  readonly foreignRules: ReadonlyMap<string, readonly RankedRule[]>;
}

interface Scan {
  readonly text: string;
  /** Whether anything is redacted already. */
  readonly hasMarks: boolean;
  readonly candidates: Candidate[];
  /** By rank: up to where a rule is done, because it found something there or cannot find anything. */
  readonly seen: Map<number, number>;
  /** By rank: how many values in a row were refused, each beginning inside the one before, and where the last ends. */
  readonly refused: Map<number, { times: number; end: number }>;
}

/** After so many refused values inside each other a rule skips the rest: a row of keywords would cost too much. */
const mostRefused = 4;

const markStart = '[redacted:';
const longestMark = 48;

/** Longer texts are read as bytes, which is twice as fast; shorter ones are done before they would be copied. */
const pieceLength = 65_536;
const worthCopying = 2_048;

let index: Index | undefined;
let piece: Buffer | undefined;

/** Reads the rules now, so that no later text has to wait for it. */
export function prepareSecrets(): Index {
  index ??= buildIndex(listSecretRules());
  return index;
}

/** The secrets of a text in their order, without overlaps. */
export function findSecrets(text: string): Secret[] {
  if (index === undefined && !mayHoldSecret(text)) return [];
  const scan: Scan = { text, hasMarks: text.includes(markStart), candidates: [], seen: new Map(), refused: new Map() };
  const prepared = prepareSecrets();
  visitBuckets(prepared, text, (bucket, at) => tryBucket(scan, at, bucket));
  if (beyondLatin.test(text)) tryForeign(scan, prepared);
  return scan.candidates.length === 0 ? [] : settle(scan.candidates);
}

/** Whether a rule would be tried anywhere in this text; as long as the rules have not been read, that is not known. */
export function hasKeyword(text: string): boolean {
  if (index === undefined) return true;
  let found = beyondLatin.test(text) && text.search(index.foreign) >= 0;
  visitBuckets(index, text, (bucket, at) => {
    found ||= bucket.some(({ keyword, anyCase, offset }) => standsAt(text, at - offset, keyword, anyCase));
  });
  return found;
}

/** Visits each place where three characters of a keyword stand between neighbours of that keyword. */
function visitBuckets(index: Index, text: string, visit: (bucket: Bucket, at: number) => void): void {
  if (text.length <= worthCopying) {
    visitShort(index, text, visit);
    return;
  }
  const { triples, buckets, before, behind } = index;
  piece ??= Buffer.allocUnsafe(pieceLength);
  for (let from = 0; from < text.length; from += pieceLength - 2) {
    // Of a character beyond Latin only the low byte is seen: that may point to where no keyword stands, but never away.
    const length = piece.write(text.slice(from, from + pieceLength), 'latin1');
    for (let at = seek(triples, piece, 0, length); at >= 0; at = seek(triples, piece, at + 1, length)) {
      const bucket = triples[readTriple(text, from + at)] as number;
      const left = classAt(text, from + at - 1);
      const right = classAt(text, from + at + 3);
      if (((before[bucket] as number) >>> left) & ((behind[bucket] as number) >>> right) & 1)
        visit(buckets[bucket] as Bucket, from + at);
    }
  }
}

function visitShort(index: Index, text: string, visit: (bucket: Bucket, at: number) => void): void {
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

function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (classes[code] as number) : 0;
}

/** Where the next three characters of a keyword begin, or -1. Nearly all the time goes into this loop. */
function seek(triples: Uint16Array, bytes: Uint8Array, from: number, length: number): number {
  let triple = ((classes[bytes[from] as number] as number) << 5) | (classes[bytes[from + 1] as number] as number);
  for (let at = from + 2; at < length; at++) {
    triple = ((triple << 5) | (classes[bytes[at] as number] as number)) & 0x7fff;
    if (triples[triple] !== 0) return at - 2;
  }
  return -1;
}

function tryBucket(scan: Scan, triple: number, bucket: Bucket): void {
  const { text } = scan;
  for (const { keyword, anyCase, offset, inside, rules } of bucket) {
    const at = triple - offset;
    if (at < 0) continue;
    const isBegin = beginsWord(text, at);
    if ((!isBegin && !inside) || !standsAt(text, at, keyword, anyCase)) continue;
    for (const rule of rules) if (isBegin || rule.inside) tryRule(scan, at, rule);
  }
}

/** Letters that keywords beyond Latin have, by script; in text of single bytes V8 knows at once that there are none. */
const beyondLatin = /[\u0141\u0142\u015e\u015f\u1eac\u1ead\u0370-\u0e7f\u3040-\ud7af]/;

function tryForeign(scan: Scan, { foreign, foreignRules }: Index): void {
  for (const { 0: keyword, index: at } of scan.text.matchAll(foreign)) {
    for (const rule of foreignRules.get(keyword.toLowerCase()) ?? []) tryRule(scan, at, rule);
  }
}

function standsAt(text: string, at: number, keyword: string, anyCase: boolean): boolean {
  for (let i = 0; i < keyword.length; i++) {
    let code = text.charCodeAt(at + i);
    if (anyCase && code >= 65 && code <= 90) code += 32;
    if (code !== keyword.charCodeAt(i)) return false;
  }
  return true;
}

/** An underscore ends a word, since names are put together with it; so do escapes: the `n` of `\n`, the `D` of `%3D`. */
function beginsWord(text: string, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (!isWordCode(before)) return true;
  if (text.charCodeAt(at - 2) === 92) return before === 110 || before === 114 || before === 116;
  return text.charCodeAt(at - 3) === 37 && /^[0-9A-Fa-f]{2}$/.test(text.slice(at - 2, at));
}

function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

function tryRule(scan: Scan, at: number, rule: RankedRule): void {
  const { text, seen } = scan;
  if (at < (seen.get(rule.rank) ?? 0)) return;
  rule.pattern.lastIndex = at;
  if (rule.find) {
    if (!rule.pattern.test(text)) return;
    for (const [from, to] of rule.find(text, rule.pattern.lastIndex)) offer(scan, at, from, to, rule);
    return;
  }
  const match = rule.pattern.exec(text);
  if (match === null) {
    if (rule.run) seen.set(rule.rank, findEnd(text, at, rule.run));
    return;
  }
  const places = match.indices as readonly Range[];
  const whole = places[0] as Range;
  const group = places.find((place, i) => i > 0 && place !== undefined) ?? whole;
  if (rule.each) {
    seen.set(rule.rank, group[1]);
    const stretch = text.slice(group[0], group[1]);
    for (const { indices } of stretch.matchAll(rule.each)) {
      const [from, to] = (indices as readonly Range[])[0] as Range;
      offer(scan, at, group[0] + from, group[0] + to, rule);
    }
    return;
  }
  offer(scan, at, group[0], rule.fromGroup ? whole[1] : group[1], rule);
}

function offer(scan: Scan, at: number, start: number, until: number, rule: RankedRule): void {
  const { text, hasMarks, candidates, seen } = scan;
  const secret = text.slice(start, until);
  if (
    (hasMarks && isMarked(text, secret, start)) ||
    (rule.check && !rule.check(secret, { text, at, start, end: until }))
  ) {
    refuse(scan, at, until, rule.rank);
    return;
  }
  const end = findWholeEnd(text, start, until, rule);
  candidates.push({ start, end, rule: rule.id, rank: rule.rank });
  seen.set(rule.rank, Math.max(end, seen.get(rule.rank) ?? 0));
}

function findWholeEnd(text: string, start: number, until: number, { stop, extend }: SecretRule): number {
  if (extend) return extend(text, start, until);
  return stop && until - start >= judgedLength ? findEnd(text, until, stop) : until;
}

function refuse({ seen, refused }: Scan, at: number, end: number, rank: number): void {
  const before = refused.get(rank);
  if (before === undefined) refused.set(rank, { times: 1, end });
  else {
    before.times = at < before.end ? before.times + 1 : 1;
    before.end = Math.max(end, before.end);
    if (before.times >= mostRefused) seen.set(rank, before.end);
  }
}

/** Looking for what ends a run takes no stack, whereas a pattern of the whole run overflows it after some megabytes. */
function findEnd(text: string, from: number, stop: RegExp): number {
  stop.lastIndex = from;
  return stop.exec(text)?.index ?? text.length;
}

/** Touches a mark: what is redacted already stays as it is. */
function isMarked(text: string, secret: string, start: number): boolean {
  if (secret.includes(markStart)) return true;
  const before = text.slice(Math.max(0, start - longestMark), start);
  return before.lastIndexOf(markStart) > before.lastIndexOf(']');
}

/** Of overlapping candidates the earlier rule's name stands; where a general one reaches around a special one, only the
 * special one counts, because the general does not know where such a secret ends. */
function settle(candidates: Candidate[]): Secret[] {
  candidates.sort((a, b) => a.start - b.start || a.rank - b.rank);
  const settled: Candidate[] = [];
  for (const candidate of candidates) {
    const before = settled.at(-1);
    if (before === undefined || candidate.start >= before.end) settled.push(candidate);
    else if (candidate.end <= before.end) {
      if (candidate.rank < before.rank) settled[settled.length - 1] = candidate;
    } else if (candidate.start > before.start || candidate.rank < before.rank) {
      const { rule, rank } = candidate.rank < before.rank ? candidate : before;
      settled[settled.length - 1] = { start: before.start, end: candidate.end, rule, rank };
    }
  }
  return settled.map(({ start, end, rule }) => ({ start, end, rule }));
}

function buildIndex(rules: readonly SecretRule[]): Index {
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

/** Letters by their number in the alphabet, whatever their case; digits are one class; the rest is 0. */
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

/** Outside of the keyword anything may stand. */
function maskOf(keyword: string, at: number): number {
  return at < 0 || at >= keyword.length ? 0xffffffff : 1 << (classes[keyword.charCodeAt(at)] as number);
}

/** By class: how frequent it is in prose and code. Looking for `ssw` instead of `pas` spares most of the work. */
const frequency = [
  9, 26, 10, 19, 18, 27, 11, 12, 14, 24, 3, 5, 20, 17, 22, 25, 13, 2, 21, 23, 28, 16, 6, 8, 4, 9, 1, 9, 6, 9, 5, 30,
];

/** More frequent in prose, code and lock files than their characters suggest; a point stands for a space. */
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
