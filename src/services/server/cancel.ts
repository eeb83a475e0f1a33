// operation_cancel: cancels a background operation.
import * as s from '../../core/schema.ts';
import { defineTool } from '../../core/tool.ts';
import type { Folders } from '../../graph/project/grant.ts';
import { getOwnOperation } from '../../graph/project/scope.ts';
import { idArgument } from '../../graph/resolve-id.ts';

export function createCancelTool(folders: Folders) {
  return defineTool({
    name: 'operation_cancel',
    title: 'Cancel an operation',
    description: 'Cancel a background operation; changes it has already made stay.',
    effect: 'write',
    examples: [['lore operation_cancel op_mwiczb6s4', 'by a unique prefix of its id']],
    idempotent: true,
    input: s.object({ operation_id: idArgument }),
    output: s.object({ operation_id: s.string(), state: s.string() }),
    async run({ operation_id: given }, { caller }) {
      const scope = await folders.open(caller);
      const { operations } = scope.opened;
      const { id, state } = await getOwnOperation(scope, given, 'cancel');
      await operations.cancel(id);
      return { operation_id: id, state: (await operations.get(id))?.state ?? state };
    },
    render: ({ operation_id: id, state }) =>
      state === 'cancelled' ? `Cancelled ${id}.` : `${id} is ${state} already.`,
  });
}
