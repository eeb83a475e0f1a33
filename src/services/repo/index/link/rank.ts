// The importance of files and symbols: PageRank over imports and calls for files, the number of using files for symbols. Stored
// as the importance of nodes, so that a map is one query.

import type { Deriving } from '../../../../graph/derived/derived.ts';
import { setImportance } from '../../../../graph/derived/maintain.ts';
import { listDerived, listNodes, listSteps } from '../../../../graph/derived/read.ts';
import { isTestPath } from './path-index.ts';

const kinds = ['imports', 'calls', 'references'];
const damping = 0.85;
const rounds = 25;
const nodesAtOnce = 2_048;

export async function rankFiles(deriving: Deriving, signal: AbortSignal): Promise<void> {
  const files: { id: string; isTest: boolean }[] = [];
  for await (const { id, path } of listDerived(deriving, deriving.project))
    files.push({ id, isTest: isTestPath(path) });
  const place = new Map<string, number>();
  const nodes: string[][] = [];
  for (let at = 0; at < files.length; at += 200) {
    const some = files.slice(at, at + 200).map(({ id }) => id);
    for (const [id, own] of await listNodes(deriving, some)) {
      for (const node of own) place.set(node, nodes.length);
      nodes.push([id, ...own.slice(1)]);
    }
  }
  const isTest = new Map(files.map((file) => [file.id, file.isTest]));
  const ties: [number, number][] = [];
  const users = new Map<string, Set<number>>();
  const all = nodes.flat();
  for (let at = 0; at < all.length; at += nodesAtOnce) {
    signal.throwIfAborted();
    for (const { from, to } of await listSteps(deriving, all.slice(at, at + nodesAtOnce), kinds)) {
      const [first, second] = [place.get(from), place.get(to)];
      if (first === undefined || second === undefined || first === second) continue;
      ties.push([first, second]);
      const known = users.get(to) ?? new Set();
      users.set(to, known.add(first));
    }
  }
  const ranks = follow(ties, nodes.length);
  const most = ranks.reduce((best, rank) => Math.max(best, rank), 0) || 1;
  const weights = new Map<string, number>();
  for (const [at, [file = '', ...symbols]] of nodes.entries()) {
    const share = Math.sqrt((ranks[at] as number) / most);
    weights.set(file, isTest.get(file) ? share / 2 : share);
    for (const symbol of symbols) weights.set(symbol, Math.min(1, Math.log2(1 + (users.get(symbol)?.size ?? 0)) / 8));
  }
  await setImportance(deriving, weights);
}

/** PageRank along the edges; each counts once. */
function follow(ties: readonly (readonly [number, number])[], count: number): Float64Array {
  const each = [...new Map(ties.map((tie) => [tie[0] * count + tie[1], tie])).values()];
  const out = new Float64Array(count);
  for (const [from] of each) out[from] = (out[from] as number) + 1;
  let ranks = new Float64Array(count).fill(1 / Math.max(1, count));
  for (let round = 0; round < rounds; round++) {
    let loose = 0;
    for (let at = 0; at < count; at++) if (out[at] === 0) loose += ranks[at] as number;
    const next = new Float64Array(count).fill((1 - damping + damping * loose) / Math.max(1, count));
    for (const [from, to] of each) {
      next[to] = (next[to] as number) + (damping * (ranks[from] as number)) / (out[from] as number);
    }
    ranks = next;
  }
  return ranks;
}
