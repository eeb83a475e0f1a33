// Prefers newer memories: of two that may disagree, the newer comes first and the older is marked; an outdated state
// ranks lower. None is hidden.
import { mayDisagree } from '../../graph/node.ts';
import type { OpenGraph } from '../../graph/open.ts';
import type { NodeFacts } from '../../graph/survey.ts';
import { listValidSources } from '../../graph/walk.ts';
import { dataOf } from './memory.ts';

interface Scored {
  node: NodeFacts;
  score: number;
}

interface Preferred<T> {
  ranked: T[];
  /** For an older memory, the newest one that may disagree with it. */
  outdatedBy: Map<string, string>;
}

/** Factor for the score of an outdated memory. */
const fadedShare = 0.5;
/** Only the first results are reordered. */
const reach = 60;

export async function markOutdated<T extends Scored>(
  { store }: Pick<OpenGraph, 'store'>,
  given: readonly T[],
  time: { now: number; asOf?: number | undefined },
): Promise<Preferred<T>> {
  const at = time.asOf ?? time.now;
  const faded = given.map((one) => (isPast(one.node, at) ? { ...one, score: one.score * fadedShare } : one));
  const sorted = faded.some((one, place) => one !== given[place])
    ? faded.sort((a, b) => b.score - a.score)
    : [...given];
  const first = sorted.slice(0, reach);
  const ids = first.map(({ node }) => node.id);
  const edges = await listValidSources(store, ids, mayDisagree, time);
  const outdatedBy = new Map(edges.map(({ from, to }) => [to, from]));
  if (edges.length === 0) return { ranked: sorted, outdatedBy };
  const byId = new Map(first.map((one) => [one.node.id, { ...one, depth: 0 }]));
  // In a chain of corrections the newest moves to the top; chains are rarely longer than this.
  for (let round = 0; round < 4; round++) {
    for (const { from, to } of edges) {
      const [newer, older] = [byId.get(from), byId.get(to)];
      if (!newer || !older) continue;
      newer.score = Math.max(newer.score, older.score);
      older.depth = Math.max(older.depth, newer.depth + 1);
    }
  }
  const raised = [...byId.values()].sort((a, b) => b.score - a.score || a.depth - b.depth);
  return { ranked: [...raised, ...sorted.slice(reach)], outdatedBy };
}

/** Events remain true: their texts are dated. */
function isPast(node: NodeFacts, at: number): boolean {
  return isFaded(node, at) && dataOf(node).kind !== 'episodic';
}

export function isFaded(node: Pick<NodeFacts, 'data'>, at: number): boolean {
  return (dataOf(node).fades ?? at + 1) <= at;
}
