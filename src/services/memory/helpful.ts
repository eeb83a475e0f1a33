// Finds memories that help with a prompt: of the most similar ones, those that are relevant.
import type { RankMode } from '../../core/rank-mode.ts';
import { yieldTurn } from '../../core/steps.ts';
import { skim } from '../../graph/create-node.ts';
import type { Graph } from '../../graph/graph.ts';
import type { Node } from '../../graph/node.ts';
import type { Scope } from '../../graph/project/scope.ts';
import { dataOf, viewMemory } from './memory.ts';
import { markOutdated } from './outdated.ts';
import { chosen } from './rank.ts';
import { createJudge, helpfulFrom, type Judgement, weighJudgement } from './relevance.ts';
import { describeRanked, rankMemories, readRanked } from './search-memories.ts';
import type { ShownMemory } from './show/show.ts';

/** A memory helps by its own text, not by its neighbours in a conversation. */
const weights = { ...chosen, session: 0, around: [0, 0, 0, 0] as const };
/** Number of the most similar memories that are judged, and of those that the deep stage reads. */
const mostJudged = 40;
const mostRead = 12;
const reach = 80;
/** In a longer prompt, with something pasted into it, the request is at the beginning and at the end. */
const longestRead = 16_000;

/** Rules first, because a model must follow them, then the others by relevance. */
export async function findHelpful(
  { opened, projects, withUser }: Scope,
  { prompt, limit, rank }: { prompt: string; limit: number; rank?: RankMode | undefined },
): Promise<ShownMemory[]> {
  const judged = await judgeMemories(opened.graph, { prompt, projects: withUser, rank });
  const helpful = judged.map((one) => ({ node: one.node, score: weighJudgement(one) }));
  const scored = helpful
    .filter(({ score }) => score >= helpfulFrom)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
  const { ranked, outdatedBy } = await markOutdated(opened, scored, { now: opened.graph.now() });
  const views = ranked.map(({ node }) => {
    const newer = outdatedBy.get(node.id);
    return { ...viewMemory(node, projects), ...(newer !== undefined && { may_be_outdated_by: newer }) };
  });
  return views.sort((a, b) => Number(b.knowledge === 'rule') - Number(a.knowledge === 'rule'));
}

export interface JudgedMemory extends Judgement {
  node: Node;
}

/** The memories that are most similar to a prompt, judged by their words and, where it can, by the deep stage. */
export async function judgeMemories(
  graph: Graph,
  { prompt: given, projects, rank }: { prompt: string; projects: readonly string[]; rank?: RankMode | undefined },
): Promise<JudgedMemory[]> {
  const prompt = skim(given, longestRead);
  const judge = createJudge(prompt);
  if (!judge.speaks) return [];
  const { ranked } = await rankMemories(graph, { query: prompt, projects, reach }, weights);
  const judged: (JudgedMemory & { text: string })[] = [];
  for (const one of await readRanked(graph, ranked.slice(0, mostJudged))) {
    const { node, found } = one;
    if (asks(node.text)) continue;
    // A memory may be long.
    await yieldTurn();
    const fast = judge.weigh(node, found) * (isTalk(node) ? talkShare : 1);
    judged.push({ node, text: describeRanked(one).text, fast, isTalk: isTalk(node) });
  }
  judged.sort((a, b) => b.fast - a.fast);
  const read = await graph.openDeep(rank)?.(prompt, judged.slice(0, mostRead));
  return judged.map(({ node, fast, isTalk }, at) => {
    // Otherwise there was no time for it, or it is in a language that the model does not know.
    const isRead = read !== undefined && Number.isFinite(read.scores[at] ?? Number.NaN);
    return { node, fast, isTalk, ...(isRead && { deep: read.relevance[at] as number }) };
  });
}

/** Weight of a verbatim conversation turn, relative to a fact. */
const talkShare = 0.6;

/** Facts that were learned from a conversation have a reason. */
function isTalk(node: Node): boolean {
  const { place, reason } = dataOf(node);
  return place !== undefined && reason === undefined;
}

/** A prompt that ends with a question asks for information. */
function asks(text: string): boolean {
  return /[?？؟]\s*$/.test(text);
}
