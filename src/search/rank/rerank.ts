// Reorders the first results of a search by the learned ranking.
import { runSoon } from '../../core/steps.ts';
import { openWords } from '../embed.ts';
import type { DeepStage } from './deep/ranker.ts';
import { unknownLanguage } from './deep/threads.ts';
import { describeInSteps, type RankCandidate } from './features.ts';
import { scoreByTrees } from './trees.ts';
import { weights } from './weights.ts';

export type { DeepStage } from './deep/ranker.ts';
export type { RankCandidate } from './features.ts';

/** Number of results that are reordered: the ranking has learned from as many. */
export const reordered = 60;
/** Number of them that the deep stage reads, if there is time. */
const deepest = 30;

/**
 * The same results, sorted by score, in a better order. The scores keep their meaning for thresholds: the first result gets the
 * highest one, and so on.
 */
export async function rerank<T extends { score: number }>(
  query: string,
  ranked: readonly T[],
  describe: (one: T) => RankCandidate,
  deep?: DeepStage | undefined,
): Promise<T[]> {
  if (ranked.length < 2) return [...ranked];
  const candidates = ranked.map(describe);
  const added = scoreByTrees(await runSoon(describeInSteps(openWords(), query, candidates)));
  const preferred = ranked
    .map((one, at) => ({
      one,
      candidate: candidates[at] as RankCandidate,
      worth: weights.scoreWeight * one.score + (added[at] as number),
    }))
    .sort((a, b) => b.worth - a.worth);
  const ordered = deep ? await rankDeeply(query, preferred, deep) : preferred;
  return ordered.map(({ one }, at) => ({ ...one, score: (ranked[at] as T).score }));
}

interface Preferred {
  candidate: RankCandidate;
  worth: number;
}

/** The results that the deep stage has read, by both stages, then the others. */
async function rankDeeply<T extends Preferred>(query: string, preferred: readonly T[], deep: DeepStage): Promise<T[]> {
  const found = await deep(
    query,
    preferred.slice(0, deepest).map(({ candidate: { text, before } }) => ({ text, before })),
  );
  if (!found) return [...preferred];
  const { scores, fusion } = found;
  const known = scores.filter((score) => Number.isFinite(score));
  // A text that cannot be judged keeps about its place.
  const average = known.reduce((sum, score) => sum + score, 0) / known.length;
  const fused = preferred.map((one, at) => {
    const score = scores[at] === unknownLanguage ? average : (scores[at] ?? Number.NaN);
    return { one, worth: fusion.fast * one.worth + fusion.deep * score };
  });
  const read = fused.filter(({ worth }) => !Number.isNaN(worth)).sort((a, b) => b.worth - a.worth);
  return [...read, ...fused.filter(({ worth }) => Number.isNaN(worth))].map(({ one }) => one);
}
