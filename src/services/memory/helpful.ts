// Finding what helps a prompt: of the memories that are likest to it, those that have to do with it at all.
import { giveWay } from '../../core/steps.ts';
import { skim } from '../../graph/create-node.ts';
import type { Node } from '../../graph/node.ts';
import type { Scope } from '../../graph/project/scope.ts';
import { dataOf, viewMemory } from './memory.ts';
import { markOutdated } from './outdated.ts';
import { chosen } from './rank.ts';
import { createJudge, helpfulFrom } from './relevance.ts';
import { readRanked, searchMemories } from './search-memories.ts';
import type { ShownMemory } from './show/show.ts';

/** A prompt is helped by what a memory says itself, not by the company in which it was said. */
const weights = { ...chosen, session: 0, around: [0, 0, 0, 0] as const };
/** So many of the likest are judged. */
const judged = 40;
const reach = 80;
/** Of a longer prompt, which has something pasted into it, the beginning and the end say what is asked. */
const longestRead = 16_000;

/** The rules first, then the rest by how much it helps: what a model must heed before what it may use. */
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
    await giveWay();
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

/** Of what a fact counts for, so much does a turn of a conversation that was kept as it was said. */
const talkShare = 0.6;

/** Facts that were learned from a conversation have a reason. */
function isTalk(node: Node): boolean {
  const { place, reason } = dataOf(node);
  return place !== undefined && reason === undefined;
}

/** Whoever ends with a question wants to know something. */
function asks(text: string): boolean {
  return /[?？؟]\s*$/.test(text);
}
