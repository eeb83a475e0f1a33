// One picture of nodes and edges. Its unit is a pixel, so that few nodes are not drawn larger than many. The view has a table with
// the same nodes, so pictures are hidden from screen readers.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Point } from '../core/force-layout.ts';
import { spell } from '../core/words.ts';
import { oneLine } from './text.tsx';

export interface GraphNode {
  id: string;
  kind: string;
  name: string;
  distance: number;
  links: number;
  created: string;
  ended?: string;
}

export interface Neighbours {
  nodes: GraphNode[];
  edges: { from: string; kind: string; to: string }[];
  omitted: number;
}

interface PictureProps {
  nodes: readonly GraphNode[];
  edges: Neighbours['edges'];
  points: ReadonlyMap<string, Point>;
  /** It is emphasized, with its neighbours. */
  focus: string;
  isPast(node: GraphNode): boolean;
  onChoose?(id: string): void;
}

/** Nodes that all have a name beside them. */
const fewNodes = 12;
const margin = 40;

export function Picture({ nodes, edges, points, focus, isPast, onChoose }: PictureProps) {
  const box = useRef<SVGSVGElement>(null);
  const [size, setSize] = useState({ width: 800, height: 480 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const ids = new Set(nodes.map(({ id }) => id));
  const near = new Set(edges.flatMap(({ from, to }) => (from === focus ? [to] : to === focus ? [from] : [])));
  const scale = findScale(nodes, points, size);
  const place = (id: string) => {
    const point = points.get(id);
    return point && { x: point.x * scale, y: point.y * scale };
  };
  const isSmall = size.width < 500;
  // Names that cover each other cannot be read.
  const isLabelled = ({ id }: GraphNode) =>
    nodes.length <= fewNodes || (!isSmall && (id === focus || (near.has(id) && near.size <= fewNodes)));
  return (
    <svg
      ref={box}
      class="graph"
      viewBox={`${-size.width / 2} ${-size.height / 2} ${size.width} ${size.height}`}
      aria-hidden="true"
    >
      {edges.map(({ from, to, kind }) => {
        const [a, b] = [place(from), place(to)];
        if (!a || !b || !ids.has(from) || !ids.has(to)) return null;
        const isNear = from === focus || to === focus;
        return <line key={`${from} ${kind} ${to}`} class={isNear ? 'near' : ''} x1={a.x} y1={a.y} x2={b.x} y2={b.y} />;
      })}
      {nodes.map((node) => {
        const point = place(node.id);
        if (!point) return null;
        // Names do not leave the picture.
        const isRight = point.x > size.width / 2 - 150;
        return (
          // biome-ignore lint/a11y: the table of the view has the same nodes as links.
          <g
            key={node.id}
            class={`node ${node.kind} ${isPast(node) ? 'past' : ''} ${node.id === focus ? 'focus' : ''}`}
            transform={`translate(${point.x} ${point.y})`}
            onClick={() => onChoose?.(node.id)}
          >
            <title>{`${spell(node.kind)}: ${node.name}`}</title>
            <circle r={Math.min(isSmall ? 6 : 11, (isSmall ? 3 : 4) + Math.sqrt(node.links))} />
            {isLabelled(node) && (
              <text x={isRight ? -13 : 13} y={4} text-anchor={isRight ? 'end' : 'start'}>
                {oneLine(node.name, isSmall ? 18 : 32)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** The factor by which all points are in the picture; small graphs are not enlarged. */
function findScale(
  nodes: readonly GraphNode[],
  points: ReadonlyMap<string, Point>,
  { width, height }: { width: number; height: number },
): number {
  let [x, y] = [1, 1];
  for (const { id } of nodes) {
    const point = points.get(id);
    x = Math.max(x, Math.abs(point?.x ?? 0));
    y = Math.max(y, Math.abs(point?.y ?? 0));
  }
  return Math.min(1.2, Math.max(20, width / 2 - margin) / x, Math.max(20, height / 2 - margin) / y);
}

/** Which colour is which kind, and how many there are. */
export function Legend({ nodes }: { nodes: readonly GraphNode[] }) {
  const counts = new Map<string, number>();
  for (const { kind } of nodes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return (
    <ul class="legend">
      {[...counts]
        .sort(([, a], [, b]) => b - a)
        .map(([kind, number]) => (
          <li key={kind}>
            <svg class={`dot node ${kind}`} viewBox="-6 -6 12 12" aria-hidden="true">
              <circle r={5} />
            </svg>
            {spell(kind)} <span class="dim">{number}</span>
          </li>
        ))}
    </ul>
  );
}
