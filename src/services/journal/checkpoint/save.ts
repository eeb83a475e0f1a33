// checkpoint_save: stores the state of the work.
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { countOf, joinFacts, type Style } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import type { JournalContext } from '../context.ts';
import { checkpointShape, dataOf, viewCheckpoint } from './checkpoint.ts';

const longest = 1_000_000;

const saved = s.object({
  ...checkpointShape,
  files: s.integer({ description: 'Files it mentions' }),
  memories: s.integer({ description: 'Memories it cites' }),
  redacted: s.integer({ description: 'Secrets redacted before storing' }),
});

export function createSaveTool(context: JournalContext) {
  return defineTool({
    name: 'checkpoint_save',
    title: 'Save a checkpoint',
    description:
      'Save the state of your work to resume it in a later session: goal, state, decisions, files, next steps. Call it before context runs out and when you stop.',
    effect: 'write',
    searchHint: 'save progress, hand over, before the context runs out',
    examples: [
      ['lore checkpoint save "Goal: webhooks. Next: write the tests." --name webhooks', 'where the work stands'],
      ['lore checkpoint save < notes.md', 'from a file'],
    ],
    input: s.object({
      content: s.string({ min: 1, max: longest, description: 'Markdown' }),
      project_path: s.optional(s.string({ min: 1, max: 4_096 })),
      name: s.optional(s.string({ min: 1, max: 200 })),
      summary: s.optional(s.string({ min: 1, max: 2_000 })),
      metadata: s.optional(s.record(s.json())),
      session: s.optional(s.string({ min: 1, max: 200 })),
    }),
    output: saved,
    async run({ project_path: folder, ...draft }, call) {
      if (draft.content.trim() === '') {
        throw new LoreError('invalid_input', 'Cannot save a checkpoint: the content is empty', {
          details: { path: 'arguments.content', expected: 'text', received: 'only spaces' },
        });
      }
      refuseLarge(draft.metadata);
      const scope = await context.open(call, folder, 'write');
      const { saveCheckpoint } = await import('./save-checkpoint.ts');
      const { node, memories, redacted } = await saveCheckpoint(scope, draft);
      context.updated('lore://checkpoint');
      const files = Object.keys(dataOf(node).files ?? {}).length;
      return { ...viewCheckpoint(node), files, memories: memories.length, redacted };
    },
    render: ({ id, name, files, memories, redacted }) =>
      [
        `Saved as ${id}: ${name} (${countOf(files, 'file')}, ${countOf(memories, 'memory', 'memories')}).`,
        ...(redacted > 0 ? [`${countOf(redacted, 'secret was', 'secrets were')} redacted.`] : []),
      ].join('\n'),
    show: showSaved,
  });
}

const longestMetadata = 50_000;

function refuseLarge(metadata: object | undefined): void {
  const length = metadata === undefined ? 0 : JSON.stringify(metadata).length;
  if (length <= longestMetadata) return;
  const details = {
    path: 'arguments.metadata',
    expected: `at most ${longestMetadata} characters as JSON`,
    received: String(length),
  };
  throw new LoreError('invalid_input', 'Cannot save a checkpoint: its metadata is too large', { details });
}

function showSaved({ id, name, files, memories, branch, redacted }: s.Infer<typeof saved>, style: Style): string {
  const facts = [branch, countOf(files, 'file'), countOf(memories, 'memory', 'memories'), id];
  return [
    style.bold(`Saved: ${name}`),
    ...joinFacts(facts, style.width - 2).map((line) => `  ${style.dim(line)}`),
    ...(redacted > 0 ? [`${countOf(redacted, 'secret was', 'secrets were')} redacted.`] : []),
  ].join('\n');
}
