// stats: counts memories by kind, and their problems.
import * as s from '../../core/schema.ts';
import { alignCounts, countOf, type Style } from '../../core/text/terminal.ts';
import { defineTool } from '../../core/tool.ts';
import type { MemoryContext } from './context.ts';

const counts = s.record(s.integer({ min: 0 }));

const outcome = s.object({
  memories: s.integer({ min: 0 }),
  kinds: counts,
  knowledge: counts,
  superseded: s.integer({ min: 0 }),
  forgotten: s.integer({ min: 0 }),
  hygiene: s.object({
    expired: s.integer({ min: 0 }),
    passed: s.integer({ min: 0 }),
    duplicates: s.integer({ min: 0 }),
    stale: s.integer({ min: 0 }),
    never_recalled: s.integer({ min: 0 }),
    secrets_refused: s.integer({ min: 0 }),
  }),
});

export function createStatsTool(context: MemoryContext) {
  return defineTool({
    name: 'stats',
    title: 'Memory statistics',
    description: 'Count the memories of this project by kind and knowledge, and what cleanup would remove.',
    effect: 'read',
    page: 'opens',
    examples: [
      ['lore stats', 'memories of this project'],
      ['lore stats --user', 'memories about you'],
    ],
    input: s.object({ user: s.withDefault(s.boolean({ description: 'Memories about the user only' }), false) }),
    output: outcome,
    async run({ user }, call) {
      const { findProblems } = await import('./problems.ts');
      const {
        counts: found,
        expired,
        passed,
        duplicates,
        stale,
      } = await findProblems(await context.open(call, { user }));
      const { never_recalled, secrets_refused, ...rest } = found;
      return {
        ...rest,
        hygiene: {
          expired: expired.length,
          passed: passed.length,
          duplicates: duplicates.length,
          stale: stale.length,
          never_recalled,
          secrets_refused,
        },
      };
    },
    render({ memories, kinds, knowledge, superseded, forgotten, hygiene }) {
      return [
        `${memories} memories (${list(kinds)}); ${list(knowledge)}`,
        `${superseded} superseded, ${forgotten} forgotten`,
        `Hygiene: ${list(hygiene, true)}`,
      ].join('\n');
    },
    show: showStats,
  });
}

function showStats(
  { memories, kinds, knowledge, superseded, forgotten, hygiene }: s.Infer<typeof outcome>,
  style: Style,
) {
  const { never_recalled, secrets_refused, expired, passed, duplicates, stale } = hygiene;
  // With the names of the strategies. A memory whose cited code has only changed is not counted; recall marks it.
  const cleanable = { expired, 'outdated (passed)': passed, duplicates, 'citing deleted code (stale)': stale };
  const section = (title: string, numbers: Readonly<Record<string, number>>) => {
    const rows = alignCounts(numbers);
    return rows.length === 0 ? [] : ['', style.bold(title), ...rows];
  };
  return [
    style.bold(countOf(memories, 'memory', 'memories')),
    style.dim(`${superseded} superseded, ${forgotten} forgotten`),
    ...section('By kind', withoutZeros(kinds)),
    ...section('By knowledge', withoutZeros(knowledge)),
    ...section('What lore cleanup would forget', cleanable),
    ...section('Other', { never_recalled, secrets_redacted: secrets_refused }),
  ].join('\n');
}

function withoutZeros(numbers: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(numbers).filter(([, count]) => count > 0));
}

function list(numbers: Readonly<Record<string, number>>, all = false): string {
  const shown = all ? numbers : withoutZeros(numbers);
  return (
    Object.entries(shown)
      .map(([name, count]) => `${name.replaceAll('_', ' ')} ${count}`)
      .join(', ') || 'none'
  );
}
