// memory_holding: lists entries that contain a text verbatim, for a person who wants to purge it.
import * as s from '../../core/schema.ts';
import { defineTool } from '../../core/tool.ts';
import { listReadable } from '../../graph/project/scope.ts';
import type { MemoryContext } from './context.ts';
import { purgeableKinds } from './kinds.ts';

const longestShown = 200;

export function createContainingTool(context: MemoryContext) {
  return defineTool({
    name: 'memory_holding',
    title: 'Find a text',
    description: 'List every entry that contains a text word for word, forgotten ones and earlier versions included.',
    effect: 'read',
    scope: 'person',
    input: s.object({
      text: s.string({ min: 1, max: 20_000 }),
      limit: s.withDefault(s.integer({ min: 1, max: 500 }), 100),
      purgeable: s.withDefault(s.boolean({ description: 'Only entries that can be purged' }), false),
    }),
    output: s.object({
      entries: s.list(s.object({ id: s.string(), kind: s.string(), text: s.string(), earlier: s.boolean() })),
    }),
    async run({ text, limit, purgeable }, call) {
      const scope = await context.open(call);
      const { findContaining } = await import('../../graph/purge/holding.ts');
      const found = await findContaining(scope.opened.store, listReadable(scope), [text], {
        limit,
        kinds: purgeable ? purgeableKinds : undefined,
      });
      return {
        entries: found.map(({ id, kind, title, text: own, earlier }) => ({
          id,
          kind,
          text: (own || title).slice(0, longestShown),
          earlier,
        })),
      };
    },
    render: ({ entries }) => entries.map(({ id, kind, text }) => `${id} ${kind} ${text}`).join('\n'),
  });
}
