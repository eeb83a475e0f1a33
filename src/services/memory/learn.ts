// learn: queues a passage or conversation and stores its facts in the background. With `review` it lists the facts first
// and stores them only if the user accepts.
import type { Soon } from '../../core/attempt.ts';
import { askForm, type Call } from '../../core/call.ts';
import { LoreError } from '../../core/error.ts';
import { describeEnd, type LearningRules } from '../../core/learning.ts';
import * as s from '../../core/schema.ts';
import { redactJson } from '../../core/secret/redact.ts';
import { runSoon } from '../../core/steps.ts';
import { fenceAsData, showHidden } from '../../core/text/fence.ts';
import { defineTool } from '../../core/tool.ts';
import { ensureProject, type Scope } from '../../graph/project/scope.ts';
import type { MemoryContext } from './context.ts';
import { readTime } from './memory.ts';
import type { Conversation, Turn } from './text/conversation.ts';
import type { Fact } from './text/extract.ts';

export const learnKind = 'learn';

export interface LearnInput {
  content: string;
  /** Facts that were picked already; otherwise they are extracted from the content. */
  facts?: Fact[];
  source: string;
  root: string;
  /** Identifies an imported text, so that importing it again adds nothing. Its facts keep their dates. */
  key?: string;
}

const outcome = s.object({
  state: s.oneOf(['queued', 'paused', 'ignored', 'review']),
  operation_id: s.optional(s.string()),
  until: s.optional(s.string({ description: 'End of the pause' })),
  kept: s.optional(
    s.list(s.object({ text: s.string(), context: s.optional(s.string()), reason: s.string() }), {
      description: 'Facts that a review found',
    }),
  ),
  dropped: s.optional(s.record(s.integer(), { description: 'Skipped sentences, by reason' })),
});
type Outcome = s.Infer<typeof outcome>;

export function createLearnTool(context: MemoryContext, rules: LearningRules) {
  return defineTool({
    name: 'learn',
    title: 'Learn from a text',
    description:
      'Store the facts, decisions, preferences, corrections and fixes found in a passage or conversation, in the background. With review, list them first and store them only if the user accepts.',
    effect: 'write',
    expensive: true,
    examples: [
      ['lore learn < notes.md', 'store the facts in a text'],
      ['lore learn --review < notes.md', 'list them first'],
    ],
    input: s.object({
      content: s.string({ min: 1, max: 2_000_000 }),
      source: s.withDefault(s.string({ max: 500 }), ''),
      review: s.withDefault(s.boolean({ description: 'Ask the user before storing' }), false),
    }),
    output: outcome,
    async run({ content, source, review }, call): Promise<Outcome> {
      if (content.trim() === '') {
        throw new LoreError('invalid_input', 'Cannot learn: the content is empty', {
          details: { path: 'arguments.content', expected: 'text', received: 'only spaces' },
        });
      }
      const scope = await context.open(call);
      const { opened, project, projects } = scope;
      if (rules.ignores(call.caller.folder) || rules.ignores(project.root)) return { state: 'ignored' };
      const until = rules.pausedUntil(projects, opened.graph.now());
      if (until !== undefined)
        return { state: 'paused', ...(Number.isFinite(until) && { until: new Date(until).toISOString() }) };
      const { readTurns, writeConversation } = await import('./text/conversation.ts');
      const { form, turns } = await runSoon(readTurns(content));
      const isPausedAt = (time: number) => rules.pausedUntil(projects, time) !== undefined;
      const isPausedUntimed = isPausedAt(Number.NaN);
      const isPaused = ({ at }: Turn) => (at === undefined ? isPausedUntimed : isPausedAt(readTime(at) ?? Number.NaN));
      // Private, inserted and secret text is removed before it is queued or shown to a model.
      const told = turns.filter((turn) => !isPaused(turn));
      const said = await redactJson(await runSoon(writeConversation({ form, turns: told })));
      const facts = await pickWithModel(() => runSoon(readTurns(said)), call, rules.samplingMs());
      const input: LearnInput = { content: said, ...(facts && { facts }), source, root: project.root };
      if (!review) return queue(scope, input);
      const { chooseFacts } = await import('./learning.ts');
      const { kept, dropped } = await chooseFacts(scope, input);
      if (kept.length > 0 && (await isAccepted(kept, call))) return queue(scope, { ...input, facts: kept });
      return {
        state: 'review',
        kept: kept.map(({ text, context, reason }) => ({ text, ...(context !== undefined && { context }), reason })),
        dropped,
      };
    },
    render: (outcome) => describeOutcome(outcome, fenceFacts),
    // The command waits, and prints what was stored.
    show: (outcome) => (outcome.state === 'queued' ? '' : describeOutcome(outcome, listFacts)),
  });
}

async function pickWithModel(read: () => Soon<Conversation>, call: Call, waitMs: number): Promise<Fact[] | undefined> {
  if (waitMs === 0 || !call.can('sampling')) return undefined;
  const { extractWithModel } = await import('./learn-model.ts');
  return extractWithModel(await read(), call, waitMs);
}

async function queue(scope: Scope, input: LearnInput): Promise<Outcome> {
  const { opened, project } = scope;
  await ensureProject(scope);
  const { id } = await opened.operations.add(learnKind, project.id, input);
  opened.worker.wake();
  return { state: 'queued', operation_id: id };
}

/** Facts shown at once; the rest is counted. */
const shownFacts = 30;

async function isAccepted(facts: readonly Fact[], call: Call): Promise<boolean> {
  if (!call.can('elicitation')) return false;
  const more = facts.length > shownFacts ? `\n… and ${facts.length - shownFacts} more` : '';
  const question = askForm(`Store these memories?\n${listFacts(facts.slice(0, shownFacts))}${more}`, {
    type: 'object',
    properties: { keep: { type: 'boolean', title: 'Store them', default: true } },
    required: ['keep'],
  });
  const { keep } = await call.ask({ keep: question });
  return keep.action === 'accept' && s.isObject(keep.content) && keep.content.keep === true;
}

type Shown = Pick<Fact, 'text' | 'reason'> & { context?: string | undefined };

/** For a person. */
function listFacts(facts: readonly Shown[]): string {
  return facts.map((fact) => `+ ${showHidden(spellFact(fact))}  (${fact.reason})`).join('\n');
}

/** For a model, fenced as data. */
function fenceFacts(facts: readonly Shown[]): string {
  const entries = facts.map((fact, i) => ({ id: String(i + 1), label: fact.reason, text: spellFact(fact) }));
  return fenceAsData(entries, 'that would be stored');
}

function spellFact({ text, context }: Shown): string {
  return context === undefined ? text : `${context} → ${text}`;
}

function describeOutcome(
  { state, operation_id: id, until, kept = [], dropped = {} }: Outcome,
  list: (facts: readonly Shown[]) => string,
): string {
  if (state === 'queued')
    return `Learning in the background (${id}). Call status with this operation_id to see what was stored.`;
  if (state === 'ignored')
    return 'Learning is off in this folder: the setting ignore_folders lists it. remember still works.';
  if (state === 'paused') {
    return `Learning is paused here${until === undefined ? '' : describeEnd(Date.parse(until))}. remember still works.`;
  }
  const left = Object.entries(dropped).map(([reason, count]) => `${count} ${reason}`);
  const head = `Would store ${kept.length}${left.length > 0 ? `, skip ${left.join(', ')}` : ''}. Nothing was stored.`;
  return [head, ...(kept.length > 0 ? [list(kept as Shown[])] : [])].join('\n');
}
