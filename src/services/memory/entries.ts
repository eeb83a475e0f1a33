// entry_list and activity: what was stored and changed, in every state and by whom. For a person, who looks for an entry that is no
// longer recalled, and for pages, which list current ones; agents search.
import { checkPosition, readCursor, writeCursor } from '../../core/cursor.ts';
import { LoreError } from '../../core/error.ts';
import * as s from '../../core/schema.ts';
import { fenceAsData } from '../../core/text/fence.ts';
import { defineTool } from '../../core/tool.ts';
import type { Node } from '../../graph/node.ts';
import { dayMs, entryStates } from '../../graph/timeline.ts';
import { useActions } from '../../graph/usage.ts';
import type { MemoryContext } from './context.ts';
import { purgeableKinds } from './kinds.ts';
import { dataOf } from './memory.ts';

const shownText = 400;

const entry = s.object({
  id: s.string(),
  kind: s.string(),
  title: s.optional(s.string()),
  text: s.string(),
  knowledge: s.optional(s.string()),
  source: s.optional(s.string()),
  created: s.string(),
  updated: s.string(),
  expires: s.optional(s.string()),
  superseded_by: s.optional(s.string()),
  forgotten: s.optional(s.string()),
});

export function createEntryListTool(context: MemoryContext) {
  return defineTool({
    name: 'entry_list',
    title: 'List entries',
    description:
      'List memories, checkpoints, remediations and commits, newest first, also superseded and forgotten ones.',
    effect: 'read',
    scope: 'page',
    input: s.object({
      kinds: s.withDefault(s.list(s.oneOf(purgeableKinds)), [...purgeableKinds]),
      state: s.withDefault(s.oneOf(entryStates), 'current'),
      user: s.withDefault(s.boolean({ description: 'Memories about the user only' }), false),
      limit: s.withDefault(s.integer({ min: 1, max: 500 }), 100),
      cursor: s.optional(s.string({ max: 200 })),
    }),
    output: s.object({ entries: s.list(entry), next_cursor: s.optional(s.string()) }),
    async run({ kinds, state, user, limit, cursor }, call) {
      if (state !== 'current' && !call.caller.scopes.includes('person')) {
        throw new LoreError('forbidden', `Cannot list entries in the state "${state}": only a person can`);
      }
      const { opened, projects } = await context.open(call, { user });
      const { listEntries } = await import('../../graph/timeline.ts');
      const before = cursor === undefined ? undefined : readCursor(cursor, checkPosition);
      const found = await listEntries(opened, { projects, kinds, state, limit: limit + 1, before });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        entries: page.map(view),
        ...(last && found.length > limit && { next_cursor: writeCursor(last.createdAt, last.id) }),
      };
    },
    render: ({ entries }) => fenceAsData(entries.map(({ id, kind, text }) => ({ id, label: kind, text }))),
  });
}

function view(node: Node): s.Infer<typeof entry> {
  const write = (at: number) => new Date(at).toISOString();
  const { knowledge } = dataOf(node);
  return {
    id: node.id,
    kind: node.kind,
    ...(node.title !== '' && { title: node.title }),
    text: node.text.slice(0, shownText),
    ...(typeof knowledge === 'string' && { knowledge }),
    ...(node.source !== '' && { source: node.source }),
    created: write(node.createdAt),
    updated: write(node.updatedAt),
    ...(node.validTo !== undefined && { expires: write(node.validTo) }),
    ...(node.supersededBy !== undefined && { superseded_by: node.supersededBy }),
    ...(node.forgottenAt !== undefined && { forgotten: write(node.forgottenAt) }),
  };
}

export function createActivityTool(context: MemoryContext) {
  return defineTool({
    name: 'activity',
    title: 'Activity',
    description: 'Count the changes and uses of this project by day, author and action.',
    effect: 'read',
    scope: 'page',
    input: s.object({ days: s.withDefault(s.integer({ min: 1, max: 3_660 }), 90) }),
    output: s.object({
      since: s.string(),
      changes: s.list(s.object({ day: s.string(), actor: s.string(), action: s.string(), count: s.integer() })),
      uses: s.list(s.object({ day: s.string(), actor: s.string(), action: s.oneOf(useActions), count: s.integer() })),
    }),
    async run({ days }, call) {
      const { opened, projects } = await context.open(call);
      const [{ countChanges }, { countUses }] = await Promise.all([
        import('../../graph/timeline.ts'),
        import('../../graph/usage.ts'),
      ]);
      const since = (Math.floor(opened.graph.now() / dayMs) - days + 1) * dayMs;
      const changes = await countChanges(opened, projects, since);
      const uses = await countUses(opened, projects, since);
      const write = (at: number) => new Date(at).toISOString().slice(0, 10);
      return {
        since: write(since),
        changes: changes.map((one) => ({ ...one, day: write(one.day) })),
        uses: uses.map((one) => ({ ...one, day: write(one.day) })),
      };
    },
    render: ({ changes, uses }) =>
      [...changes, ...uses].map(({ day, actor, action, count }) => `${day}: ${actor}, ${action} ${count}`).join('\n') ||
      'No changes.',
  });
}
