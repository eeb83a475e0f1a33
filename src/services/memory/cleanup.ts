// cleanup: forgets memories that expired, are outdated, are duplicates or cite deleted code. It only lists them unless
// dry_run is false, and a cleanup can be undone as a whole.
import { LoreError } from '../../core/error.ts';
import { createId } from '../../core/id.ts';
import * as s from '../../core/schema.ts';
import { fenceAsData } from '../../core/text/fence.ts';
import { defineTool } from '../../core/tool.ts';
import { findChangedBy } from '../../graph/census.ts';
import type { Scope } from '../../graph/project/scope.ts';
import type { MemoryContext } from './context.ts';

const reasons = ['expired', 'passed', 'duplicates', 'stale'] as const;
const strategies = [...reasons, 'all'] as const;

/** Memories listed; all are counted. */
const shown = 20;

type Result = s.Infer<typeof result>;

const result = s.object({
  done: s.boolean(),
  count: s.integer({ min: 0 }),
  memories: s.list(s.object({ id: s.string(), text: s.string(), why: s.string() })),
  undo: s.optional(s.string({ description: 'Pass it to cleanup to restore them' })),
});

export function createCleanupTool(context: MemoryContext) {
  return defineTool({
    name: 'cleanup',
    title: 'Clean up memories',
    description:
      'Forget memories that expired, are outdated (passed), are duplicates or cite deleted code (stale). Only lists them unless dry_run is false.',
    effect: 'destroy',
    examples: [
      ['lore cleanup', 'list what would be forgotten'],
      ['lore cleanup --no-dry-run', 'forget it'],
      ['lore cleanup --strategy duplicates --no-dry-run', 'only duplicates'],
      ['lore cleanup --undo cleanup_mwiczb6s4', 'restore what a cleanup forgot'],
    ],
    input: s.object({
      dry_run: s.withDefault(s.boolean(), true),
      strategy: s.withDefault(s.oneOf(strategies), 'all'),
      user: s.withDefault(s.boolean({ description: 'Memories about the user only' }), false),
      undo: s.optional(s.string({ max: 100, description: 'From an earlier cleanup' })),
    }),
    output: result,
    async run({ dry_run: dryRun, strategy, user, undo }, call) {
      const scope = await context.open(call, { user });
      return undo === undefined ? cleanUp(context, scope, strategy, dryRun) : restoreAll(context, scope, undo);
    },
    render({ done, count, memories, undo }) {
      if (count === 0) return 'There is nothing to clean up.';
      const fenced = fenceAsData(memories.map(({ id, text, why }) => ({ id, label: why, text: text.slice(0, 120) })));
      return describeCleanup({ done, count, undo }, [fenced], {
        more: count - memories.length,
        how: 'cleanup with undo',
      });
    },
    show(result) {
      const { count, memories } = result;
      if (count === 0) return 'There is nothing to clean up.';
      const lines = memories.map(({ id, text, why }) => `- ${id} (${why}): ${text.slice(0, 120)}`);
      return describeCleanup(result, lines, { more: count - memories.length, how: 'lore cleanup --undo' });
    },
  });
}

function describeCleanup(
  { done, count, undo }: Pick<Result, 'done' | 'count' | 'undo'>,
  lines: readonly string[],
  { more, how }: { more: number; how: string },
): string {
  const head = undo === undefined && done ? 'Restored' : done ? 'Forgot' : 'Would forget';
  return [
    `${head} ${count}:`,
    ...lines,
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(undo === undefined ? [] : [`Undo: ${how} ${undo}`]),
  ].join('\n');
}

async function cleanUp(
  context: MemoryContext,
  scope: Scope,
  strategy: (typeof strategies)[number],
  dryRun: boolean,
): Promise<Result> {
  const { findProblems } = await import('./problems.ts');
  const found = await findProblems(scope);
  const doomed = reasons
    .filter((why) => strategy === 'all' || strategy === why)
    .flatMap((why) => found[why].map((node) => ({ id: node.id, text: node.text, why })));
  const unique = [...new Map(doomed.map((one) => [one.id, one])).values()];
  const summary = { count: unique.length, memories: unique.slice(0, shown) };
  if (dryRun || unique.length === 0) return { done: false, ...summary };
  const undo = createId('cleanup');
  for (const { id } of unique) await scope.opened.graph.forget(id, undo);
  context.changed(...unique.map(({ id }) => id));
  return { done: true, ...summary, undo };
}

async function restoreAll(context: MemoryContext, { opened, projects, actor }: Scope, undo: string): Promise<Result> {
  const ids = undo.startsWith('cleanup_') ? await findChangedBy(opened, projects, undo) : [];
  if (ids.length === 0) {
    throw new LoreError('not_found', `Cannot undo "${undo}": there was no such cleanup`);
  }
  for (const id of ids) await opened.graph.unforget(id, actor);
  context.changed(...ids);
  const nodes = await opened.graph.getAll(ids.slice(0, shown));
  const memories = nodes.map(({ id, text }) => ({ id, text, why: 'restored' }));
  return { done: true, count: ids.length, memories };
}
