// recent: lists memories, newest first, page by page.
import { checkPosition, readCursor, writeCursor } from '../../core/cursor.ts';
import * as s from '../../core/schema.ts';
import { defineTool } from '../../core/tool.ts';
import type { Graph } from '../../graph/graph.ts';
import type { Node, NodePosition } from '../../graph/node.ts';
import type { MemoryContext } from './context.ts';
import { memoryKinds } from './kinds.ts';
import { dataOf, memoryShape, viewMemory } from './memory.ts';
import { fenceMemories, takeFitting } from './show/show.ts';
import { listMemories } from './show/show-list.ts';

/** Kinds are filtered after reading. */
const readAtOnce = 200;

const nothing = 'Nothing is known yet.';

export function createRecentTool(context: MemoryContext) {
  return defineTool({
    name: 'recent',
    title: 'Recent memories',
    description: 'List the newest memories of this project.',
    effect: 'read',
    page: 'opens',
    examples: [
      ['lore recent', 'the newest ten'],
      ['lore recent --limit 50 --kinds preference', 'more, of one kind'],
    ],
    input: s.object({
      limit: s.withDefault(s.integer({ min: 1, max: 100 }), 10),
      kinds: s.optional(s.list(s.oneOf(memoryKinds))),
      user: s.withDefault(s.boolean({ description: 'Memories about the user only' }), false),
      budget_tokens: s.withDefault(s.integer({ min: 50, max: 100_000 }), 2_000),
      cursor: s.optional(s.string({ max: 200 })),
    }),
    output: s.object({ memories: s.list(s.object(memoryShape)), next_cursor: s.optional(s.string()) }),
    async run({ limit, kinds, user, budget_tokens: budget, cursor }, call) {
      const { opened, projects } = await context.open(call, { user });
      const before = cursor === undefined ? undefined : readCursor(cursor, checkPosition);
      const isWanted = (node: Node) => kinds?.includes(dataOf(node).kind) ?? true;
      const found = await readPage(opened.graph, projects, { limit: limit + 1, before, isWanted });
      const views = found.slice(0, limit).map((node) => viewMemory(node, projects));
      const memories = takeFitting(views, budget);
      const last = found[memories.length - 1];
      return {
        memories,
        ...(last && memories.length < found.length && { next_cursor: writeCursor(last.createdAt, last.id) }),
      };
    },
    render({ memories, next_cursor: next }) {
      if (memories.length === 0) return nothing;
      return next === undefined
        ? fenceMemories(memories)
        : `${fenceMemories(memories)}\nThere are more: cursor ${next}`;
    },
    show: ({ memories }, style) => (memories.length === 0 ? nothing : listMemories(memories, style)),
  });
}

interface Page {
  limit: number;
  before: NodePosition | undefined;
  isWanted(node: Node): boolean;
}

async function readPage(graph: Graph, projects: readonly string[], { limit, before, isWanted }: Page): Promise<Node[]> {
  const page: Node[] = [];
  for (let last = before; ; ) {
    const nodes = await graph.recent(projects, ['memory'], readAtOnce, { ...(last && { before: last }) });
    page.push(...nodes.filter(isWanted));
    if (page.length >= limit || nodes.length < readAtOnce) return page.slice(0, limit);
    last = nodes.at(-1);
  }
}
