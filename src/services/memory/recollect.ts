// Finding memories for a question: by words, meaning and what was said around them, within the time the question speaks
// of. How much of the question a memory answers at all is said beside its rank, for those who must know when nothing fits.
import type { Graph } from '../../graph/graph.ts';
import type { Node } from '../../graph/node.ts';
import type { NodeFacts, Sighting } from '../../graph/survey.ts';
import { isUser } from '../../graph/user.ts';
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
  /** Said from this time on, and before that. */
  since?: number | undefined;
  until?: number | undefined;
  /** What counted then. */
  asOf?: number | undefined;
  /** So many are ranked together: neighbours and sessions are judged by what is among them. */
  reach?: number | undefined;
}

/** A memory among those that were found, without its words. */
interface Ranked {
  node: NodeFacts;
  /** From 0 to 1, among what was found. */
  score: number;
  found: Sighting;
}

export interface Recollection extends Ranked {
  node: Node;
}

interface Recollected {
  /** The best first. */
  memories: Ranked[];
  /** The time that the question speaks of, if it does. */
  time: TimePhrase | undefined;
}

/** Fewer cost turns of conversations: at 200 one of a hundred is found no more, at 120 three (bench/quality). */
const defaultReach = 300;

export async function recollect(graph: Graph, asked: Asked, weights: RankWeights = chosen): Promise<Recollected> {
  const { reach = defaultReach } = asked;
  const tags = (asked.tags ?? []).map(foldTag);
  const time =
    asked.since === undefined && asked.until === undefined ? readTimePhrase(asked.query, graph.now()) : undefined;
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
      (asked.since === undefined || saidAt(node) >= asked.since) &&
      (asked.until === undefined || saidAt(node) < asked.until),
  });
  return { memories: rank(found, time, weights), time };
}

/** Those that are to be shown, with what they say. */
export async function readRanked(graph: Graph, ranked: readonly Ranked[]): Promise<Recollection[]> {
  const nodes = await graph.getAll(ranked.map(({ node }) => node.id));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return ranked.flatMap((one) => {
    const node = byId.get(one.node.id);
    return node ? [{ ...one, node }] : [];
  });
}

function rank(found: readonly Sighting[], time: TimePhrase | undefined, weights: RankWeights): Ranked[] {
  const scores = rankTogether(
    found.map(({ node, text, vector, frequencies }) => {
      const { session, place } = dataOf(node);
      return { text, vector, frequencies, session, place, inTime: time && isWithin(saidAt(node), time) };
    }),
    weights,
  );
  return found
    .map((one, at) => ({ node: one.node, score: (scores[at] as number) * shareOf(one.node), found: one }))
    .sort((a, b) => b.score - a.score || (a.node.id < b.node.id ? -1 : 1));
}

/** What a project says weighs more than what the user says everywhere. */
const userShare = 0.85;

function shareOf({ project }: NodeFacts): number {
  return isUser(project) ? userShare : 1;
}

function hasTags(node: NodeFacts, wanted: readonly string[]): boolean {
  if (wanted.length === 0) return true;
  const own = new Set(dataOf(node).tags?.map(foldTag));
  return wanted.every((tag) => own.has(tag));
}

/** As it is written at a terminal or shown: #API is api. */
function foldTag(tag: string): string {
  return tag.replace(/^#/, '').normalize('NFKC').toLowerCase();
}

function isWithin(at: number, { from = 0, to = Number.POSITIVE_INFINITY }: TimePhrase): boolean {
  return at >= from && at < to;
}

/** When it was said, or from when on it holds. */
function saidAt({ validFrom, createdAt }: NodeFacts): number {
  return validFrom > 0 ? validFrom : createdAt;
}
