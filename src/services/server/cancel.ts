// operation_cancel: ends work in the background.
import { LoreError } from '../../core/error.ts';
import * as s from '../../core/schema.ts';
import { defineTool } from '../../core/tool.ts';
import type { GraphAccess } from '../../graph/access.ts';
import { openScope } from '../../graph/scope.ts';

export function createCancelTool(graph: GraphAccess) {
  return defineTool({
    name: 'operation_cancel',
    title: 'Cancel an operation',
    description: 'End work in the background; what it has done so far stays.',
    effect: 'write',
    idempotent: true,
    input: s.object({ operation_id: s.string({ min: 1, max: 100 }) }),
    output: s.object({ operation_id: s.string(), state: s.string() }),
    async run({ operation_id: id }, { caller }) {
      const { opened, project } = await openScope(graph, caller);
      const known = await opened.operations.get(id);
      if (known?.project !== project.id) {
        throw new LoreError(
          'not_found',
          `Cannot cancel "${id}": there is no such operation in project "${project.name}"`,
        );
      }
      await opened.operations.cancel(id);
      return { operation_id: id, state: (await opened.operations.get(id))?.state ?? known.state };
    },
    render: ({ operation_id: id, state }) =>
      state === 'cancelled' ? `Cancelled ${id}.` : `${id} is ${state} already.`,
  });
}
