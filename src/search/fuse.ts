// One ranking out of two: what words found and what meaning found. Scores are brought to one scale and weighted; ranks
// alone would let the weaker side drown the stronger.
import type { Hit } from './search-index.ts';

export interface Weights {
  text: number;
  vector: number;
}

/** Chosen on the tuning split of bench/quality. */
export const defaultWeights: Weights = { text: 0.6, vector: 0.4 };

export interface FusedHit {
  id: string;
  score: number;
  /** Each side's share, from 0 to 1, before its weight. */
  text: number;
  vector: number;
}

export function fuse(text: readonly Hit[], vector: readonly Hit[], weights: Weights = defaultWeights): FusedHit[] {
  const shares = new Map<string, { text: number; vector: number }>();
  const share = (id: string) => {
    let known = shares.get(id);
    if (!known) {
      known = { text: 0, vector: 0 };
      shares.set(id, known);
    }
    return known;
  };
  for (const [id, value] of scaleToTop(text)) share(id).text = value;
  for (const [id, value] of scaleToRange(vector)) share(id).vector = value;
  return [...shares]
    .map(([id, { text: words, vector: meaning }]) => ({
      id,
      score: weights.text * words + weights.vector * meaning,
      text: words,
      vector: meaning,
    }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}

/** BM25 has a meaningful zero: no word in common. */
function scaleToTop(hits: readonly Hit[]): [string, number][] {
  const top = Math.max(...hits.map(({ score }) => score), Number.MIN_VALUE);
  return hits.map(({ id, score }) => [id, score / top]);
}

/** Similarities have none: even strangers are somewhat alike, so the least of the found is the zero. */
function scaleToRange(hits: readonly Hit[]): [string, number][] {
  const scores = hits.map(({ score }) => score);
  const top = Math.max(...scores);
  const bottom = Math.min(...scores);
  const range = Math.max(top - bottom, Number.MIN_VALUE);
  return hits.map(({ id, score }) => [id, hits.length === 1 ? 1 : (score - bottom) / range]);
}
