// remediation_save: stores an error and its fix.
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { countOf, hangText, joinFacts, type Style } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import type { JournalContext } from '../context.ts';

const outcome = s.object({
  action: s.oneOf(['stored', 'merged']),
  id: s.string(),
  headline: s.string({ description: 'The message it is matched by' }),
  seen: s.integer(),
  beside: s.integer({ description: 'Other known solutions of this error' }),
});
type Outcome = s.Infer<typeof outcome>;

export function createSaveTool(context: JournalContext) {
  return defineTool({
    name: 'remediation_save',
    title: 'Save a remediation',
    description: 'Store an error, as it was printed, and what fixed it. Call it after fixing an error.',
    effect: 'write',
    examples: [['lore remediation save "EADDRINUSE: port 3000" "Stop the old server first."', 'an error and its fix']],
    input: s.object(
      {
        error_msg: s.string({ min: 1, max: 1_000_000, description: 'With its trace, if any' }),
        solution: s.string({ min: 1, max: 50_000 }),
        context: s.optional(s.string({ max: 20_000 })),
        root_cause: s.optional(s.string({ max: 20_000 })),
        files: s.optional(s.list(s.string({ min: 1, max: 500 }), { max: 100 })),
        diff: s.optional(s.string({ max: 100_000 })),
        project_path: s.optional(s.string({ min: 1, max: 4_096 })),
      },
      { aliases: { error_message: 'error_msg' } },
    ),
    output: outcome,
    async run({ error_msg: error, root_cause: rootCause, project_path: folder, ...rest }, call) {
      refuseBlank(error, 'error_msg');
      refuseBlank(rest.solution, 'solution');
      const scope = await context.open(call, folder, 'write');
      const { storeRemediation } = await import('./store-remediation.ts');
      const { action, node, beside } = await storeRemediation(scope, { error, rootCause, ...rest });
      const { dataOf } = await import('./remediation.ts');
      const { signature, seen } = dataOf(node);
      return { action, id: node.id, headline: signature.headline, seen, beside };
    },
    render({ action, id, headline, seen, beside }) {
      const times = seen > 1 ? `, seen ${seen} times` : '';
      const others = beside > 0 ? ` ${countOf(beside, 'other solution')} known.` : '';
      return `${actionTexts[action]} as ${id}${times}. Matched by: ${headline}${others && `\n${others.trim()}`}`;
    },
    show: showOutcome,
  });
}

const actionTexts = { stored: 'Stored', merged: 'Already known' } as const;

function showOutcome({ action, id, headline, seen, beside }: Outcome, { bold, dim, width }: Style): string {
  const facts = [
    seen > 1 ? `seen ${seen} times` : undefined,
    beside > 0 ? countOf(beside, 'other solution') : undefined,
    id,
  ];
  return [
    bold(actionTexts[action]),
    ...hangText('  ', headline, width),
    ...joinFacts(facts, width - 2).map((line) => `  ${dim(line)}`),
  ].join('\n');
}

export function refuseBlank(text: string, name: string): void {
  if (text.trim() !== '') return;
  throw new LoreError('invalid_input', `Cannot read ${name}: it is empty`, {
    details: { path: `arguments.${name}`, expected: 'text', received: 'only spaces' },
  });
}
