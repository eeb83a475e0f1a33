// checkpoint_resume: returns a checkpoint to continue from, and what changed since it was saved.

import { askForm, type Call } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import * as s from '../../../core/schema.ts';
import { cutText } from '../../../core/text/budget.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { describeTime } from '../../../core/text/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import type { Node } from '../../../graph/node.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import { listTitled, type Titled } from '../../../graph/survey.ts';
import type { JournalContext } from '../context.ts';
import { checkpointKind, checkpointShape, dataOf, labelCheckpoint, viewCheckpoint } from './checkpoint.ts';
import { findCheckpoint } from './find.ts';
import { findLatest, type Latest, recentMs } from './latest.ts';
import { describeChanges, showResumed } from './show-resumed.ts';

const levels = ['summary', 'context', 'full'] as const;

const resumed = s.object({
  ...checkpointShape,
  metadata: s.optional(s.record(s.json())),
  /** Its beginning, or all of it at level full. */
  content: s.optional(s.string()),
  memories: s.list(s.object({ id: s.string(), text: s.string() })),
  /** Name and id of a newer one, saved automatically. */
  newer: s.optional(s.string()),
  since: s.object({
    files: s.list(s.object({ path: s.string(), state: s.oneOf(['changed', 'gone']) })),
    more: s.integer(),
    branch: s.optional(s.object({ was: s.string(), now: s.string() })),
    commits: s.optional(s.integer()),
    memories: s.list(s.object({ id: s.string(), text: s.string(), state: s.string(), by: s.optional(s.string()) })),
  }),
});

export type Resumed = s.Infer<typeof resumed>;

/** Characters of the text at the level "context". */
const contextTokens = 1_500;

export function createResumeTool(context: JournalContext) {
  return defineTool({
    name: 'checkpoint_resume',
    title: 'Resume a checkpoint',
    description:
      'Resume earlier work: a checkpoint, the memories it cites, and which files, branch and memories changed since. Default: the latest saved explicitly.',
    effect: 'read',
    page: 'opens',
    searchHint: 'continue earlier work, last session, where was I',
    main: 'id',
    examples: [
      ['lore checkpoint resume', 'the latest'],
      ['lore checkpoint resume webhooks', 'one, by its name or id'],
    ],
    input: s.object({
      id: s.optional(s.string({ min: 1, max: 200, description: 'Id or name' })),
      level: s.withDefault(s.oneOf(levels), 'context'),
      project_path: s.optional(s.string({ min: 1, max: 4_096 })),
    }),
    output: resumed,
    async run({ id, level, project_path: folder }, call) {
      const scope = await context.open(call, folder);
      const { node, newer } =
        id === undefined ? await chooseLatest(scope, call) : { node: await findCheckpoint(scope, id) };
      const { findChangesSince } = await import('./changes-since.ts');
      const { since, memories } = await findChangesSince(scope, node);
      const { metadata } = dataOf(node);
      return {
        ...viewCheckpoint(node),
        ...(metadata !== undefined && { metadata }),
        ...(level !== 'summary' && {
          content: level === 'full' ? node.text : cutText(node.text, node.id, contextTokens),
        }),
        ...(newer && { newer: `${dataOf(newer).name} (${newer.id})` }),
        memories: level === 'summary' ? [] : memories.map(({ id: memory, text }) => ({ id: memory, text })),
        since,
      };
    },
    render(result) {
      const { id, content, summary, metadata, memories, newer } = result;
      const entries = [
        { id, label: labelCheckpoint(result), text: content ?? summary },
        ...(metadata === undefined ? [] : [{ id: 'metadata', text: JSON.stringify(metadata) }]),
        ...memories.map((memory) => ({ id: memory.id, label: 'memory', text: memory.text })),
        { id: 'since', label: 'what changed since', text: describeChanges(result) },
        ...(newer === undefined
          ? []
          : [{ id: 'newer', label: 'saved automatically; resume it by its id', text: newer }]),
      ];
      return fenceAsData(entries);
    },
    show: showResumed,
  });
}

const maxChoices = 6;

/** If other work is about equally new, the user is asked, if the client supports it. */
async function chooseLatest(scope: Scope, call: Call): Promise<{ node: Node; newer?: Titled | undefined }> {
  const { graph, store } = scope.opened;
  const { project, projects } = scope;
  const latest = await findLatest(scope);
  if (!latest) {
    throw new LoreError('not_found', `Cannot resume: project "${project.name}" has no checkpoint`, {
      hint: 'Save one with checkpoint_save.',
    });
  }
  const { checkpoint, automatic: newer } = latest;
  const now = graph.now();
  const found = call.can('elicitation')
    ? await listTitled(store, { projects, kind: checkpointKind, limit: 50, now })
    : [];
  const choices = pickDistinct(latest, found);
  const chosen = choices.length > 1 && call.can('elicitation') ? await ask(call, choices, now) : undefined;
  const node = (await graph.get(chosen ?? checkpoint.id)) as Node;
  return chosen === undefined ? { node, newer } : { node };
}

/** The latest of each session and name. The default comes first. */
function pickDistinct({ checkpoint }: Latest, found: readonly Titled[]): Titled[] {
  const recent = found.filter(({ createdAt }) => createdAt > checkpoint.createdAt - recentMs);
  const works = new Map<string, Titled>();
  for (const node of [checkpoint, ...recent]) {
    const { session, name } = dataOf(node);
    const work = session ?? name;
    if (!works.has(work)) works.set(work, node);
  }
  return [...works.values()].slice(0, maxChoices);
}

/** Without a choice, the latest is taken. */
async function ask(call: Call, choices: readonly Titled[], now: number): Promise<string | undefined> {
  const titles = choices.map(
    (node) => `${dataOf(node).name} (${describeTime(new Date(node.createdAt).toISOString(), now)})`,
  );
  const form = askForm('Which checkpoint do you want to resume?', {
    type: 'object',
    properties: {
      checkpoint: { type: 'string', title: 'Checkpoint', enum: choices.map(({ id }) => id), enumNames: titles },
    },
    required: ['checkpoint'],
  });
  const { checkpoint: answer } = await call.ask({ checkpoint: form });
  const { action, content } = answer as { action?: unknown; content?: { checkpoint?: unknown } };
  const chosen = action === 'accept' ? content?.checkpoint : undefined;
  return choices.find(({ id }) => id === chosen)?.id;
}
