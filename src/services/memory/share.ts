// memory_share: lets a memory leave this database, after the user agreed. The next sync sends it; nothing is sent here.
import { askForm, type Call } from '../../core/call.ts';
import { LoreError } from '../../core/error.ts';
import * as s from '../../core/schema.ts';
import { fenceAsData } from '../../core/text/fence.ts';
import { defineTool } from '../../core/tool.ts';
import type { Node } from '../../graph/node.ts';
import { getOwn } from '../../graph/project/scope.ts';
import { idArgument } from '../../graph/resolve-id.ts';
import { levels, type SharedLevel, sharedLevels } from '../../graph/share/level.ts';
import type { MemoryContext } from './context.ts';

const outcome = s.object({
  id: s.string(),
  level: s.oneOf(levels),
  bytes: s.optional(s.string({ description: 'What would be sent' })),
});

export function createShareTool(context: MemoryContext) {
  return defineTool({
    name: 'memory_share',
    title: 'Share a memory',
    description:
      "Share a memory with the project's team, or with the user's other machines, at the next sync. The user is asked first.",
    effect: 'write',
    examples: [
      ['lore memory share n_mwiczb6s4 --dry-run', 'print what would be sent'],
      ['lore share n_mwiczb6s4', 'the same tool, after a question'],
    ],
    audited: ({ id, level, bytes }: s.Infer<typeof outcome>) => (bytes === undefined ? { id, level } : undefined),
    idempotent: true,
    input: s.object({
      id: idArgument,
      level: s.withDefault(s.oneOf(sharedLevels), 'team'),
      undo: s.withDefault(s.boolean({ description: 'Take it back' }), false),
      dry_run: s.withDefault(s.boolean(), false),
    }),
    output: outcome,
    async run({ id: given, level, undo, dry_run: isDry }, call) {
      const scope = await context.open(call);
      const node = await getOwn(scope, given, 'share');
      const { id } = node;
      const { checkShare, openSharing, previewShare, shareMemory, unshareMemory } = await import(
        '../../graph/share/share.ts'
      );
      const { readAuthor } = await import('../../graph/share/destination.ts');
      const sharing = await openSharing(scope, level, await readAuthor());
      if (isDry) return { id, level: node.level, bytes: await previewShare(scope, node, sharing) };
      if (!undo) {
        checkShare(scope, node, level);
        await askToShare(call, node, level);
      }
      if (undo) await unshareMemory(scope, node);
      else await shareMemory(scope, node, sharing);
      scope.opened.changes.report(node);
      return { id, level: undo ? ('private' as const) : level };
    },
    render: ({ id, level, bytes }) =>
      bytes === undefined ? describeLevel(id, level) : fenceAsData([{ id, label: 'would be sent', text: bytes }]),
    show: ({ id, level, bytes }) => bytes ?? describeLevel(id, level),
  });
}

export function describeLevel(id: string, level: Node['level']): string {
  return level === 'private'
    ? `${id} is private again. The next sync removes it elsewhere.`
    : `${id} is shared with ${audience[level]}. It is sent by: lore sync now`;
}

const audience: Record<SharedLevel, string> = { team: "the project's team", mine: "the user's other machines" };

async function askToShare(call: Call, { text }: Node, level: SharedLevel): Promise<void> {
  // A person at a terminal or in the dashboard has chosen it.
  if (call.caller.scopes.includes('person')) return;
  const hint = 'A person can share it: lore share ID';
  if (!call.can('elicitation')) {
    throw new LoreError('forbidden', 'Cannot share the memory: this client cannot ask the user', { hint });
  }
  const question = askForm(`Share this memory with ${audience[level]}?\n${text}`, {
    type: 'object',
    properties: { share: { type: 'boolean', title: 'Share it' } },
    required: ['share'],
  });
  const { answer } = await call.ask({ answer: question });
  const content = answer.content as { share?: unknown } | undefined;
  if (answer.action === 'accept' && content?.share === true) return;
  throw new LoreError('forbidden', 'Cannot share the memory: the user did not agree', { hint });
}
