// One ranking out of two: what words found and what meaning found. Scores are brought to one scale and weighted; ranks
// alone would let the weaker side drown the stronger.
import { type Steps, sortInSteps } from '../core/steps.ts';
import { vectorLength } from './embed.ts';
import { mostOfTerm } from './score.ts';
import type { Hit, IndexHits, WordHit } from './search-index.ts';

export interface Weights {
  text: number;
  vector: number;
}

/** Chosen on the tuning split of bench/quality. */
export const defaultWeights: Weights = { text: 0.6, vector: 0.4 };

/** How much alike two texts can be in meaning alone to be as good as one that has all of the words. */
export const meaningShare = 0.7;

/** Chosen on the tuning split of bench/quality: what is below is hardly ever what was asked for. */
export const relevantFrom = 0.08;

export interface FusedHit {
  number: number;
  score: number;
  /** Each side's share, from 0 to 1, before its weight: 1 is the best of what was found. */
  text: number;
  vector: number;
  /** The next four do not depend on what else was found. All words of the question, often, in a short text: 1. */
  match: number;
  /** Likeness of meaning beyond that of any other document, from 0 to 1. */
  likeness: number;
  /** Both together, from 0 to 1: below `relevantFrom` it has nothing to do with the question. */
  relevance: number;
  /** How much of what the question's words tell stands in it, from 0 to 1. */
  coverage: number;
  /** The likeness of meaning, from 0 to 1; 0 where it is not among the nearest. */
  cosine: number;
  /** How often each term of the question occurs in it. */
  frequencies: readonly number[];
  /** How much each of the question's terms tells. */
  weights: readonly number[];
}

/** Number compared in one step. */
const fusedAtOnce = 2_000;

export function* fuse(answer: IndexHits, shares: Weights = defaultWeights): Steps<FusedHit[]> {
  const { words, meaning, weights } = answer;
  const hits = new Map<number, FusedHit>();
  const open = (number: number, frequencies: readonly number[]): FusedHit => {
    const hit = { number, score: 0, text: 0, vector: 0, match: 0, likeness: 0, relevance: 0, coverage: 0, cosine: 0 };
    const opened = Object.assign(hit, { frequencies, weights });
    hits.set(number, opened);
    return opened;
  };
  const told = sum(weights) || 1;
  const most = mostOfTerm * sum(weighUnknownLess(words, weights)) || 1;
  const text = scaleToTop(words);
  for (const [at, { number, score, frequencies }] of words.entries()) {
    const hit = open(number, frequencies);
    hit.text = text[at] as number;
    hit.match = Math.min(1, score / most);
    hit.coverage = weights.reduce((covered, weight, term) => covered + (frequencies[term] ? weight : 0), 0) / told;
    if (at % fusedAtOnce === fusedAtOnce - 1) yield;
  }
  const background = answer.background / vectorLength ** 2;
  const near = scaleToRange(meaning);
  for (const [at, { number, score }] of meaning.entries()) {
    const hit = hits.get(number) ?? open(number, []);
    hit.vector = near[at] as number;
    hit.cosine = score / vectorLength ** 2;
    hit.likeness = Math.min(1, Math.max(0, hit.cosine - background) / (1 - background));
    if (at % fusedAtOnce === fusedAtOnce - 1) yield;
  }
  const fused = [...hits.values()];
  for (const hit of fused) {
    hit.score = shares.text * hit.text + shares.vector * hit.vector;
    hit.relevance = 1 - (1 - hit.match) * (1 - meaningShare * hit.likeness);
  }
  return yield* sortInSteps(fused, (a, b) => b.score - a.score || a.number - b.number);
}

/** A question has words that no document has, and is asked nevertheless. */
function weighUnknownLess(words: readonly WordHit[], weights: readonly number[]): number[] {
  return weights.map((weight, term) => (words.some(({ frequencies }) => frequencies[term]) ? weight : weight / 2));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** BM25 has a meaningful zero: no word in common. */
function scaleToTop(hits: readonly Hit[]): number[] {
  const { top } = rangeOf(hits);
  return hits.map(({ score }) => score / Math.max(top, Number.MIN_VALUE));
}

/** Similarities have none: even strangers are somewhat alike, so the least of the found is the zero. */
function scaleToRange(hits: readonly Hit[]): number[] {
  const { bottom, top } = rangeOf(hits);
  const range = Math.max(top - bottom, Number.MIN_VALUE);
  return hits.map(({ score }) => (hits.length === 1 ? 1 : (score - bottom) / range));
}

/** A loop: a call with more than about 120,000 arguments overflows the stack. */
function rangeOf(hits: readonly Hit[]): { bottom: number; top: number } {
  let [bottom, top] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { score } of hits) {
    if (score < bottom) bottom = score;
    if (score > top) top = score;
  }
  return { bottom, top };
}
