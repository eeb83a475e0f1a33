// A large graph as small ones side by side: one for each neighbour of the centre that leads further, the largest first, with what
// it leads to around it.
import type { Point } from '../core/force-layout.ts';
import { link } from '../core/route.ts';
import { type GraphNode, type Neighbours, Picture } from './graph-picture.tsx';
import { count } from './page.tsx';
import { oneLine } from './text.tsx';

const mostBranches = 12;
const mostNodes = 40;

interface BranchesProps {
  nodes: readonly GraphNode[];
  edges: Neighbours['edges'];
  centre: string;
  isPast(node: GraphNode): boolean;
}

export function Branches({ nodes, edges, centre, isPast }: BranchesProps) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const linked = new Map<string, Set<string>>();
  const add = (from: string, to: string) => {
    const all = linked.get(from) ?? new Set();
    linked.set(from, all.add(to));
  };
  for (const { from, to } of edges) {
    if (!byId.has(from) || !byId.has(to)) continue;
    add(from, to);
    add(to, from);
  }
  const branches = [...(linked.get(centre) ?? [])]
    .map((id) => ({ id, others: [...(linked.get(id) ?? [])].filter((other) => other !== centre) }))
    .sort((a, b) => b.others.length - a.others.length);
  const shown = branches.slice(0, mostBranches);
  return (
    <>
      <ul class="branches">
        {shown.map(({ id, others }) => {
          const own = [id, ...others].slice(0, mostNodes).flatMap((one) => byId.get(one) ?? []);
          const ids = own.map((node) => node.id);
          const inside = edges.filter(
            ({ from, to }) => (from === id && ids.includes(to)) || (to === id && ids.includes(from)),
          );
          const [first] = own;
          return (
            first && (
              <li key={id}>
                <a href={link('graph', id)}>
                  <span class="line">{oneLine(first.name, 60)}</span>
                </a>
                <span class="meta">
                  {first.kind} · {count(others.length, 'link')}
                </span>
                <Picture nodes={own} edges={inside} points={placeAround(own)} focus={id} isPast={isPast} />
              </li>
            )
          );
        })}
      </ul>
      {branches.length > shown.length && (
        <p class="dim">{count(branches.length - shown.length, 'more neighbour')} in the table below.</p>
      )}
    </>
  );
}

const innerRing = 14;

/** The first in the middle, the others around it by kind, in two rings if there are many. */
function placeAround([first, ...others]: readonly GraphNode[]): Map<string, Point> {
  const sorted = others.toSorted((a, b) => a.kind.localeCompare(b.kind));
  const isDouble = sorted.length > innerRing * 1.5;
  const points = new Map(first && [[first.id, { x: 0, y: 0 }]]);
  sorted.forEach(({ id }, at) => {
    const angle = (at / sorted.length) * 2 * Math.PI;
    const radius = isDouble && at % 2 === 1 ? 62 : 95;
    points.set(id, { x: radius * 1.5 * Math.cos(angle), y: radius * Math.sin(angle) });
  });
  return points;
}
