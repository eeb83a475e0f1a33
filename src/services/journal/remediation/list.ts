// remediation_list: the newest fixes, for a person. An agent has an error, and searches by it.
import { checkPosition, readCursor, writeCursor } from '../../../core/cursor.ts';
import * as s from '../../../core/schema.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { defineTool } from '../../../core/tool.ts';
import type { JournalContext } from '../context.ts';
import { remediationShape, viewRemediation } from './remediation.ts';

export function createListTool(context: JournalContext) {
  return defineTool({
    name: 'remediation_list',
    title: 'List remediations',
    description: 'List the errors of this project and their fixes, newest first.',
    effect: 'read',
    scope: 'page',
    input: s.object({
      limit: s.withDefault(s.integer({ min: 1, max: 100 }), 50),
      cursor: s.optional(s.string({ max: 200 })),
    }),
    output: s.object({ remediations: s.list(s.object(remediationShape)), next_cursor: s.optional(s.string()) }),
    async run({ limit, cursor }, call) {
      const { opened, projects } = await context.open(call);
      const before = cursor === undefined ? undefined : readCursor(cursor, checkPosition);
      const found = await opened.graph.recent(projects, ['remediation'], limit + 1, { ...(before && { before }) });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        remediations: page.map(viewRemediation),
        ...(last && found.length > limit && { next_cursor: writeCursor(last.createdAt, last.id) }),
      };
    },
    render: ({ remediations }) =>
      fenceAsData(remediations.map(({ id, error, solution }) => ({ id, label: error, text: solution }))),
  });
}
