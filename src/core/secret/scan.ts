// Finds secrets: keywords.ts finds the keywords of rules, and patterns are tried only there. A long text is read in steps, so
// that other work runs in between; results do not depend on the steps.
import { runNow, type Steps } from '../steps.ts';
import { mayHoldSecret } from './hint.ts';
import {
  type Bucket,
  buildIndex,
  type KeywordIndex,
  pieceLength,
  type RankedRule,
  standsAt,
  visitPiece,
  visitShort,
  worthCopying,
} from './keywords.ts';
import { judgedLength, type Range, type SecretRule } from './rule.ts';
import { listSecretRules } from './rules.ts';

export interface Secret {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

interface Candidate extends Secret {
  readonly rank: number;
}

interface Scan {
  readonly text: string;
  /** Whether the text contains redaction marks. */
  readonly hasMarks: boolean;
  /** By the piece in which they start, so that each part can be sorted separately. */
  readonly candidates: Candidate[][];
  /** By rank: the position up to which a rule is done. */
  readonly seen: Map<number, number>;
  /** By rank: the number of consecutive rejected values, each beginning inside the one before, and the end of the last. */
  readonly refused: Map<number, { times: number; end: number }>;
}

/** After this many rejected values inside each other a rule skips the rest: a row of keywords would cost too much. */
const mostRefused = 4;

const markStart = '[redacted:';
const longestMark = 48;

let index: KeywordIndex | undefined;

/** Compiles the rules now, so that no later text has to wait for it. */
export function prepareSecrets(): KeywordIndex {
  index ??= buildIndex(listSecretRules());
  return index;
}

/** The secrets of a text in order, without overlaps. */
export function findSecrets(text: string): Secret[] {
  return text.length <= worthCopying ? findInShort(text) : runNow(scanText(text));
}

/** The same in steps: what `findSecrets` returns. */
export function* scanText(text: string): Steps<Secret[]> {
  if (text.length <= worthCopying) return findInShort(text);
  const prepared = prepareSecrets();
  const scan = startScan(text);
  const visit = (bucket: Bucket, at: number) => tryBucket(scan, at, bucket);
  for (let from = 0; from < text.length; from += pieceLength) {
    visitPiece(prepared, text, from, visit);
    yield;
  }
  const foreign = startAgain(scan);
  for (let from = 0; from < text.length; from += pieceLength) {
    yield* tryForeign(foreign, prepared, from);
    yield;
  }
  return yield* settle(scan.candidates);
}

function findInShort(text: string): Secret[] {
  if (index === undefined && !mayHoldSecret(text)) return [];
  const prepared = prepareSecrets();
  // Most short texts have no keyword.
  let scan: Scan | undefined;
  visitShort(prepared, text, (bucket, at) => {
    scan ??= startScan(text);
    tryBucket(scan, at, bucket);
  });
  if (beyondLatin.test(text)) {
    scan ??= startScan(text);
    runNow(tryForeign(startAgain(scan), prepared, 0));
  }
  return scan === undefined || scan.candidates.length === 0 ? [] : runNow(settle(scan.candidates));
}

function startScan(text: string): Scan {
  return { text, hasMarks: text.includes(markStart), candidates: [], seen: new Map(), refused: new Map() };
}

/** For a second pass from the start, with the candidates of the first. */
function startAgain(scan: Scan): Scan {
  return { ...scan, seen: new Map(), refused: new Map() };
}

/** Whether a rule would be tried anywhere in this name; unknown until the rules are compiled. */
export function hasKeyword(name: string): boolean {
  if (index === undefined) return true;
  let found = beyondLatin.test(name) && name.search(index.foreign) >= 0;
  visitShort(index, name, (bucket, at) => {
    found ||= bucket.some(({ keyword, anyCase, offset }) => standsAt(name, at - offset, keyword, anyCase));
  });
  return found;
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

/** Letters of non-Latin keywords, by script; V8 rejects them at once in single-byte text. */
const beyondLatin = /[\u0141\u0142\u015e\u015f\u1eac\u1ead\u0370-\u0e7f\u3040-\ud7af]/;

/** At least as long as any non-Latin keyword. */
const longestForeign = 32;

/** Keywords tried in one step. */
const triedAtOnce = 64;

/** Keywords that begin in the piece at `from`. */
function* tryForeign(scan: Scan, { foreign, foreignRules }: KeywordIndex, from: number): Steps<void> {
  const piece = scan.text.slice(from, from + pieceLength + longestForeign);
  if (!beyondLatin.test(piece)) return;
  let tried = 0;
  for (const { 0: keyword, index: at } of piece.matchAll(foreign)) {
    if (at >= pieceLength) return;
    for (const rule of foreignRules.get(keyword.toLowerCase()) ?? []) tryRule(scan, from + at, rule);
    if (++tried % triedAtOnce === 0) yield;
  }
}

/** An underscore ends a word, since names are joined with it; so do escapes: the `n` of `\n`, the `D` of `%3D`. */
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
  const piece = Math.floor(start / pieceLength);
  candidates[piece] ??= [];
  candidates[piece].push({ start, end, rule: rule.id, rank: rule.rank });
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

/** Searching the end of a run needs no stack, while a pattern of the whole run overflows it after some megabytes. */
function findEnd(text: string, from: number, stop: RegExp): number {
  stop.lastIndex = from;
  return stop.exec(text)?.index ?? text.length;
}

/** Overlaps a mark: redacted text is not changed. */
function isMarked(text: string, secret: string, start: number): boolean {
  if (secret.includes(markStart)) return true;
  const before = text.slice(Math.max(0, start - longestMark), start);
  return before.lastIndexOf(markStart) > before.lastIndexOf(']');
}

/**
 * Of overlapping candidates the earlier rule's name applies; if a general one contains a specific one, only the latter
 * counts, because it knows where such a secret ends.
 */
function* settle(pieces: readonly (readonly Candidate[] | undefined)[]): Steps<Secret[]> {
  const settled: Candidate[] = [];
  for (const piece of pieces) {
    if (piece === undefined) continue;
    for (const candidate of piece.toSorted((a, b) => a.start - b.start || a.rank - b.rank)) add(settled, candidate);
    yield;
  }
  return settled;
}

function add(settled: Candidate[], candidate: Candidate): void {
  const before = settled.at(-1);
  if (before === undefined || candidate.start >= before.end) settled.push(candidate);
  else if (candidate.end <= before.end) {
    if (candidate.rank < before.rank) settled[settled.length - 1] = candidate;
  } else if (candidate.start > before.start || candidate.rank < before.rank) {
    const { rule, rank } = candidate.rank < before.rank ? candidate : before;
    settled[settled.length - 1] = { start: before.start, end: candidate.end, rule, rank };
  }
}
