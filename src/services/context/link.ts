// context_link: states a relation between two things that are known.
import * as s from '../../core/schema.ts';
import { defineTool } from '../../core/tool.ts';
import type { GraphAccess } from '../../graph/access.ts';
import { getOwn, openScope } from '../../graph/scope.ts';

export function createLinkTool(access: GraphAccess) {
  return defineTool({
    name: 'context_link',
    title: 'Link context',
    description: 'State a relation between two known things, like "causes", "implements" or "contradicts".',
    effect: 'write',
    idempotent: true,
    input: s.object({
      from: s.string({ min: 1, max: 100, description: 'Id' }),
      kind: s.string({ min: 1, max: 64, description: 'Verb' }),
      to: s.string({ min: 1, max: 100, description: 'Id' }),
      weight: s.withDefault(s.number({ min: 0, max: 10 }), 1),
    }),
    output: s.object({ from: s.string(), kind: s.string(), to: s.string() }),
    async run({ from, kind, to, weight }, { caller }) {
      const scope = await openScope(access, caller);
      for (const id of [from, to]) await getOwn(scope, id, 'link');
      await scope.opened.graph.link({ from, kind, to, weight, data: { by: scope.actor } });
      return { from, kind, to };
    },
    render: ({ from, kind, to }) => `${from} —${kind}→ ${to}`,
  });
}
