// recent: lists the newest memories.
import * as s from '../../core/schema.ts';
import { defineTool } from '../../core/tool.ts';
import type { MemoryContext } from './context.ts';
import { memoryKinds } from './kinds.ts';
import { dataOf, memoryShape, viewMemory } from './memory.ts';
import { fenceMemories, takeFitting } from './show/show.ts';
import { listMemories } from './show/show-list.ts';

/** Reads more than requested, because kinds are filtered afterwards. */
const readAtOnce = 200;

const nothing = 'Nothing is known yet.';

export function createRecentTool(context: MemoryContext) {
  return defineTool({
    name: 'recent',
    title: 'Recent memories',
    description: 'List the newest memories of this project.',
    effect: 'read',
    examples: [
      ['lore recent', 'the newest ten'],
      ['lore recent --limit 50 --kinds preference', 'more, of one kind'],
    ],
    input: s.object({
      limit: s.withDefault(s.integer({ min: 1, max: 100 }), 10),
      kinds: s.optional(s.list(s.oneOf(memoryKinds))),
      user: s.withDefault(s.boolean({ description: 'Memories about the user only' }), false),
      budget_tokens: s.withDefault(s.integer({ min: 50, max: 100_000 }), 2_000),
    }),
    output: s.object({ memories: s.list(s.object(memoryShape)) }),
    async run({ limit, kinds, user, budget_tokens: budget }, call) {
      const { opened, projects } = await context.open(call, { user });
      const nodes = await opened.graph.recent(projects, ['memory'], kinds ? readAtOnce : limit);
      const wanted = nodes.filter((node) => kinds?.includes(dataOf(node).kind) ?? true).slice(0, limit);
      const views = wanted.map((node) => viewMemory(node, projects));
      return { memories: takeFitting(views, budget) };
    },
    render: ({ memories }) => (memories.length === 0 ? nothing : fenceMemories(memories)),
    show: ({ memories }, style) => (memories.length === 0 ? nothing : listMemories(memories, style)),
  });
}
