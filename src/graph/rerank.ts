// Orders found nodes by the learned ranking. Turns of one conversation, and passages of one document, are described together.
import { type DeepStage, type RankCandidate, rerank } from '../search/rank/rerank.ts';
import { derivedKinds } from './derived/tables.ts';
import type { FoundNode } from './graph.ts';

export { examineModel } from '../search/rank/deep/ranker.ts';
export { type DeepStage, type RankCandidate, reordered, rerank } from '../search/rank/rerank.ts';

/** How much of the query's words in a session one node usually has, and their weight in the score: as for memories. */
const standing = { share: 0.5, weight: 0.6 };

/**
 * The results are sorted by score; the first gets the highest. Derived nodes stay in their places, because they are found by words of files
 * that their texts do not have.
 */
export async function rerankFound(
  query: string,
  found: readonly FoundNode[],
  deep?: DeepStage | undefined,
): Promise<FoundNode[]> {
  const scored = found
    .filter(({ node }) => !isDerived(node))
    .map((one) => {
      const words = standing.share * one.coverage;
      return { one, words, score: 1 - (1 - one.relevance) * (1 - standing.weight * words) };
    })
    .sort((a, b) => b.score - a.score);
  const ordered = (await rerank(query, scored, describe, deep)).values();
  return found.map((one) => (isDerived(one.node) ? one : { ...(ordered.next().value?.one ?? one), score: one.score }));
}

function isDerived({ kind }: FoundNode['node']): boolean {
  return (derivedKinds as readonly string[]).includes(kind);
}

function describe({ one, words, score }: { one: FoundNode; words: number; score: number }): RankCandidate {
  const { node, match, likeness, coverage } = one;
  const { session, document, place } = node.data as { session?: string; document?: string; place?: number };
  const text = node.title === '' ? node.text : `${node.title}\n${node.text}`;
  const group = { session: session ?? document, place };
  return { ...group, text, source: node.source, score, match, likeness, coverage, around: match, standing: words };
}
