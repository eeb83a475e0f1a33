// Finds memories that help with a prompt: of the most similar ones, those that are relevant.
import { yieldTurn } from '../../core/steps.ts';
import { skim } from '../../graph/create-node.ts';
import type { Node } from '../../graph/node.ts';
import type { Scope } from '../../graph/project/scope.ts';
import { dataOf, viewMemory } from './memory.ts';
import { markOutdated } from './outdated.ts';
import { chosen } from './rank.ts';
import { createJudge, helpfulFrom } from './relevance.ts';
import { readRanked, searchMemories } from './search-memories.ts';
import type { ShownMemory } from './show/show.ts';

/** A memory helps by its own text, not by its neighbours in a conversation. */
const weights = { ...chosen, session: 0, around: [0, 0, 0, 0] as const };
/** Number of the most similar memories that are judged. */
const judged = 40;
const reach = 80;
/** In a longer prompt, with something pasted into it, the request is at the beginning and at the end. */
const longestRead = 16_000;

/** Rules first, because a model must follow them, then the others by relevance. */
export async function findHelpful(
  { opened, projects, withUser }: Scope,
  given: string,
  limit: number,
): Promise<ShownMemory[]> {
  const prompt = skim(given, longestRead);
  const judge = createJudge(prompt);
  if (!judge.speaks) return [];
  const { memories } = await searchMemories(opened.graph, { query: prompt, projects: withUser, reach }, weights);
  const likest = await readRanked(opened.graph, memories.slice(0, judged));
  const helpful: { node: Node; score: number }[] = [];
  for (const { node, found } of likest) {
    if (asks(node.text)) continue;
    // A memory may be long.
    await yieldTurn();
    const score = judge.weigh(node, found.cosine) * (isTalk(node) ? talkShare : 1);
    if (score >= helpfulFrom) helpful.push({ node, score });
  }
  const scored = helpful.sort((a, b) => b.score - a.score).slice(0, limit);
  const { ranked, outdatedBy } = await markOutdated(opened, scored, { now: opened.graph.now() });
  const views = ranked.map(({ node }) => {
    const newer = outdatedBy.get(node.id);
    return { ...viewMemory(node, projects), ...(newer !== undefined && { may_be_outdated_by: newer }) };
  });
  return views.sort((a, b) => Number(b.knowledge === 'rule') - Number(a.knowledge === 'rule'));
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
