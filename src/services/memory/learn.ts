// learn: takes a passage or a whole conversation, answers at once, and keeps what is worth keeping in the background.
import { LoreError } from '../../core/error.ts';
import { redactJson } from '../../core/redact.ts';
import * as s from '../../core/schema.ts';
import { defineTool } from '../../core/tool.ts';
import { ensureProject } from '../../graph/scope.ts';
import type { Shelf } from './shelf.ts';

export const learnKind = 'learn';

export interface LearnInput {
  content: string;
  source: string;
  root: string;
  /** What an imported text is known by: read again, it adds nothing. Its facts count from when they were said. */
  key?: string;
}

export function createLearnTool(shelf: Shelf) {
  return defineTool({
    name: 'learn',
    title: 'Learn from a text',
    description:
      'Keep what is worth keeping of a passage or conversation: facts, decisions, preferences, corrections, fixes. Answers at once; the work is done in the background.',
    effect: 'write',
    input: s.object({
      content: s.string({ min: 1, max: 2_000_000 }),
      source: s.withDefault(s.string({ max: 500 }), ''),
    }),
    output: s.object({ operation_id: s.string(), state: s.oneOf(['queued']) }),
    async run({ content, source }, call) {
      if (content.trim() === '') {
        throw new LoreError('invalid_input', 'Cannot learn from it: the content is empty', {
          details: { path: 'arguments.content', expected: 'text', received: 'only spaces' },
        });
      }
      const scope = await shelf.open(call);
      await ensureProject(scope);
      const { opened, project } = scope;
      // What is private or was only inserted does not even wait in the database.
      const { readConversation, writeConversation } = await import('./text/conversation.ts');
      const said = writeConversation(readConversation(content));
      const input: LearnInput = { content: redactJson(said), source, root: project.root };
      const { id } = await opened.operations.add(learnKind, project.id, input);
      opened.worker.wake();
      return { operation_id: id, state: 'queued' as const };
    },
    render: ({ operation_id: id }) =>
      `Learning in the background (${id}); status with operation_id tells what was kept.`,
  });
}
