// troubleshoot: returns everything known about an error.
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { defineTool } from '../../../core/tool.ts';
import type { JournalContext } from '../context.ts';
import { showEvidence } from './show.ts';

const evidence = s.object({
  headline: s.string({ description: 'What failed, in one line' }),
  remediations: s.list(
    s.object({
      id: s.string(),
      error: s.string(),
      solution: s.string(),
      root_cause: s.optional(s.string()),
      score: s.number(),
      why: s.string(),
    }),
  ),
  memories: s.list(s.object({ id: s.string(), text: s.string(), created: s.string() })),
  commits: s.list(s.object({ commit: s.string(), date: s.string(), subject: s.string(), files: s.list(s.string()) })),
  log: s.list(s.object({ file: s.string(), line: s.integer(), text: s.string() })),
});

export type ErrorEvidence = s.Infer<typeof evidence>;

const nothing = (save: string) =>
  `Nothing is known about this error. Once you have fixed it, save the fix with ${save}.`;

export function createTroubleshootTool(journalContext: JournalContext) {
  return defineTool({
    name: 'troubleshoot',
    title: 'Troubleshoot',
    description:
      'Collect what is known about an error: earlier fixes, memories, recent commits to the files in its trace, lines of the project’s logs.',
    effect: 'read',
    searchHint: 'error message, exception, failing test or build, known fix',
    examples: [['npm test 2>&1 | lore troubleshoot', 'of a command that failed']],
    input: s.object(
      {
        error_message: s.string({ min: 1, max: 1_000_000, description: 'As it was printed, with its trace' }),
        context: s.optional(s.string({ max: 20_000, description: 'What you were doing' })),
        project_path: s.optional(s.string({ min: 1, max: 4_096 })),
      },
      { aliases: { query: 'error_message', error_msg: 'error_message' } },
    ),
    output: evidence,
    async run({ error_message: error, context = '', project_path: folder }, call) {
      if (error.trim() === '') {
        throw new LoreError('invalid_input', 'Cannot troubleshoot: the error message is empty', {
          details: { path: 'arguments.error_message', expected: 'text', received: 'only spaces' },
        });
      }
      const scope = await journalContext.open(call, folder, 'files');
      const { gatherEvidence } = await import('./evidence.ts');
      return gatherEvidence(scope, error, context);
    },
    render(found) {
      const entries = [
        ...found.remediations.map(({ id, why, error, solution, root_cause: cause }) => ({
          id,
          label: `remediation · ${why}`,
          text: [error, `Solution: ${solution}`, ...(cause === undefined ? [] : [`Root cause: ${cause}`])].join('\n'),
        })),
        ...found.memories.map(({ id, text }) => ({ id, label: 'memory', text })),
        ...found.commits.map(({ commit, date, subject, files }) => ({
          id: commit.slice(0, 10),
          label: `commit · ${date.slice(0, 10)} · ${files.join(', ')}`,
          text: subject,
        })),
        ...found.log.map(({ file, line, text }) => ({ id: `${file}:${line}`, label: 'log', text })),
      ];
      return entries.length === 0 ? nothing('remediation_save') : `${found.headline}\n${fenceAsData(entries)}`;
    },
    show: (found, style) => showEvidence(found, nothing('lore remediation save'), style),
  });
}
