// Reorders the first results of a search by the learned ranking.
import { runSoon } from '../../core/steps.ts';
import { openWords } from '../embed.ts';
import { describeInSteps, type RankCandidate } from './features.ts';
import { scoreByTrees } from './trees.ts';
import { weights } from './weights.ts';

export type { RankCandidate } from './features.ts';

/** Number of results that are reordered: the ranking has learned from as many. */
export const reordered = 60;

/**
 * The same results, sorted by score, in a better order. The scores keep their meaning for thresholds: the first result gets the
 * highest one, and so on.
 */
export async function rerank<T extends { score: number }>(
  query: string,
  ranked: readonly T[],
  describe: (one: T) => RankCandidate,
): Promise<T[]> {
  if (ranked.length < 2) return [...ranked];
  const described = await runSoon(describeInSteps(openWords(), query, ranked.map(describe)));
  const added = scoreByTrees(described);
  const preferred = ranked
    .map((one, at) => ({ one, worth: weights.scoreWeight * one.score + (added[at] as number) }))
    .sort((a, b) => b.worth - a.worth);
  return preferred.map(({ one }, at) => ({ ...one, score: (ranked[at] as T).score }));
}
