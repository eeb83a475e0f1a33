// A small connected subgraph for a query: the nodes that match, related nodes, and the edges that explain why each is included.
import type { RankMode } from '../../core/rank-mode.ts';
import type { FoundNode } from '../../graph/graph.ts';
import { isCurrent, type Node } from '../../graph/node.ts';
import { listReadable, type Scope } from '../../graph/project/scope.ts';
import { relevantFrom } from '../../graph/survey.ts';
import { rankFrom, type WalkedEdge, walkFrom } from '../../graph/walk.ts';

interface Asked {
  query: string;
  kinds?: readonly string[] | undefined;
  /** A node to start from, in addition to the matches. */
  from?: string | undefined;
  hops: number;
  limit: number;
  rank?: RankMode | undefined;
  mayShow(kind: string): boolean;
}

export interface SubgraphNode {
  node: Node;
  /** From 0 to 1, relative to the other nodes. */
  score: number;
  /** Matches the query itself, not only through other nodes. */
  matched: boolean;
  /** From the match to this node; empty for a match. */
  path: WalkedEdge[];
}

export interface Subgraph {
  nodes: SubgraphNode[];
  edges: WalkedEdge[];
  found: readonly FoundNode[];
}

/** More would be slow and no longer small. */
const maxEdges = 2_000;

export async function findSubgraph(scope: Scope, asked: Asked): Promise<Subgraph> {
  const { graph, store } = scope.opened;
  const projects = listReadable(scope);
  const { reordered, rerankFound } = await import('../../graph/rerank.ts');
  const candidates = await graph.find({
    query: asked.query,
    projects,
    kinds: asked.kinds,
    limit: reordered,
    where: ({ kind }) => asked.mayShow(kind),
  });
  const relevant = candidates.filter(({ relevance }) => relevance >= relevantFrom);
  const matches = (await rerankFound(asked.query, relevant, graph.openDeep(asked.rank))).slice(0, asked.limit);
  const seeds = new Map(matches.map(({ node, score }) => [node.id, score]));
  if (asked.from !== undefined) seeds.set(asked.from, 1);
  const { distances, steps } = await walkFrom(store, [...seeds.keys()], asked.hops, maxEdges);
  const scores = weigh(seeds, rankFrom(seeds, steps));
  const order = [...scores.keys()].sort((a, b) => (scores.get(b) as number) - (scores.get(a) as number));
  const nodes = (await graph.getAll(order.slice(0, asked.limit * 4))).filter(
    (node) => projects.includes(node.project) && isCurrent(node, graph.now()) && isWanted(node, asked),
  );
  const chosen = nodes.slice(0, asked.limit);
  const paths = findPaths(seeds, distances, steps);
  return {
    found: candidates.slice(0, asked.limit),
    nodes: chosen.map((node) => ({
      node,
      score: scores.get(node.id) as number,
      matched: seeds.has(node.id),
      path: paths(node.id),
    })),
    edges: keepBetween(steps, new Set(chosen.map(({ id }) => id))),
  };
}

/** Half for its position in the graph, half for matching: nodes that only connect others come after those they connect. */
function weigh(seeds: ReadonlyMap<string, number>, ranks: ReadonlyMap<string, number>): Map<string, number> {
  const top = Math.max(...ranks.values(), Number.MIN_VALUE);
  return new Map([...ranks].map(([id, rank]) => [id, 0.5 * (rank / top) + 0.5 * (seeds.get(id) ?? 0)]));
}

/** Entities and sessions connect other nodes, so they are always included. */
function isWanted({ kind }: Node, { kinds, mayShow }: Asked): boolean {
  if (!mayShow(kind)) return false;
  return kinds === undefined || kinds.includes(kind) || kind === 'entity' || kind === 'session';
}

function keepBetween(steps: readonly WalkedEdge[], ids: ReadonlySet<string>): WalkedEdge[] {
  return steps.filter(({ from, to }) => ids.has(from) && ids.has(to));
}

/** The path back to a seed, one step at a time. */
function findPaths(
  seeds: ReadonlyMap<string, number>,
  distances: ReadonlyMap<string, number>,
  steps: readonly WalkedEdge[],
) {
  const nearer = new Map<string, WalkedEdge>();
  for (const step of steps) {
    const [from, to] = [distances.get(step.from) ?? 0, distances.get(step.to) ?? 0];
    if (from === to + 1 && !nearer.has(step.from)) nearer.set(step.from, step);
    if (to === from + 1 && !nearer.has(step.to)) nearer.set(step.to, step);
  }
  return (id: string): WalkedEdge[] => {
    const path: WalkedEdge[] = [];
    for (let here = id; !seeds.has(here); ) {
      const step = nearer.get(here);
      if (!step) return [];
      path.unshift(step);
      here = step.from === here ? step.to : step.from;
    }
    return path;
  };
}
