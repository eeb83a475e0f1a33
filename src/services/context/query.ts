// query_context: searches all nodes and returns a small connected subgraph.

import type { Caller } from '../../core/call.ts';
import { LoreError } from '../../core/error.ts';
import { rankArgument } from '../../core/rank-mode.ts';
import * as s from '../../core/schema.ts';
import { cutText, estimateTokens } from '../../core/text/budget.ts';
import { fenceAsData } from '../../core/text/fence.ts';
import { defineTool } from '../../core/tool.ts';
import type { Node } from '../../graph/node.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { getOwn } from '../../graph/project/scope.ts';
import { idArgument } from '../../graph/resolve-id.ts';
import { showPicture } from './show-subgraph.ts';
import { findSubgraph, type Subgraph, type SubgraphNode } from './subgraph.ts';

const nodeShape = s.object({
  id: s.string(),
  kind: s.string(),
  title: s.optional(s.string()),
  text: s.string(),
  score: s.number({ min: 0, max: 1 }),
  why: s.string({ description: 'How it relates to the query' }),
});

const picture = s.object({
  nodes: s.list(nodeShape),
  edges: s.list(s.object({ from: s.string(), kind: s.string(), to: s.string() })),
});

/** Characters of a node's text; the full text is a resource. */
const longestText = 300;

/** Whether a caller may be shown nodes of a kind, whichever service stores them. */
export type MayShow = (kind: string, caller: Caller) => boolean;

export function createQueryTool(folders: Folders, mayShow: MayShow) {
  return defineTool({
    name: 'query_context',
    title: 'Query context',
    description:
      'Query everything known about this project: memories, files, symbols, errors, people, and how they are related. Returns nodes and the edges between them.',
    effect: 'read',
    page: 'opens',
    examples: [
      ['lore query context "why six attempts?"', 'memories, files, commits, and how they are related'],
      ['lore query context deploys --hops 1 --kinds memory,commit', 'only these kinds'],
    ],
    input: s.object({
      query: s.string({ min: 1, max: 20_000, description: 'The search query' }),
      kinds: s.optional(s.list(s.string({ max: 64 }), { max: 20, description: 'memory, entity, session …' })),
      from: s.optional(idArgument),
      hops: s.withDefault(s.integer({ min: 0, max: 4 }), 2),
      limit: s.withDefault(s.integer({ min: 1, max: 50 }), 12),
      budget_tokens: s.withDefault(s.integer({ min: 100, max: 50_000 }), 2_000),
      rank: rankArgument,
    }),
    output: picture,
    async run({ query, kinds, from: given, hops, limit, budget_tokens: budget, rank }, { caller }) {
      const scope = await folders.open(caller);
      const from = given === undefined ? undefined : (await getOwn(scope, given, 'begin at')).id;
      const drawn = await findSubgraph(scope, {
        query,
        kinds,
        from,
        hops,
        limit,
        rank,
        mayShow: (kind) => mayShow(kind, caller),
      });
      if (from === undefined) refuseBroad(query, drawn, limit);
      const shown = takeFitting(drawn.nodes, budget);
      const names = new Map(drawn.nodes.map(({ node }) => [node.id, nameOf(node)]));
      const ids = new Set(shown.map(({ node }) => node.id));
      return {
        nodes: shown.map((one) => view(one, names)),
        edges: drawn.edges
          .filter((edge) => ids.has(edge.from) && ids.has(edge.to))
          .map(({ from: a, kind, to }) => ({ from: a, kind, to })),
      };
    },
    render({ nodes, edges }) {
      if (nodes.length === 0) return 'No matching nodes.';
      const titles = new Map(nodes.map(({ id, title, text }) => [id, title ?? text.slice(0, 60)]));
      const fenced = fenceAsData(
        nodes.map(({ id, kind, title, text, why }) => ({
          id,
          label: `${kind} · ${why}`,
          text: title === undefined ? text : `${title}\n${text}`.trim(),
        })),
      );
      const lines = edges.map(({ from, kind, to }) => `- ${titles.get(from)} —${kind}→ ${titles.get(to)}`);
      const related = lines.length > 0 ? fenceAsData([{ id: 'edges', text: lines.join('\n') }]) : '';
      return [`Found ${nodes.length} relevant context ${nodes.length === 1 ? 'node' : 'nodes'}`, fenced, related]
        .filter(Boolean)
        .join('\n');
    },
    show: showPicture,
  });
}

/** If every word is in nearly every node, the first results are no better than the others. */
const lowWeight = 0.7;

function refuseBroad(query: string, { found }: Subgraph, limit: number): void {
  const weights = found[0]?.weights ?? [];
  if (found.length < limit || weights.length === 0 || Math.max(...weights) > lowWeight) return;
  throw new LoreError('invalid_input', `Cannot query "${query}": Query too broad, please be more specific`, {
    hint: 'Name a file, symbol, error or decision; or narrow it with kinds, or with from and the id of a node.',
    details: { path: 'arguments.query', expected: 'more specific words', received: query },
  });
}

function view({ node, score, matched, path }: SubgraphNode, names: ReadonlyMap<string, string>) {
  const text = node.kind === 'entity' ? '' : cutText(node.text, node.id, longestText / 3);
  return {
    id: node.id,
    kind: node.kind,
    // A commit's text begins with its title.
    ...(node.title !== '' && !text.startsWith(node.title) && { title: node.title }),
    text,
    score: Math.round(score * 1000) / 1000,
    why: matched ? 'matches the query' : describePath(path, node.id, names),
  };
}

function describePath(path: SubgraphNode['path'], id: string, names: ReadonlyMap<string, string>): string {
  const last = path.at(-1);
  if (!last) return 'related to a match';
  const other = last.from === id ? last.to : last.from;
  const name = names.get(other) ?? other;
  return last.from === id ? `${last.kind} ${name}` : `${last.kind} from ${name}`;
}

function nameOf({ title, text, id }: Node): string {
  return (title || text.slice(0, 60) || id).replace(/\s+/g, ' ');
}

function takeFitting(nodes: readonly SubgraphNode[], budget: number): SubgraphNode[] {
  let spent = 0;
  return nodes.filter(({ node }, at) => {
    spent += estimateTokens(`${node.title} ${node.text.slice(0, longestText)}`) + 20;
    return at === 0 || spent <= budget;
  });
}
