// project: an overview of the project for the start of a session.
import * as s from '../../core/schema.ts';
import { countOf, hangText, joinFacts, type Style } from '../../core/text/terminal.ts';
import { defineTool } from '../../core/tool.ts';
import { type Brief, makeBrief, parts, renderBrief, titles } from './brief.ts';
import type { MemoryContext } from './context.ts';
import { memoryShape } from './memory.ts';
import { listMemories } from './show/show-list.ts';

export function createProjectTool(context: MemoryContext) {
  return defineTool({
    name: 'project',
    title: 'Project overview',
    description: 'Return what is known about this project: rules, architecture, gotchas, preferences, recent memories.',
    effect: 'read',
    examples: [['lore project', 'rules, architecture, gotchas, recent memories']],
    input: s.object({ verbose: s.withDefault(s.boolean(), false) }),
    output: s.object({
      name: s.string(),
      root: s.string(),
      memories: s.integer({ min: 0 }),
      notice: s.optional(s.string()),
      parts: s.list(s.object({ part: s.oneOf(parts), memories: s.list(s.object(memoryShape)) })),
    }),
    run: async ({ verbose }, call) => makeBrief(await context.open(call), verbose ? 20 : 5),
    render: renderBrief,
    show: showBrief,
  });
}

function showBrief({ name, root, memories, notice, parts }: Brief, style: Style): string {
  const head = joinFacts([name, countOf(memories, 'memory', 'memories')], style.width).map(style.bold);
  const place = hangText('', root, style.width).map(style.dim);
  const question = notice === undefined ? [] : ['', ...hangText('', notice, style.width)];
  const sections = parts.flatMap(({ part, memories: own }) => ['', style.bold(titles[part]), listMemories(own, style)]);
  return [...head, ...place, ...question, ...sections].join('\n');
}
