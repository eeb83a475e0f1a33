// The graph around one entry: at most 300 nodes, expanded on demand, at any time of its past. The same data is a table below.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { layOut, type Point } from '../core/force-layout.ts';
import { call } from '../core/port.ts';
import { filter, link, route } from '../core/route.ts';
import { useTool } from '../core/use-tool.ts';
import { spell } from '../core/words.ts';
import { Badge, Choice, count, Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/state.tsx';
import { oneLine } from '../parts/text.tsx';

interface GraphNode {
  id: string;
  kind: string;
  name: string;
  distance: number;
  links: number;
  created: string;
  ended?: string;
}

interface Neighbours {
  nodes: GraphNode[];
  edges: { from: string; kind: string; to: string }[];
  omitted: number;
}

const most = 300;

export function Graph() {
  const { id, params } = route.value;
  return id === '' ? <Start query={params.q ?? ''} /> : <Around key={id} id={id} />;
}

/** Without a node, the matches of the question are offered as the centre. */
function Start({ query }: { query: string }) {
  const state = useTool<{ nodes: { id: string; kind: string; title?: string; text: string; why: string }[] }>(
    'query_context',
    query === '' ? undefined : { query, limit: 30, budget_tokens: 20_000, rank: 'fast' },
  );
  return (
    <Page title="Graph">
      <div class="content">
        {query === '' ? (
          <Empty title="Choose where to start">
            <p>Search above for a memory, a file, a symbol or a person. The graph shows what is linked to it.</p>
          </Empty>
        ) : (
          <Shown state={state}>
            {({ nodes }) => (
              <ul class="cards">
                {nodes.map((node) => (
                  <li key={node.id}>
                    <a href={link('graph', node.id)}>{oneLine(node.title || node.text, 160)}</a>
                    <span class="meta">
                      <Badge>{node.kind}</Badge> {oneLine(node.why, 100)}
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </Shown>
        )}
      </div>
    </Page>
  );
}

function Around({ id }: { id: string }) {
  const hops = route.value.params.hops ?? '2';
  const first = useTool<Neighbours>('node_neighbours', { id, hops: Number(hops), limit: 60 });
  const [more, setMore] = useState<Neighbours>({ nodes: [], edges: [], omitted: 0 });
  const known = useRef(new Map<string, Point>());
  const graph = useMemo(() => unite(first.data, more), [first.data, more]);
  const points = useMemo(() => {
    const ids = graph.nodes.map((node) => node.id);
    known.current = layOut(ids, graph.edges, id, known.current);
    return known.current;
  }, [graph]);
  const times = useMemo(() => graph.nodes.map(({ created }) => Date.parse(created)).sort((a, b) => a - b), [graph]);
  const [back, setBack] = useState(100);
  const [oldest = 0] = times;
  const at = back === 100 ? Date.now() : oldest + ((Date.now() - oldest) * back) / 100;
  const [chosen, setChosen] = useState<string>();
  const expand = async (node: string) => {
    if (graph.nodes.length >= most) return;
    const found = await call<Neighbours>('node_neighbours', { id: node, hops: 1, limit: 40 });
    setMore((before) => unite(before, found));
  };
  const isIn = (node: GraphNode) => Date.parse(node.created) <= at;
  const isPast = (node: GraphNode) => node.ended !== undefined && Date.parse(node.ended) <= at;
  return (
    <Page
      title="Graph"
      note={graph.nodes.length > 0 ? count(graph.nodes.length, 'node') : undefined}
      actions={
        <>
          <Choice
            label="Distance"
            value={hops}
            options={[
              ['1', '1 step'],
              ['2', '2 steps'],
              ['3', '3 steps'],
            ]}
            onChange={(value) => filter({ hops: value })}
          />
          <label class="inline">
            As of {new Date(at).toISOString().slice(0, 10)}{' '}
            <input
              type="range"
              min={0}
              max={100}
              value={back}
              onInput={(event) => setBack(Number(event.currentTarget.value))}
            />
          </label>
        </>
      }
      isWide
    >
      <div class="content">
        <Shown state={first}>
          {() => (
            <>
              <Picture
                nodes={graph.nodes.filter(isIn)}
                edges={graph.edges}
                points={points}
                centre={id}
                chosen={chosen}
                isPast={isPast}
                onChoose={(node) => {
                  setChosen(node);
                  void expand(node);
                }}
              />
              <NodeTable nodes={graph.nodes.filter(isIn)} edges={graph.edges} isPast={isPast} omitted={graph.omitted} />
            </>
          )}
        </Shown>
      </div>
    </Page>
  );
}

interface PictureProps {
  nodes: readonly GraphNode[];
  edges: Neighbours['edges'];
  points: ReadonlyMap<string, Point>;
  centre: string;
  chosen: string | undefined;
  isPast(node: GraphNode): boolean;
  onChoose(id: string): void;
}

function Picture({ nodes, edges, points, centre, chosen, isPast, onChoose }: PictureProps) {
  const ids = new Set(nodes.map(({ id }) => id));
  const visible = nodes.flatMap(({ id }) => points.get(id) ?? []);
  const shape = matchMedia('(max-width: 48rem)').matches ? 0.8 : 1.8;
  const reach = Math.max(90, ...visible.map(({ x, y }) => Math.max((Math.abs(x) + 60) / shape, Math.abs(y)))) + 30;
  const focus = chosen ?? centre;
  const near = new Set(edges.flatMap(({ from, to }) => (from === focus ? [to] : to === focus ? [from] : [])));
  const labelled = (node: GraphNode) => node.id === focus || near.has(node.id) || nodes.length <= 25;
  return (
    <svg class="graph" viewBox={`${-reach * shape} ${-reach} ${reach * shape * 2} ${reach * 2}`} aria-hidden="true">
      {edges.map(({ from, to, kind }) => {
        const [a, b] = [points.get(from), points.get(to)];
        if (!a || !b || !ids.has(from) || !ids.has(to)) return null;
        const isNear = from === focus || to === focus;
        return <line key={`${from} ${kind} ${to}`} class={isNear ? 'near' : ''} x1={a.x} y1={a.y} x2={b.x} y2={b.y} />;
      })}
      {nodes.map((node) => {
        const point = points.get(node.id);
        if (!point) return null;
        return (
          // biome-ignore lint/a11y: the table below has the same nodes as links.
          <g
            key={node.id}
            class={`node ${node.kind} ${isPast(node) ? 'past' : ''} ${node.id === focus ? 'focus' : ''}`}
            transform={`translate(${point.x} ${point.y})`}
            onClick={() => onChoose(node.id)}
          >
            <title>{`${node.kind}: ${node.name}`}</title>
            <circle r={Math.min(14, 5 + Math.sqrt(node.links) * 1.5)} />
            {labelled(node) && (
              <text x={12} y={4}>
                {oneLine(node.name, shape < 1 ? 20 : 34)}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function NodeTable({
  nodes,
  edges,
  isPast,
  omitted,
}: {
  nodes: readonly GraphNode[];
  edges: Neighbours['edges'];
  isPast(node: GraphNode): boolean;
  omitted: number;
}) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(matchMedia('(max-width: 48rem)').matches), []);
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  return (
    <details open={isOpen}>
      <summary>
        As a table
        {omitted > 0 && <span class="dim"> ({omitted} more are not shown; choose a node to see its neighbours)</span>}
      </summary>
      <table>
        <thead>
          <tr>
            <th>Node</th>
            <th>Kind</th>
            <th>Linked to</th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <tr key={node.id} class={isPast(node) ? 'past' : ''}>
              <td>
                <a href={link('graph', node.id)}>{oneLine(node.name, 100)}</a>{' '}
                <a class="dim" href={link('memories', node.id)}>
                  read
                </a>
              </td>
              <td>{node.kind}</td>
              <td class="dim">
                {edges
                  .filter(({ from, to }) => from === node.id && names.has(to))
                  .slice(0, 6)
                  .map(({ kind, to }) => `${spell(kind)} ${oneLine(names.get(to) ?? '', 40)}`)
                  .join('; ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function unite(one: Neighbours | undefined, other: Neighbours): Neighbours {
  const nodes = new Map([...(one?.nodes ?? []), ...other.nodes].map((node) => [node.id, node]));
  for (const node of one?.nodes ?? []) nodes.set(node.id, node);
  const edges = new Map(
    [...(one?.edges ?? []), ...other.edges].map((edge) => [`${edge.from} ${edge.kind} ${edge.to}`, edge]),
  );
  return { nodes: [...nodes.values()].slice(0, most), edges: [...edges.values()], omitted: one?.omitted ?? 0 };
}
