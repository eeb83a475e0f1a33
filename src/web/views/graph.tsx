// The graph around one entry: at most 300 nodes, expanded on demand, at any time of its past. The same data is a table below.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { layOut, type Point } from '../core/force-layout.ts';
import { call } from '../core/port.ts';
import { filter, link, route } from '../core/route.ts';
import { useTool } from '../core/use-tool.ts';
import { spell } from '../core/words.ts';
import { Branches } from '../parts/graph-branches.tsx';
import { type GraphNode, Legend, type Neighbours, Picture } from '../parts/graph-picture.tsx';
import { Badge, Choice, count, Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/state.tsx';
import { oneLine } from '../parts/text.tsx';

const most = 300;
/** Beyond these, one picture is a hairball. */
const readable = 90;

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
  const first = useTool<Neighbours>('node_neighbours', { id, hops: Number(hops), limit: most });
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
  const isLarge = graph.nodes.length > readable;
  const shape = route.value.params.as ?? (isLarge ? 'branches' : 'whole');
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
            label="Picture"
            value={shape}
            options={[
              ['whole', 'Whole'],
              ['branches', 'Branches'],
            ]}
            onChange={(value) => filter({ as: value })}
          />
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
              {shape === 'branches' ? (
                <Branches nodes={graph.nodes.filter(isIn)} edges={graph.edges} centre={id} isPast={isPast} />
              ) : (
                <Picture
                  nodes={graph.nodes.filter(isIn)}
                  edges={graph.edges}
                  points={points}
                  focus={chosen ?? id}
                  isPast={isPast}
                  onChoose={(node) => {
                    setChosen(node);
                    void expand(node);
                  }}
                />
              )}
              <Legend nodes={graph.nodes.filter(isIn)} />
              {shape === 'whole' && <p class="dim">Choose a node to add its neighbours.</p>}
              <NodeTable nodes={graph.nodes.filter(isIn)} edges={graph.edges} isPast={isPast} omitted={graph.omitted} />
            </>
          )}
        </Shown>
      </div>
    </Page>
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
