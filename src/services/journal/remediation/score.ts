// Scores whether two error texts describe the same failure. A code with exactly one meaning decides for it; two different
// codes of one space decide against it; without codes, most words must agree. Frames and names only add.
import { type Code, isSameCode } from './codes.ts';
import type { Signature, SignedFailure } from './signature.ts';

interface Likeness {
  /** From 0 to 1; from `matchesFrom` on it is the same failure. */
  score: number;
  why: string;
}

export const matchesFrom = 0.5;

/** Later failures of a text are less likely its subject. */
const secondary = 0.92;
/** A failure that is secondary in both texts is usually a consequence. */
const besides = 0.85;

export function compareSignatures(asked: Signature, known: Signature, cosine = 0): Likeness {
  let best: Likeness = { score: 0, why: '' };
  for (const [i, a] of asked.failures.entries()) {
    for (const [j, b] of known.failures.entries()) {
      const pair = compareFailures(a, b, cosine);
      const aside = i > 0 && j > 0 ? besides : 1;
      const score = pair.score * aside * secondary ** (Math.min(i, 2) + Math.min(j, 2));
      if (score > best.score) best = { score, why: pair.why };
    }
  }
  if (best.score < matchesFrom) return best;
  const frames = asked.frames.filter((frame) => known.frames.includes(frame)).length;
  if (frames === 0) return best;
  const nearer = best.score + (1 - best.score) * Math.min(0.5, frames * 0.1);
  return { score: nearer, why: `${best.why}; ${frames} ${frames === 1 ? 'frame' : 'frames'} in common` };
}

function compareFailures(a: SignedFailure, b: SignedFailure, cosine: number): Likeness {
  const shared = a.codes.filter((code) => b.codes.some((other) => isSameCode(code, other)));
  const [code] = shared;
  const weight = code?.weight ?? 0;
  const exact = a.hash === b.hash;
  const words = exact
    ? { likeness: 1, common: totalWeight(a.segments.flat()) }
    : compareWords(a.segments.flat(), b.segments.flat());
  if (weight < decides && conflict(a.codes, b.codes, haveSameWords(words))) {
    return { score: 0, why: '' };
  }
  const likely = Math.max(scoreOf(weight, words, exact), weight >= decides ? 0 : scoreReason(a, b));
  const named = shareOf(a.values, b.values);
  const score = likely < matchesFrom ? likely : likely + (1 - likely) * (0.4 * named + meant * Math.max(0, cosine));
  return { score, why: explain(code, words.likeness, exact, named) };
}

/** A code of this weight identifies one failure. */
const decides = 0.6;
/** Similarity in meaning only orders matches. */
const meant = 0.1;

interface Agreement {
  /** Share of the words' weight that both have, from 0 to 1. */
  likeness: number;
  /** Weight of the common words. */
  common: number;
}

function scoreOf(weight: number, { likeness, common }: Agreement, exact: boolean): number {
  if (weight >= 0.9) return 0.62 + 0.3 * likeness;
  if (weight >= decides) return 0.4 + (Math.min(weight, 0.75) - 0.65) * 0.8 + 0.5 * likeness;
  if (weight >= 0.3) return 0.5 + (likeness - 0.72) * 1.2;
  // Few words alone may agree by chance.
  return 0.8 * likeness * Math.min(1, Math.max(common / 2, exact ? 0.7 : 0));
}

/** Programs put the context before the reason: an equal reason is enough if it is specific. */
function scoreReason(a: SignedFailure, b: SignedFailure): number {
  let best = 0;
  for (const [i, one] of a.segments.entries()) {
    for (const [j, other] of b.segments.entries()) {
      const { likeness, common } = compareWords(one, other);
      const isLast = i >= findLast(a) || j >= findLast(b);
      if (!isLast && common < 4) continue;
      if (likeness >= 0.99 ? common > 2 : likeness >= 0.75 && common >= 2.5)
        best = Math.max(best, 0.52 + Math.min(0.15, common * 0.03));
    }
  }
  return best;
}

/** The last significant part. */
function findLast({ segments }: SignedFailure): number {
  return segments.findLastIndex((words) => totalWeight(words) >= insignificant);
}

function haveSameWords({ likeness, common }: Agreement): boolean {
  return likeness >= 0.95 ? common >= 2 : likeness >= contained && common >= 4;
}

/** Codes of different failures: both specific, or of one space. */
function conflict(a: readonly Code[], b: readonly Code[], alike: boolean): boolean {
  if (!alike && a.some(isStrong) && b.some(isStrong)) return true;
  return a.some(({ space, weight }) => {
    // Database drivers have their own classes for the same error.
    if (weight < 0.3 || (alike && space === 'class')) return false;
    const others = b.filter((other) => other.space === space && other.weight >= 0.3);
    return others.length > 0 && !a.some((own) => own.space === space && others.some((other) => isSameCode(own, other)));
  });
}

function isStrong({ weight }: Code): boolean {
  return weight >= 0.8;
}

/** Without significant words on either side, nothing contradicts a match. */
const insignificant = 0.8;
const undecided = 0.6;
/** One of them has no message. */
const unsaid = 0.25;
/** Truncated, or with an addition. */
const contained = 0.75;
const cutFrom = 3;

function compareWords(a: SignedFailure['segments'][number], b: SignedFailure['segments'][number]): Agreement {
  const own = new Map(a);
  const other = new Map(b);
  let common = 0;
  for (const [word, weight] of own) common += Math.min(weight, other.get(word) ?? 0);
  const [first, second] = [totalWeight([...own]), totalWeight([...other])];
  const less = Math.min(first, second);
  if (Math.max(first, second) < insignificant) return { likeness: undecided, common };
  if (less < insignificant / 2) return { likeness: unsaid, common };
  const likeness = (2 * common) / (first + second);
  if (likeness >= contained || common < cutFrom || common < 0.85 * less) return { likeness, common };
  return { likeness: findRun(a, b) >= Math.max(cutFrom, 0.75 * less) ? contained : likeness, common };
}

/** Weight of the longest common sequence of words, without names. */
function findRun(a: SignedFailure['segments'][number], b: SignedFailure['segments'][number]): number {
  const [own, other] = [a, b].map((words) => words.filter(([, weight]) => weight >= 0.5)) as [typeof a, typeof b];
  let best = 0;
  let before = new Array<number>(other.length + 1).fill(0);
  for (const [word, weight] of own) {
    const now = new Array<number>(other.length + 1).fill(0);
    for (const [at, [there]] of other.entries()) {
      if (there !== word) continue;
      now[at + 1] = (before[at] ?? 0) + weight;
      best = Math.max(best, now[at + 1] ?? 0);
    }
    before = now;
  }
  return best;
}

function totalWeight(words: SignedFailure['segments'][number]): number {
  return words.reduce((sum, [, weight]) => sum + weight, 0);
}

function shareOf(a: readonly string[], b: readonly string[]): number {
  const common = a.filter((value) => b.includes(value)).length;
  return common === 0 ? 0 : common / Math.min(a.length, b.length);
}

function explain(code: Code | undefined, words: number, exact: boolean, named: number): string {
  const parts = [
    code && `same ${code.name}`,
    exact ? 'same message' : `${Math.round(words * 100)} % of the message`,
    named > 0 && 'names in common',
  ];
  return parts.filter(Boolean).join('; ');
}
