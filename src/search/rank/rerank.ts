// Reorders the first results of a search by the learned ranking.
import { openWords } from '../embed.ts';
import { describeCandidates, type RankCandidate } from './features.ts';
import { scoreByTrees } from './trees.ts';
import { weights } from './weights.ts';

export type { RankCandidate } from './features.ts';

/** Number of results that are reordered: the ranking has learned from as many. */
export const reordered = 60;

/**
 * The same results, sorted by score, in a better order. The scores keep their meaning for thresholds: the first result gets the
 * highest one, and so on.
 */
export function rerank<T extends { score: number }>(
  query: string,
  ranked: readonly T[],
  describe: (one: T) => RankCandidate,
): T[] {
  if (ranked.length < 2) return [...ranked];
  const added = scoreByTrees(describeCandidates(openWords(), query, ranked.map(describe)));
  const preferred = ranked
    .map((one, at) => ({ one, worth: weights.scoreWeight * one.score + (added[at] as number) }))
    .sort((a, b) => b.worth - a.worth);
  return preferred.map(({ one }, at) => ({ ...one, score: (ranked[at] as T).score }));
}
