// How sure it is that two error texts are of one failure. A code that means exactly one thing decides; two different codes
// of one space decide against; where there is none, words must agree for the most part. Frames and names only add.
import type { Code } from './codes.ts';
import type { Signature, SignedFailure } from './signature.ts';

export interface Likeness {
  /** From 0 to 1; from `matchesFrom` on it is the same failure. */
  score: number;
  why: string;
}

export const matchesFrom = 0.5;

/** What stands second in a text is less what it is about. */
const secondary = 0.92;

export function compareSignatures(asked: Signature, known: Signature, cosine = 0): Likeness {
  let best: Likeness = { score: 0, why: '' };
  const strange = asked.language !== undefined && known.language !== undefined && asked.language !== known.language;
  for (const [i, a] of asked.failures.entries()) {
    for (const [j, b] of known.failures.entries()) {
      const pair = compareFailures(a, b, strange, cosine);
      const score = pair.score * secondary ** (Math.min(i, 2) + Math.min(j, 2));
      if (score > best.score) best = { score, why: pair.why };
    }
  }
  if (best.score < matchesFrom) return best;
  const frames = asked.frames.filter((frame) => known.frames.includes(frame)).length;
  if (frames === 0) return best;
  const nearer = best.score + (1 - best.score) * Math.min(0.5, frames * 0.1);
  return { score: nearer, why: `${best.why}; ${frames} ${frames === 1 ? 'frame' : 'frames'} in common` };
}

function compareFailures(a: SignedFailure, b: SignedFailure, strange: boolean, cosine: number): Likeness {
  const shared = a.codes.filter(({ name }) => b.codes.some((other) => other.name === name));
  const [code] = shared;
  const weight = code?.weight ?? 0;
  if (weight < decides && conflict(a.codes, b.codes)) return { score: 0, why: '' };
  const exact = a.hash === b.hash;
  const words = exact
    ? { likeness: 1, told: tellOf(a.segments.flat()) }
    : compareWords(a.segments.flat(), b.segments.flat());
  const base = Math.max(scoreOf(weight, words, exact), weight >= decides ? 0 : scoreReason(a, b));
  const others = weight === 0 && isNamed(a) && isNamed(b) ? otherwise : 1;
  const likely = base * (strange && weight < decides ? foreign : 1) * others;
  const named = shareOf(a.values, b.values);
  const score = likely < matchesFrom ? likely : likely + (1 - likely) * (0.4 * named + meant * Math.max(0, cosine));
  return { score, why: explain(code, words.likeness, exact, named) };
}

/** A code of this weight is one failure's own. */
const decides = 0.6;
/** The same words in another language are often another failure. */
const foreign = 0.75;
/** Each is named, and not alike. */
const otherwise = 0.8;
/** Meaning orders what matches; it makes no match. */
const meant = 0.1;

interface Agreement {
  /** How much of what both say is said by both. */
  likeness: number;
  /** How much that is. */
  told: number;
}

function scoreOf(weight: number, { likeness, told }: Agreement, exact: boolean): number {
  if (weight >= 0.9) return 0.62 + 0.3 * likeness;
  if (weight >= decides) return 0.4 + 0.5 * likeness;
  if (weight >= 0.3) return 0.5 + (likeness - 0.72) * 1.2;
  // Nothing but words: few of them might agree by chance.
  return 0.77 * likeness * Math.min(1, Math.max(told / 2, exact ? 0.7 : 0));
}

/** Programs put what they were doing before the reason: the reason alone may be the same, if it says enough. */
function scoreReason(a: SignedFailure, b: SignedFailure): number {
  let best = 0;
  for (const [i, one] of a.segments.entries()) {
    for (const [j, other] of b.segments.entries()) {
      const { likeness, told } = compareWords(one, other);
      const isLast = i === a.segments.length - 1 || j === b.segments.length - 1;
      if (!isLast && told < 4) continue;
      if (likeness >= 0.99 ? told > 2 : likeness >= 0.8 && told >= 2.5)
        best = Math.max(best, 0.52 + Math.min(0.15, told * 0.03));
    }
  }
  return best;
}

/** Two names for different failures: both say exactly what, or in one space each failure has its own. */
function conflict(a: readonly Code[], b: readonly Code[]): boolean {
  if (a.some(isStrong) && b.some(isStrong)) return true;
  return a.some(({ space, weight }) => {
    if (weight < 0.3) return false;
    const others = b.filter((other) => other.space === space && other.weight >= 0.3);
    return others.length > 0 && !a.some((own) => own.space === space && others.some(({ name }) => name === own.name));
  });
}

function isNamed({ codes }: SignedFailure): boolean {
  return codes.length > 0;
}

function isStrong({ weight }: Code): boolean {
  return weight >= 0.8;
}

/** Where neither says anything but names, there is nothing to hold against them. */
const saysNothing = 0.8;
const undecided = 0.6;

function compareWords(a: SignedFailure['segments'][number], b: SignedFailure['segments'][number]): Agreement {
  const other = new Map(b);
  let told = 0;
  for (const [word, weight] of a) told += Math.min(weight, other.get(word) ?? 0);
  const [first, second] = [tellOf(a), tellOf(b)];
  if (first < saysNothing && second < saysNothing) return { likeness: undecided, told };
  return { likeness: (2 * told) / (first + second), told };
}

function tellOf(words: SignedFailure['segments'][number]): number {
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
