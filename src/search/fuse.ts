// Combines the results of the text search and the vector search. Scores are normalised and weighted, because ranks alone would
// let the weaker side dominate.
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

/** The similarity in meaning that counts as much as a match of all words. */
export const meaningShare = 0.7;

/** Chosen on the tuning split of bench/quality: results below are rarely relevant. */
export const relevantFrom = 0.08;

export interface FusedHit {
  number: number;
  score: number;
  /** The score of each side before weighting, from 0 to 1; the best result has 1. */
  text: number;
  vector: number;
  /** The next four do not depend on the other results. 1: all words of the query, often, in a short text. */
  match: number;
  /** Similarity in meaning above the background of all documents, from 0 to 1. */
  likeness: number;
  /** Both together, from 0 to 1; below `relevantFrom` the document is unrelated to the query. */
  relevance: number;
  /** Share of the query's information content that the document contains, from 0 to 1. */
  coverage: number;
  /** Similarity in meaning, from 0 to 1; 0 if it is not among the nearest. */
  cosine: number;
  /** The average of it over all documents. */
  background: number;
  /** Frequency of each term of the query in the document. */
  frequencies: readonly number[];
  /** Weight of each term of the query. */
  weights: readonly number[];
}

/** Number of comparisons in one step. */
const fusedAtOnce = 2_000;

export function* fuse(answer: IndexHits, shares: Weights = defaultWeights): Steps<FusedHit[]> {
  const { words, meaning, weights } = answer;
  const background = answer.background / vectorLength ** 2;
  const hits = new Map<number, FusedHit>();
  const open = (number: number, frequencies: readonly number[]): FusedHit => {
    const hit = { number, score: 0, text: 0, vector: 0, match: 0, likeness: 0, relevance: 0, coverage: 0, cosine: 0 };
    const opened = Object.assign(hit, { background, frequencies, weights });
    hits.set(number, opened);
    return opened;
  };
  const total = sum(weights) || 1;
  const most = mostOfTerm * sum(weighUnknownLess(words, weights)) || 1;
  const text = scaleToTop(words);
  for (const [at, { number, score, frequencies }] of words.entries()) {
    const hit = open(number, frequencies);
    hit.text = text[at] as number;
    hit.match = Math.min(1, score / most);
    hit.coverage = weights.reduce((covered, weight, term) => covered + (frequencies[term] ? weight : 0), 0) / total;
    if (at % fusedAtOnce === fusedAtOnce - 1) yield;
  }
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

/** Halves the weight of terms that no result contains. */
function weighUnknownLess(words: readonly WordHit[], weights: readonly number[]): number[] {
  return weights.map((weight, term) => (words.some(({ frequencies }) => frequencies[term]) ? weight : weight / 2));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** BM25 has a meaningful zero: no common word. */
function scaleToTop(hits: readonly Hit[]): number[] {
  const { top } = rangeOf(hits);
  return hits.map(({ score }) => score / Math.max(top, Number.MIN_VALUE));
}

/** Similarities have no meaningful zero: unrelated texts are somewhat alike, so the lowest result is the zero. */
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
