// context_link: links two nodes by a relation.
import * as s from '../../core/schema.ts';
import { defineTool } from '../../core/tool.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { getOwn } from '../../graph/project/scope.ts';
import { idArgument } from '../../graph/resolve-id.ts';

export function createLinkTool(folders: Folders) {
  return defineTool({
    name: 'context_link',
    title: 'Link context',
    description: 'Link two nodes by a relation like "causes", "implements" or "contradicts".',
    effect: 'write',
    examples: [['lore context link n_mwiczb6s4 causes n_mwid02kq1', 'a link between two entries']],
    idempotent: true,
    input: s.object({
      from: idArgument,
      kind: s.string({ min: 1, max: 64, description: 'Verb' }),
      to: idArgument,
      weight: s.withDefault(s.number({ min: 0, max: 10 }), 1),
    }),
    output: s.object({ from: s.string(), kind: s.string(), to: s.string() }),
    async run({ kind, weight, ...ends }, { caller }) {
      const scope = await folders.open(caller);
      const { id: from } = await getOwn(scope, ends.from, 'link');
      const { id: to } = await getOwn(scope, ends.to, 'link');
      await scope.opened.graph.link({ from, kind, to, weight, data: { by: scope.actor } });
      return { from, kind, to };
    },
    render: ({ from, kind, to }) => `${from} —${kind}→ ${to}`,
  });
}
