// checkpoint_resume: takes earlier work up again, and says what changed since.
import { cutText } from '../../../core/budget.ts';
import { askForm, type Call } from '../../../core/call.ts';
import { LoreError } from '../../../core/error.ts';
import { fenceAsData } from '../../../core/fence.ts';
import * as s from '../../../core/schema.ts';
import { tellTime } from '../../../core/terminal.ts';
import { defineTool } from '../../../core/tool.ts';
import type { Node } from '../../../graph/node.ts';
import { getOwn, type Scope } from '../../../graph/scope.ts';
import { listTitled, type Titled } from '../../../graph/survey.ts';
import type { Desk } from '../desk.ts';
import { checkpointKind, checkpointShape, dataOf, labelCheckpoint, viewCheckpoint } from './checkpoint.ts';
import { showResumed, tellChanges } from './show-resumed.ts';

const levels = ['summary', 'context', 'full'] as const;

const resumed = s.object({
  ...checkpointShape,
  metadata: s.optional(s.record(s.json())),
  content: s.optional(s.string({ description: 'Its beginning, or all of it at level full' })),
  memories: s.list(s.object({ id: s.string(), text: s.string() })),
  since: s.object({
    files: s.list(s.object({ path: s.string(), state: s.oneOf(['changed', 'gone']) })),
    more: s.integer(),
    branch: s.optional(s.object({ was: s.string(), now: s.string() })),
    commits: s.optional(s.integer()),
    memories: s.list(s.object({ id: s.string(), text: s.string(), state: s.string(), by: s.optional(s.string()) })),
  }),
});

export type Resumed = s.Infer<typeof resumed>;

/** Of the text, at the level between the two others. */
const contextTokens = 1_500;

export function createResumeTool(desk: Desk) {
  return defineTool({
    name: 'checkpoint_resume',
    title: 'Resume a checkpoint',
    description:
      'Take up earlier work: what a checkpoint says, the memories it builds on, and which files, branch and memories changed since. Without an id, the latest.',
    effect: 'read',
    input: s.object({
      id: s.optional(s.string({ min: 1, max: 100 })),
      level: s.withDefault(s.oneOf(levels), 'context'),
      project_path: s.optional(s.string({ min: 1, max: 4_096 })),
    }),
    output: resumed,
    async run({ id, level, project_path: folder }, call) {
      const scope = await desk.open(call, folder);
      const node = id === undefined ? await chooseLatest(scope, call) : await getCheckpoint(scope, id);
      const { lookSince } = await import('./since.ts');
      const { since, memories } = await lookSince(scope, node);
      const { metadata } = dataOf(node);
      return {
        ...viewCheckpoint(node),
        ...(metadata !== undefined && { metadata }),
        ...(level !== 'summary' && {
          content: level === 'full' ? node.text : cutText(node.text, node.id, contextTokens),
        }),
        memories: level === 'summary' ? [] : memories.map(({ id: memory, text }) => ({ id: memory, text })),
        since,
      };
    },
    render(result) {
      const { id, content, summary, memories } = result;
      const entries = [
        { id, label: labelCheckpoint(result), text: content ?? summary },
        ...memories.map((memory) => ({ id: memory.id, label: 'memory', text: memory.text })),
        { id: 'since', label: 'what changed since', text: tellChanges(result) },
      ];
      return fenceAsData(entries);
    },
    show: showResumed,
  });
}

export async function getCheckpoint(scope: Scope, id: string): Promise<Node> {
  const node = await getOwn(scope, id, 'resume');
  if (node.kind === checkpointKind) return node;
  throw new LoreError('not_found', `Cannot resume "${id}": it is a ${node.kind}, not a checkpoint`);
}

/** Work that was left so long ago is taken up only by name. */
const recentMs = 14 * 86_400_000;
const maxChoices = 6;

/** The latest; where others of other work are about as new, the person is asked, if there is a way to. */
async function chooseLatest({ opened, project }: Scope, call: Call): Promise<Node> {
  const { graph, store } = opened;
  const at = graph.now();
  const found = await listTitled(store, { project: project.id, kind: checkpointKind, limit: 50, at });
  const [latest] = found;
  if (!latest) {
    throw new LoreError('not_found', `Cannot resume: project "${project.name}" has no checkpoint`, {
      hint: 'checkpoint_save makes one.',
    });
  }
  const choices = pickDistinct(found.filter(({ createdAt }) => createdAt > latest.createdAt - recentMs));
  const chosen = choices.length > 1 && call.can('elicitation') ? await ask(call, choices, at) : undefined;
  return (await graph.get(chosen ?? latest.id)) as Node;
}

/** Of each session's work, or work of the same name, the latest. */
function pickDistinct(found: readonly Titled[]): Titled[] {
  const works = new Map<string, Titled>();
  for (const node of found) {
    const { session, name } = dataOf(node);
    const work = session ?? name;
    if (!works.has(work)) works.set(work, node);
  }
  return [...works.values()].slice(0, maxChoices);
}

/** Whoever does not want to choose takes the latest. */
async function ask(call: Call, choices: readonly Titled[], now: number): Promise<string | undefined> {
  const titles = choices.map(
    (node) => `${dataOf(node).name} (${tellTime(new Date(node.createdAt).toISOString(), now)})`,
  );
  const form = askForm('Which work shall be resumed?', {
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
