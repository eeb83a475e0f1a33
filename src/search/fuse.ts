// One ranking out of two: what words found and what meaning found. Scores are brought to one scale and weighted; ranks
// alone would let the weaker side drown the stronger.
import { vectorLength } from './embed.ts';
import type { Answer, Hit } from './search-index.ts';

export interface Weights {
  text: number;
  vector: number;
}

/** Chosen on the tuning split of bench/quality. */
export const defaultWeights: Weights = { text: 0.6, vector: 0.4 };

export interface FusedHit {
  number: number;
  score: number;
  /** Each side's share, from 0 to 1, before its weight: 1 is the best of what was found. */
  text: number;
  vector: number;
  /** How much of what the question's words tell stands in it, from 0 to 1: not only beside the others. */
  coverage: number;
  /** The likeness of meaning, from 0 to 1; 0 where it is not among the nearest. */
  cosine: number;
  /** How often each of the question's terms stands in it. */
  frequencies: readonly number[];
  /** How much each of the question's terms tells. */
  weights: readonly number[];
}

export function fuse({ words, meaning, weights }: Answer, shares: Weights = defaultWeights): FusedHit[] {
  const told = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const hits = new Map<number, FusedHit>();
  const text = scaleToTop(words);
  words.forEach(({ number, frequencies }, at) => {
    const covered = weights.reduce((sum, weight, term) => sum + (frequencies[term] ? weight : 0), 0);
    hits.set(number, {
      number,
      score: 0,
      text: text[at] as number,
      vector: 0,
      coverage: covered / told,
      cosine: 0,
      frequencies,
      weights,
    });
  });
  const near = scaleToRange(meaning);
  meaning.forEach(({ number, score }, at) => {
    const hit = hits.get(number) ?? {
      number,
      score: 0,
      text: 0,
      vector: 0,
      coverage: 0,
      cosine: 0,
      frequencies: [],
      weights,
    };
    hits.set(number, { ...hit, vector: near[at] as number, cosine: score / vectorLength ** 2 });
  });
  return [...hits.values()]
    .map((hit) => ({ ...hit, score: shares.text * hit.text + shares.vector * hit.vector }))
    .sort((a, b) => b.score - a.score || a.number - b.number);
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
