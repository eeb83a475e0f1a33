// node_neighbours: the graph around one node, in every state, with the times that a picture of the past needs. For a person, and for
// pages without what was forgotten: an agent gets a smaller graph of current nodes from query_context.
import * as s from '../../core/schema.ts';
import { fenceAsData } from '../../core/text/fence.ts';
import { defineTool } from '../../core/tool.ts';
import type { Node } from '../../graph/node.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { getOwn, listReadable } from '../../graph/project/scope.ts';
import { idArgument } from '../../graph/resolve-id.ts';
import { rankFrom, walkFrom } from '../../graph/walk.ts';
import type { MayShow } from './query.ts';

const maxEdges = 2_000;
const shownText = 160;

const nodeShape = s.object({
  id: s.string(),
  kind: s.string(),
  name: s.string(),
  distance: s.integer(),
  links: s.integer({ description: 'Edges in the graph that was read' }),
  created: s.string(),
  ended: s.optional(s.string({ description: 'When it expired, was superseded or forgotten' })),
});

export function createNeighboursTool(folders: Folders, mayShow: MayShow) {
  return defineTool({
    name: 'node_neighbours',
    title: 'Graph around a node',
    description: 'Return the nodes around a node, nearest and most linked first, and the edges between them.',
    effect: 'read',
    scope: 'page',
    input: s.object({
      id: idArgument,
      hops: s.withDefault(s.integer({ min: 1, max: 3 }), 2),
      limit: s.withDefault(s.integer({ min: 1, max: 300 }), 60),
    }),
    output: s.object({
      nodes: s.list(nodeShape),
      edges: s.list(s.object({ from: s.string(), kind: s.string(), to: s.string() })),
      omitted: s.integer({ min: 0, description: 'Nodes' }),
    }),
    async run({ id: given, hops, limit }, { caller }) {
      const scope = await folders.open(caller);
      const projects = listReadable(scope);
      const { graph, store } = scope.opened;
      const centre = await getOwn(scope, given, 'begin at');
      const { distances, steps } = await walkFrom(store, [centre.id], hops, maxEdges);
      const ranks = rankFrom(new Map([[centre.id, 1]]), steps);
      const order = [...distances.keys()].sort((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0));
      const seesForgotten = caller.scopes.includes('person');
      const nodes = (await graph.getAll(order)).filter(
        ({ kind, project, forgottenAt }) =>
          projects.includes(project) && mayShow(kind, caller) && (seesForgotten || forgottenAt === undefined),
      );
      const chosen = [centre, ...nodes.filter(({ id }) => id !== centre.id)].slice(0, limit);
      const ids = new Set(chosen.map(({ id }) => id));
      const edges = steps.filter(({ from, to }) => ids.has(from) && ids.has(to));
      const countLinks = (id: string) => steps.filter(({ from, to }) => from === id || to === id).length;
      return {
        nodes: chosen.map((node) => view(node, distances.get(node.id) ?? 0, countLinks(node.id))),
        edges: edges.map(({ from, kind, to }) => ({ from, kind, to })),
        omitted: nodes.length - chosen.length,
      };
    },
    render: ({ nodes }) => fenceAsData(nodes.map(({ id, kind, name }) => ({ id, label: kind, text: name }))),
  });
}

function view(node: Node, distance: number, links: number): s.Infer<typeof nodeShape> {
  const { id, kind, title, text, createdAt, forgottenAt, supersededBy, validTo, updatedAt } = node;
  const ended = forgottenAt ?? (supersededBy === undefined ? validTo : (validTo ?? updatedAt));
  return {
    id,
    kind,
    name: (title || text).replace(/\s+/g, ' ').slice(0, shownText),
    distance,
    links,
    created: new Date(createdAt).toISOString(),
    ...(ended !== undefined && { ended: new Date(ended).toISOString() }),
  };
}
