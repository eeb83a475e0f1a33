// learn: takes a passage or a whole conversation, answers at once, and keeps what is worth keeping in the background.
import { LoreError } from '../../core/error.ts';
import { describeEnd, type LearningRules } from '../../core/learning.ts';
import { redactJson } from '../../core/redact.ts';
import * as s from '../../core/schema.ts';
import { defineTool } from '../../core/tool.ts';
import { ensureProject } from '../../graph/scope.ts';
import { readTime } from './memory.ts';
import type { Shelf } from './shelf.ts';

export const learnKind = 'learn';

export interface LearnInput {
  content: string;
  source: string;
  root: string;
  /** What an imported text is known by: read again, it adds nothing. Its facts count from when they were said. */
  key?: string;
}

export function createLearnTool(shelf: Shelf, rules: LearningRules) {
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
    output: s.object({
      state: s.oneOf(['queued', 'paused', 'ignored']),
      operation_id: s.optional(s.string()),
      until: s.optional(s.string()),
    }),
    async run({ content, source }, call) {
      if (content.trim() === '') {
        throw new LoreError('invalid_input', 'Cannot learn from it: the content is empty', {
          details: { path: 'arguments.content', expected: 'text', received: 'only spaces' },
        });
      }
      const scope = await shelf.open(call);
      const { opened, project } = scope;
      if (rules.ignores(call.caller.folder) || rules.ignores(project.root)) return { state: 'ignored' as const };
      const until = rules.pausedUntil(project.id, opened.graph.now());
      if (until !== undefined)
        return { state: 'paused' as const, ...(Number.isFinite(until) && { until: new Date(until).toISOString() }) };
      await ensureProject(scope);
      // What is private or was only inserted does not even wait in the database.
      const { readConversation, writeConversation } = await import('./text/conversation.ts');
      const { form, turns } = readConversation(content);
      const isPaused = ({ at }: { at?: string }) => {
        const saidAt = readTime(at);
        return saidAt !== undefined && rules.pausedUntil(project.id, saidAt) !== undefined;
      };
      const said = writeConversation({ form, turns: turns.filter((turn) => !isPaused(turn)) });
      const input: LearnInput = { content: redactJson(said), source, root: project.root };
      const { id } = await opened.operations.add(learnKind, project.id, input);
      opened.worker.wake();
      return { operation_id: id, state: 'queued' as const };
    },
    render({ state, operation_id: id, until }) {
      if (state === 'queued')
        return `Learning in the background (${id}); status with this operation_id shows what was kept.`;
      if (state === 'ignored')
        return 'Nothing is learned in this folder: it is in ignore_folders. remember still works.';
      return `Learning is paused here${until === undefined ? '' : describeEnd(Date.parse(until))}. remember still works.`;
    },
  });
}
