// remediation_feedback: records whether a remediation helped.
import { nameCaller } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { defineTool } from '../../../core/tool.ts';
import { getOwn } from '../../../graph/project/scope.ts';
import { idArgument } from '../../../graph/resolve-id.ts';
import type { JournalContext } from '../context.ts';
import { dataOf, remediationKind } from './remediation.ts';

export function createFeedbackTool(context: JournalContext) {
  return defineTool({
    name: 'remediation_feedback',
    title: 'Rate a remediation',
    description: 'Report whether a remediation helped; helpful ones rank higher.',
    effect: 'write',
    examples: [
      ['lore remediation feedback rem_mwiczb6s4 --helpful', 'it worked'],
      ['lore remediation feedback rem_mwiczb6s4 --no-helpful', 'it did not'],
    ],
    input: s.object({
      id: idArgument,
      helpful: s.boolean(),
      project_path: s.optional(s.string({ min: 1, max: 4_096 })),
    }),
    output: s.object({ id: s.string(), helpful: s.integer(), unhelpful: s.integer() }),
    async run({ id: given, helpful, project_path: folder }, call) {
      const scope = await context.open(call, folder, 'write');
      const node = await getOwn(scope, given, 'judge remediation');
      const { id } = node;
      if (node.kind !== remediationKind) {
        throw new LoreError('not_found', `Cannot rate remediation "${id}": it is a ${node.kind}`);
      }
      const { amendNode } = await import('../../../graph/amend.ts');
      const voted = helpful ? 'helpful' : 'unhelpful';
      const after = await amendNode(scope.opened, id, scope.actor, (before) => ({
        data: { ...before.data, [voted]: dataOf(before)[voted] + 1 },
      }));
      const { addUses } = await import('../../../graph/usage.ts');
      const use = { project: node.project, actor: nameCaller(call.caller), count: 1 } as const;
      // The vote itself is stored.
      await addUses(scope.opened, [{ ...use, action: helpful ? 'helped' : 'did_not_help' }]).catch(() => {});
      const { helpful: good, unhelpful: bad } = dataOf(after);
      return { id, helpful: good, unhelpful: bad };
    },
    render: ({ id, helpful, unhelpful }) => `Recorded: ${id} helped ${helpful} of ${helpful + unhelpful} times.`,
  });
}
