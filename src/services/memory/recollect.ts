// Finding memories for a question: by words, meaning and what was said around them, within the time the question speaks
// of. How much of the question a memory answers at all is said beside its rank, for those who must know when nothing fits.
import type { Found, Graph } from '../../graph/graph.ts';
import type { Node } from '../../graph/node.ts';
import type { MemoryKind } from './classify.ts';
import { dataOf } from './memory.ts';
import { rankTogether } from './rank.ts';
import { readTimePhrase, type TimePhrase } from './time-phrase.ts';

export interface Asked {
  query: string;
  projects: readonly string[];
  kinds?: readonly MemoryKind[] | undefined;
  /** Written down from this time on, and before that. */
  since?: number | undefined;
  until?: number | undefined;
  /** What counted then. */
  asOf?: number | undefined;
}

export interface Recollection {
  node: Node;
  /** From 0 to 1, among what was found. */
  score: number;
  found: Found;
}

export interface Recollected {
  memories: Recollection[];
  /** The time that the question speaks of, if it does. */
  time: TimePhrase | undefined;
}

/** So many are ranked together: neighbours and sessions are judged by what is among them. */
const reach = 120;

export async function recollect(graph: Graph, asked: Asked): Promise<Recollected> {
  const time =
    asked.since === undefined && asked.until === undefined ? readTimePhrase(asked.query, graph.now()) : undefined;
  const found = await graph.find({
    query: asked.query,
    projects: asked.projects,
    kinds: ['memory'],
    limit: reach,
    reach,
    ...(asked.asOf !== undefined && { at: asked.asOf }),
    where: (node) =>
      (asked.kinds?.includes(dataOf(node).kind) ?? true) &&
      (asked.since === undefined || saidAt(node) >= asked.since) &&
      (asked.until === undefined || saidAt(node) < asked.until),
  });
  const ranked = rank(found);
  return { memories: time ? preferTime(ranked, time) : ranked, time };
}

function rank(found: readonly Found[]): Recollection[] {
  const scores = rankTogether(
    found.map(({ node, text, vector, frequencies }) => {
      const { session, place } = dataOf(node);
      return { text, vector, frequencies, session, place };
    }),
    found[0]?.weights ?? [],
  );
  return found
    .map((one, at) => ({ node: one.node, score: scores[at] as number, found: one }))
    .sort((a, b) => b.score - a.score || (a.node.id < b.node.id ? -1 : 1));
}

/** What a memory is about is often told another day: those of the time come first, and no other is lost. */
function preferTime(ranked: readonly Recollection[], { from = 0, to = Number.POSITIVE_INFINITY }: TimePhrase) {
  const inTime = ({ node }: Recollection) => saidAt(node) >= from && saidAt(node) < to;
  return [...ranked.filter(inTime), ...ranked.filter((one) => !inTime(one))];
}

/** When it was said, or from when on it holds. */
function saidAt({ validFrom, createdAt }: Node): number {
  return validFrom > 0 ? validFrom : createdAt;
}
