// Traverses the graph: the neighbourhood of a node, and the importance of nodes relative to seeds.
import { list, sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { isCurrentSql, wasValidSql } from './statement.ts';

export interface WalkedEdge {
  from: string;
  kind: string;
  to: string;
  weight: number;
}

/** Most edges of a traversal: a node that everything links to must not lead to the whole graph. */
const maxEdges = 20_000;

/** The edges within `hops` of the seeds, in either direction, and the distance of each node. */
export async function walkFrom(
  store: Pick<Store, 'all'>,
  seeds: readonly string[],
  hops: number,
  most = maxEdges,
): Promise<{ distances: Map<string, number>; steps: WalkedEdge[] }> {
  const distances = new Map(seeds.map((id) => [id, 0]));
  const steps = new Map<string, WalkedEdge>();
  let front = [...distances.keys()];
  for (let hop = 1; hop <= hops && front.length > 0 && steps.size < most; hop++) {
    const found = await readAround(store, front, most - steps.size);
    const next = new Set<string>();
    for (const step of found) {
      steps.set(`${step.from}\n${step.kind}\n${step.to}`, step);
      for (const id of [step.from, step.to]) {
        if (distances.has(id)) continue;
        distances.set(id, hop);
        next.add(id);
      }
    }
    front = [...next];
  }
  return { distances, steps: [...steps.values()] };
}

async function readAround(store: Pick<Store, 'all'>, ids: readonly string[], limit: number): Promise<WalkedEdge[]> {
  const steps: WalkedEdge[] = [];
  for (let at = 0; at < ids.length && steps.length < limit; at += 200) {
    const some = list(ids.slice(at, at + 200));
    const rows = await store.all<{ from_id: string; kind: string; to_id: string; weight: number }>(
      sql`select from_id, kind, to_id, weight from edge where from_id in ${some}
          union select from_id, kind, to_id, weight from edge where to_id in ${some} limit ${limit}`,
    );
    for (const { from_id, kind, to_id, weight } of rows) steps.push({ from: from_id, kind, to: to_id, weight });
  }
  return steps;
}

const damping = 0.85;
const rounds = 30;

/** Personalised PageRank: how often a random walk that restarts at the seeds visits each node. */
export function rankFrom(seeds: ReadonlyMap<string, number>, steps: readonly WalkedEdge[]): Map<string, number> {
  const numbers = new Map<string, number>();
  const number = (id: string) => {
    const known = numbers.get(id) ?? numbers.size;
    numbers.set(id, known);
    return known;
  };
  for (const id of seeds.keys()) number(id);
  const ends = steps.map(({ from, to, weight }) => [number(from), number(to), weight] as const);
  const outgoing = new Float64Array(numbers.size);
  for (const [from, to, weight] of ends) {
    outgoing[from] = (outgoing[from] as number) + weight;
    outgoing[to] = (outgoing[to] as number) + weight;
  }
  const total = [...seeds.values()].reduce((sum, weight) => sum + weight, 0) || 1;
  const start = new Float64Array(numbers.size);
  for (const [id, weight] of seeds) start[number(id)] = weight / total;
  let rank = start.slice();
  for (let round = 0; round < rounds; round++) {
    const next = start.map((share) => share * (1 - damping));
    let stranded = 0;
    rank.forEach((share, at) => {
      if (outgoing[at] === 0) stranded += share;
    });
    for (const [from, to, weight] of ends) {
      next[to] = (next[to] as number) + (damping * (rank[from] as number) * weight) / (outgoing[from] as number);
      next[from] = (next[from] as number) + (damping * (rank[to] as number) * weight) / (outgoing[to] as number);
    }
    start.forEach((share, at) => {
      next[at] = (next[at] as number) + damping * stranded * share;
    });
    rank = next;
  }
  return new Map([...numbers].map(([id, at]) => [id, rank[at] as number]));
}

/** Targets of a node's edges of one kind. */
export async function listTargets(store: Pick<Store, 'all'>, from: string, kind: string): Promise<string[]> {
  const rows = await store.all<{ to_id: string }>(
    sql`select to_id from edge where from_id = ${from} and kind = ${kind} order by created_at, to_id`,
  );
  return rows.map(({ to_id }) => to_id);
}

/** Sources of edges of one kind to a node. */
export async function listSources(store: Pick<Store, 'all'>, to: string, kind: string): Promise<string[]> {
  const rows = await store.all<{ from_id: string }>(
    sql`select from_id from edge where to_id = ${to} and kind = ${kind} order by created_at, from_id`,
  );
  return rows.map(({ from_id }) => from_id);
}

/** Edges of one kind to nodes, from nodes that are valid now or at a given time; newest last. */
export async function listValidSources(
  store: Pick<Store, 'all'>,
  to: readonly string[],
  kind: string,
  { now, asOf }: { now: number; asOf?: number | undefined },
): Promise<{ from: string; to: string }[]> {
  if (to.length === 0) return [];
  const rows = await store.all<{ from_id: string; to_id: string }>(
    sql`select edge.from_id, edge.to_id from edge join node on node.id = edge.from_id
        where edge.to_id in ${list(to)} and edge.kind = ${kind} 
        ${asOf === undefined ? isCurrentSql(now) : wasValidSql(asOf)}
        order by edge.created_at, edge.from_id`,
  );
  return rows.map((row) => ({ from: row.from_id, to: row.to_id }));
}
