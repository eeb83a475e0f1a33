// forget: hides a memory from recall; it can be restored.

import * as s from '../../core/schema.ts';
import { fenceAsData } from '../../core/text/fence.ts';
import { defineTool } from '../../core/tool.ts';
import { getOwn } from '../../graph/project/scope.ts';
import { idArgument } from '../../graph/resolve-id.ts';
import type { MemoryContext } from './context.ts';

export function createForgetTool(context: MemoryContext) {
  return defineTool({
    name: 'forget',
    title: 'Forget',
    description: 'Stop recalling a memory that is wrong. Call it with undo to restore it.',
    effect: 'destroy',
    examples: [
      ['lore forget n_mwiczb6s4', 'by a unique prefix of its id'],
      ['lore forget n_mwiczb6s4 --undo', 'restore it'],
    ],
    idempotent: true,
    input: s.object({ id: idArgument, undo: s.withDefault(s.boolean(), false) }),
    output: s.object({ id: s.string(), text: s.string(), forgotten: s.boolean() }),
    async run({ id: given, undo }, call) {
      const scope = await context.open(call);
      const node = await getOwn(scope, given, undo ? 'restore' : 'forget');
      const { id } = node;
      const { graph } = scope.opened;
      if (!undo) await graph.forget(id, scope.actor);
      else if (node.forgottenAt !== undefined) await graph.unforget(id, scope.actor);
      else await graph.restore(id, scope.actor);
      scope.opened.changes.report(node);
      return { id, text: node.text, forgotten: !undo };
    },
    render: ({ id, text, forgotten }) =>
      [forgotten ? 'Forgotten. To restore it, call forget with undo.' : 'Restored.', fenceAsData([{ id, text }])].join(
        '\n',
      ),
    show: ({ id, text, forgotten }) =>
      forgotten ? `Forgot ${id}: ${text}\nUndo: lore forget ${id} --undo` : `Restored ${id}: ${text}`,
  });
}
