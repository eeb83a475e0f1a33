// remediation_search: finds fixes of similar errors.

import * as s from '../../../core/schema.ts';
import { cutText } from '../../../core/text/budget.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { defineTool } from '../../../core/tool.ts';
import type { JournalContext } from '../context.ts';
import { remediationShape, viewRemediation } from './remediation.ts';
import { refuseBlank } from './save.ts';
import { showMatches } from './show-matches.ts';

const found = s.object({ ...remediationShape, score: s.number(), why: s.string() });
export type FoundRemediation = s.Infer<typeof found>;

/** Characters of one remediation in the text for a model. */
const longestTokens = 1_500;

export function createSearchTool(context: JournalContext) {
  return defineTool({
    name: 'remediation_search',
    title: 'Search remediations',
    description: 'Find what fixed this error before. Call it before you fix an error; paste it as it was printed.',
    effect: 'read',
    page: 'opens',
    examples: [
      ['lore remediation search "EADDRINUSE: address already in use"', 'an error as it was printed'],
      ['npm test 2>&1 | lore remediation search', 'of a command that failed'],
    ],
    input: s.object(
      {
        error_msg: s.string({ min: 1, max: 1_000_000 }),
        limit: s.withDefault(s.integer({ min: 1, max: 20 }), 3),
        project_path: s.optional(s.string({ min: 1, max: 4_096 })),
      },
      { aliases: { query: 'error_msg', error_message: 'error_msg' } },
    ),
    output: s.object({ remediations: s.list(found) }),
    async run({ error_msg: error, limit, project_path: folder }, call) {
      refuseBlank(error, 'error_msg');
      const scope = await context.open(call, folder);
      const { matchRemediations } = await import('./match.ts');
      const matches = await matchRemediations(scope, error, limit);
      return {
        remediations: matches.map(({ node, score, why }) => ({
          ...viewRemediation(node),
          score: Math.round(score * 1000) / 1000,
          why,
        })),
      };
    },
    render: ({ remediations }) =>
      remediations.length === 0
        ? 'No known fix. Once you have fixed it, save the fix with remediation_save.'
        : `${fenceRemediations(remediations)}\nReport with remediation_feedback whether it helped.`,
    show: showMatches,
  });
}

/** The text for a model. */
function fenceRemediations(remediations: readonly FoundRemediation[]): string {
  return fenceAsData(
    remediations.map((one) => ({
      id: one.id,
      label: `score ${one.score.toFixed(2)} · ${one.why}`,
      text: cutText(describeParts(one), one.id, longestTokens),
    })),
  );
}

function describeParts({ error, solution, root_cause: cause, context, files, diff }: FoundRemediation): string {
  const parts = [
    `Error: ${error}`,
    `Solution: ${solution}`,
    cause && `Root cause: ${cause}`,
    context && `Context: ${context}`,
    files && `Files: ${files.join(', ')}`,
    diff && `Diff:\n${diff}`,
  ];
  return parts.filter(Boolean).join('\n');
}
