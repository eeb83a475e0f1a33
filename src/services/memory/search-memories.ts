// Searches memories for a question by words, meaning and conversation, and prefers the time that the question refers to.
// Irrelevant memories are dropped.
import type { RankMode } from '../../core/rank-mode.ts';
import { yieldTurn } from '../../core/steps.ts';
import type { Graph } from '../../graph/graph.ts';
import type { Node } from '../../graph/node.ts';
import { isUser } from '../../graph/project/user.ts';
import type { RankCandidate } from '../../graph/rerank.ts';
import { type NodeFacts, relevantFrom, type SurveyHit } from '../../graph/survey.ts';
import type { MemoryKind } from './kinds.ts';
import { dataOf } from './memory.ts';
import { chosen, type RankWeights, rankTogether } from './rank.ts';
import { readTimePhrase, type TimePhrase } from './time/time-phrase.ts';

interface Asked {
  query: string;
  projects: readonly string[];
  kinds?: readonly MemoryKind[] | undefined;
  /** All of them. */
  tags?: readonly string[] | undefined;
  /** Stated from this time, and before that one. */
  since?: number | undefined;
  until?: number | undefined;
  /** Only memories valid at this time. */
  asOf?: number | undefined;
  /** Number of candidates ranked together, among which neighbours and sessions are found. */
  reach?: number | undefined;
  rank?: RankMode | undefined;
}

/** A search result without its text. */
interface Ranked {
  node: NodeFacts;
  /** From 0 to 1; results are sorted by it. */
  score: number;
  found: SurveyHit;
  /** The parts of the score. */
  parts: { around: number; standing: number; inTime: boolean | undefined };
}

export interface RecalledMemory extends Ranked {
  node: Node;
}

interface Recollected {
  /** The best first. */
  memories: Ranked[];
  /** The best irrelevant one, if nothing is relevant. */
  nearest: Ranked | undefined;
  /** The time that the question refers to, if any. */
  time: TimePhrase | undefined;
}

/** A lower limit misses turns of conversations: at 200 one of a hundred, at 120 three (bench/quality). */
const defaultReach = 300;
/** Enough for memories that are not part of a conversation: with 300, their order is no better (tools/rank, docs and commits). */
const enough = 100;

/** With other weights, the order is theirs alone. */
export async function searchMemories(graph: Graph, asked: Asked, weights: RankWeights = chosen): Promise<Recollected> {
  const { ranked: given, time } = await rankMemories(graph, asked, weights);
  const ranked = preferNewer(weights === chosen ? await reorder(graph, asked, given) : given);
  const memories = ranked.filter(isRelevant);
  return { memories, nearest: memories.length === 0 ? ranked[0] : undefined, time };
}

/** All candidates, by words, meaning and conversation. */
export async function rankMemories(graph: Graph, asked: Asked, weights: RankWeights = chosen) {
  const { reach = defaultReach } = asked;
  const tags = (asked.tags ?? []).map(foldTag);
  const time =
    asked.since === undefined && asked.until === undefined ? readTimePhrase(asked.query, graph.now()) : undefined;
  await yieldTurn();
  const found = await graph.survey({
    query: asked.query,
    projects: asked.projects,
    kinds: ['memory'],
    limit: reach,
    reach,
    ...(asked.asOf !== undefined && { at: asked.asOf }),
    where: (node) =>
      (asked.kinds?.includes(dataOf(node).kind) ?? true) &&
      hasTags(node, tags) &&
      (asked.since === undefined || statedAt(node) >= asked.since) &&
      (asked.until === undefined || statedAt(node) < asked.until),
    // Only turns of conversations need more candidates, which are their neighbours and sessions.
    isEnough: (seen) => seen.length >= enough && !seen.some(isSaid),
  });
  return { ranked: rank(found, time, weights), time };
}

/** The results to show, with their texts. Those that the ranking has read are not read again. */
export async function readRanked(graph: Graph, ranked: readonly Ranked[]): Promise<RecalledMemory[]> {
  const unread = ranked.filter((one) => !isRead(one)).map(({ node }) => node.id);
  const byId = new Map((await graph.getAll(unread)).map((node) => [node.id, node]));
  return ranked.flatMap((one) => {
    if (isRead(one)) return [one];
    const node = byId.get(one.node.id);
    return node ? [{ ...one, node }] : [];
  });
}

function isRead(one: Ranked): one is RecalledMemory {
  return 'text' in one.node;
}

/** The first relevant results in the order of the learned ranking, which reads their texts. */
async function reorder(graph: Graph, { query, rank }: Asked, ranked: readonly Ranked[]): Promise<Ranked[]> {
  const { reordered, rerank } = await import('../../graph/rerank.ts');
  const relevant = ranked.slice(0, reordered).filter(isRelevant);
  const first = await readRanked(graph, relevant);
  const deep = graph.openDeep(rank);
  const before = deep ? await readBefore(graph, first, ranked) : [];
  const turns = new Map(first.map(({ node }, at) => [node.id, before[at]]));
  const describe = (one: RecalledMemory) => ({ ...describeRanked(one), before: turns.get(one.node.id) });
  const ordered = await rerank(query, first, describe, deep);
  return [...ordered, ...ranked.slice(relevant.length)];
}

/** The text of the turn before each memory, if it is among the candidates. */
export async function readBefore(
  graph: Graph,
  memories: readonly RecalledMemory[],
  ranked: readonly Ranked[],
): Promise<(string | undefined)[]> {
  const nameTurn = ({ node }: Ranked, step: number) => {
    const { session, place } = dataOf(node);
    return session === undefined || place === undefined ? undefined : `${session}\n${place + step}`;
  };
  const turns = new Map(ranked.map((one) => [nameTurn(one, 0), one]));
  const found = memories.map((one) => turns.get(nameTurn(one, -1) ?? ''));
  const read = await readRanked(
    graph,
    found.filter((one) => one !== undefined),
  );
  const texts = new Map(read.map(({ node }) => [node.id, node.text]));
  return found.map((one) => one && texts.get(one.node.id));
}

function isRelevant({ score }: Ranked): boolean {
  return score >= relevantFrom;
}

export function describeRanked({ node, score, found, parts }: RecalledMemory): RankCandidate {
  const { session, place } = dataOf(node);
  const { match, likeness, coverage } = found;
  const text = node.title === '' ? node.text : `${node.title}\n${node.text}`;
  return { text, source: node.source, session, place, score, match, likeness, coverage, ...parts };
}

function rank(found: readonly SurveyHit[], time: TimePhrase | undefined, weights: RankWeights): Ranked[] {
  const scores = rankTogether(
    found.map(({ node, match, likeness, frequencies }) => {
      const { session, place } = dataOf(node);
      return { match, likeness, frequencies, session, place, inTime: time && isWithin(statedAt(node), time) };
    }),
    weights,
  );
  return found
    .map((one, at) => {
      const { score, ...parts } = scores[at] as (typeof scores)[number];
      const inTime = time && isWithin(statedAt(one.node), time);
      return { node: one.node, score: score * shareOf(one.node), found: one, parts: { ...parts, inTime } };
    })
    .sort((a, b) => b.score - a.score || (a.node.id < b.node.id ? 1 : -1));
}

/** From these shares of the better one's score and words, another counts as equal. Turns share words by chance. */
const equalFrom = { score: 0.8, match: 0.75, said: 0.9 };

/** Among equals that have the same words of the question, the newer gets the better score. */
function preferNewer(ranked: readonly Ranked[]): Ranked[] {
  const preferred: Ranked[] = [];
  for (let at = 0; at < ranked.length; at = preferred.length) {
    const first = ranked[at] as Ranked;
    let end = at + 1;
    while (end < ranked.length && isEqual(first, ranked[end] as Ranked)) end++;
    const byAge = ranked.slice(at, end).sort((a, b) => statedAt(b.node) - statedAt(a.node));
    preferred.push(...byAge.map((one, place) => ({ ...one, score: (ranked[at + place] as Ranked).score })));
  }
  return preferred;
}

function isEqual(better: Ranked, other: Ranked): boolean {
  const [low, high] = [better.found.match, other.found.match].sort((a, b) => a - b) as [number, number];
  return (
    isUser(better.node.project) === isUser(other.node.project) &&
    other.score >= equalFrom.score * better.score &&
    low >= high * (isSaid(better) && isSaid(other) ? equalFrom.said : equalFrom.match) &&
    sharesWords(better.found, other.found)
  );
}

function isSaid({ node }: Pick<Ranked, 'node'>): boolean {
  return dataOf(node).place !== undefined;
}

/** The same ones, and at least one. */
function sharesWords({ frequencies: a }: SurveyHit, { frequencies: b }: SurveyHit): boolean {
  return a.some((count) => count > 0) && a.every((count, term) => count > 0 === (b[term] ?? 0) > 0);
}

/** Memories of the project weigh more than those about the user. */
const userShare = 0.85;

function shareOf({ project }: NodeFacts): number {
  return isUser(project) ? userShare : 1;
}

function hasTags(node: NodeFacts, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const own = new Set(dataOf(node).tags?.map(foldTag));
  return wanted.every((tag) => own.has(tag));
}

/** Normalises a tag: #API becomes api. */
function foldTag(tag: string): string {
  return tag.replace(/^#/, '').normalize('NFKC').toLowerCase();
}

function isWithin(at: number, { from = 0, to = Number.POSITIVE_INFINITY }: TimePhrase): boolean {
  return at >= from && at < to;
}

/** When it was stated, or the start of its validity. */
function statedAt({ validFrom, createdAt }: NodeFacts): number {
  return validFrom > 0 ? validFrom : createdAt;
}
