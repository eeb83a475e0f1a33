// enhance: returns a prompt with relevant memories, or unchanged if there are none.
import { rankArgument } from '../../core/rank-mode.ts';
import * as s from '../../core/schema.ts';
import { defineTool } from '../../core/tool.ts';
import type { MemoryContext } from './context.ts';
import { fenceMemories, takeFitting } from './show/show.ts';

const formats = ['prompt', 'context'] as const;

export function createEnhanceTool(memoryContext: MemoryContext) {
  return defineTool({
    name: 'enhance',
    title: 'Enhance a prompt',
    description: 'Return the prompt with relevant memories before it, as data, or unchanged if there are none.',
    effect: 'read',
    examples: [['lore enhance "Add retries to the webhook"', 'the prompt, after the memories that help with it']],
    input: s.object({
      prompt: s.string({ min: 1, max: 100_000 }),
      limit: s.withDefault(s.integer({ min: 1, max: 20 }), 5),
      format: s.withDefault(s.oneOf(formats, { description: 'context: without the prompt' }), 'prompt'),
      budget_tokens: s.withDefault(s.integer({ min: 50, max: 20_000 }), 800),
      rank: rankArgument,
    }),
    output: s.object({
      relevant: s.boolean(),
      text: s.string({ description: 'In the requested format' }),
      memories: s.list(s.string({ description: 'Ids' })),
    }),
    async run({ prompt, limit, format, budget_tokens: budget, rank }, call) {
      const scope = await memoryContext.open(call);
      const { findHelpful } = await import('./helpful.ts');
      const helpful = await findHelpful(scope, { prompt, limit, rank });
      const memories = takeFitting(helpful, budget, prompt);
      const ids = memories.map(({ id }) => id);
      memoryContext.used(call, scope, memories, 'injected');
      const context = fenceMemories(memories);
      const parts = [context, format === 'prompt' ? prompt : ''].filter((part) => part !== '');
      return { relevant: ids.length > 0, text: parts.join('\n\n'), memories: ids };
    },
    render: ({ text }) => text,
  });
}
