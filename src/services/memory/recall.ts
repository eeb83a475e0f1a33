// recall: returns memories for a question, best first, within the token budget; a cursor returns the rest. An id instead of
// a question returns that node in full. If nothing is relevant, it says so and names the nearest memory.
import { isCount, readCursor, writeCursor } from '../../core/cursor.ts';
import { rankArgument, readRank } from '../../core/rank-mode.ts';
import * as s from '../../core/schema.ts';
import { fenceAsData } from '../../core/text/fence.ts';
import { defineTool } from '../../core/tool.ts';
import type { Node } from '../../graph/node.ts';
import { askAboutRelated, resolveProjects, type Scope } from '../../graph/project/scope.ts';
import type { MemoryContext } from './context.ts';
import { readFullEntry, wholeShape } from './full-entry.ts';
import { memoryKinds } from './kinds.ts';
import { type MemoryView, memoryShape, viewMemory } from './memory.ts';
import type { RecalledMemory } from './search-memories.ts';
import { fenceMemories, takeFitting } from './show/show.ts';
import { fenceWhole } from './show/show-entry.ts';
import { nothingKnown, nothingRelevant, showRecalled } from './show/show-recalled.ts';
import { readTimeArgument } from './time/time-argument.ts';

const recalled = s.object({
  ...memoryShape,
  score: s.number(),
  state: s.optional(s.oneOf(['fresh', 'stale', 'gone'], { description: 'Of the code it cites' })),
  why: s.optional(s.string()),
});

const answer = s.object({
  memories: s.list(recalled),
  nearest: s.optional(s.object({ id: s.string(), text: s.string() })),
  time: s.optional(s.string()),
  notice: s.optional(s.string()),
  next_cursor: s.optional(s.string()),
  whole: s.optional(wholeShape),
});

export function createRecallTool(context: MemoryContext) {
  return defineTool({
    name: 'recall',
    title: 'Recall',
    description:
      'Search what earlier sessions and other agents learned about this project. Ask in plain words, before searching files or guessing. Pass an id, or key: and a key, as the query to read that entry in full.',
    effect: 'read',
    page: 'opens',
    preloaded: true,
    core: true,
    examples: [
      ['lore recall "when do we deploy?"', 'ask in plain words'],
      ['lore recall deploy --since "last week" --tags release', 'newer memories with this tag'],
      ['lore recall deploy --as-of 2026-01-31', 'what was known then'],
    ],
    input: s.object({
      query: s.string({ min: 1, max: 20_000 }),
      limit: s.withDefault(s.integer({ min: 1, max: 50 }), 10),
      kinds: s.optional(s.list(s.oneOf(memoryKinds))),
      tags: s.optional(s.list(s.string(), { description: 'Tags it must have' })),
      since: s.optional(s.string({ description: 'Date, or "last week"' })),
      until: s.optional(s.string({ description: 'Like since; inclusive' })),
      as_of: s.optional(s.string({ description: 'Memories valid at that time' })),
      project: s.optional(s.string({ description: 'Another project, or "all"' })),
      user: s.withDefault(s.boolean({ description: 'Only memories about the user' }), false),
      budget_tokens: s.withDefault(s.integer({ min: 50, max: 100_000 }), 2_000),
      cursor: s.optional(s.string()),
      explain: s.withDefault(s.boolean(), false),
      rank: rankArgument,
    }),
    output: answer,
    async run(args, call) {
      const scope = await context.open(call, args);
      const now = scope.opened.graph.now();
      const cursor = args.cursor === undefined ? undefined : readCursor(args.cursor, checkPlace);
      const offset = cursor?.offset ?? 0;
      const { query: given, project, budget_tokens: budgetTokens, explain: earlier } = args;
      const whole = await readFullEntry(scope, { given, project, offset, budgetTokens, earlier });
      if (whole) {
        context.used(call, scope, [whole], 'recalled');
        const end = whole.offset + whole.text.length;
        return { memories: [], whole, ...(end < whole.length && { next_cursor: writeCursor(now, end) }) };
      }
      const asOf = readTimeArgument(args.as_of, 'as_of', now);
      const rank = cursor?.rank ?? (scope.opened.graph.openDeep(args.rank) ? 'deep' : 'fast');
      const { readRanked, searchMemories } = await import('./search-memories.ts');
      const { memories, nearest, time } = await searchMemories(scope.opened.graph, {
        query: args.query,
        projects: args.project === undefined ? scope.withUser : await resolveProjects(scope, args.project),
        kinds: args.kinds,
        tags: args.tags,
        since: readTimeArgument(args.since, 'since', now),
        until: readTimeArgument(args.until, 'until', now),
        asOf,
        rank,
      });
      // Memories stored after the first page would shift the others. Some may have a clock that is ahead.
      const newest = memories.reduce((latest, { node }) => Math.max(latest, node.createdAt), now);
      const at = cursor?.at ?? newest;
      const unchanged = memories.filter(({ node }) => node.createdAt <= at);
      const { markOutdated } = await import('./outdated.ts');
      const { ranked: stable, outdatedBy } = await markOutdated(scope.opened, unchanged, { now, asOf });
      const shown = await readRanked(scope.opened.graph, stable.slice(offset, offset + args.limit));
      const page = await Promise.all(
        shown.map(async (memory) => {
          const newer = outdatedBy.get(memory.node.id);
          const view = await show(scope, memory, args.explain);
          return newer === undefined ? view : { ...view, may_be_outdated_by: newer };
        }),
      );
      await nameProjects(scope, page);
      const kept = takeFitting(page, args.budget_tokens, args.query);
      context.used(call, scope, kept, 'recalled');
      const next = offset + kept.length;
      const [near] = nearest ? await readRanked(scope.opened.graph, [nearest]) : [];
      const notice = kept.length === 0 && project === undefined ? askAboutRelated(scope) : undefined;
      return {
        memories: kept,
        ...(near && { nearest: { id: near.node.id, text: nameSubject(near.node) } }),
        ...(notice !== undefined && { notice }),
        ...(time && { time: time.phrase }),
        ...(next < stable.length && kept.length > 0 && { next_cursor: writeCursor(at, next, rank) }),
      };
    },
    render({ memories, nearest, whole, time, notice, next_cursor: next }) {
      if (whole) return fenceWhole(whole, next);
      if (memories.length === 0) {
        const near = nearest && fenceAsData([{ ...nearest, label: 'nearest' }]);
        return [near ? nothingRelevant : nothingKnown, near, notice].filter((line) => line !== undefined).join('\n');
      }
      const lines = [fenceMemories(memories)];
      if (time !== undefined) lines.unshift(`Memories of "${time}" are preferred.`);
      if (next !== undefined) lines.push(`There are more: cursor ${next}`);
      return lines.join('\n');
    },
    show: showRecalled,
  });
}

async function show(scope: Scope, { node, found, score }: RecalledMemory, explain: boolean) {
  const state = await judge(scope, node);
  return {
    ...viewMemory(node, scope.projects),
    score: Math.round(score * 1000) / 1000,
    ...(state && { state }),
    ...(explain && {
      importance: node.importance,
      why: `words ${found.match.toFixed(2)} (of the query ${percent(found.coverage)}), meaning ${found.likeness.toFixed(2)} (cosine ${found.cosine.toFixed(2)})`,
    }),
  };
}

async function nameProjects({ opened }: Scope, memories: MemoryView[]): Promise<void> {
  const foreign = memories.filter(({ project }) => project !== undefined && project !== 'user');
  if (foreign.length === 0) return;
  const { listKnown } = await import('../../graph/project/list.ts');
  const names = new Map((await listKnown(opened)).flatMap(({ name, members }) => members.map((id) => [id, name])));
  for (const memory of foreign) memory.project_name = names.get(memory.project ?? '');
}

/** The first words of a memory's subject. */
function nameSubject({ title, text }: Node): string {
  const subject = (title === '' ? text : title).replace(/\s+/g, ' ').trim();
  return subject.length <= longestSubject ? subject : `${subject.slice(0, longestSubject).replace(/\s\S*$/, '')} …`;
}

const longestSubject = 80;

const percent = (share: number) => `${Math.round(share * 100)} %`;

/** Only code in the caller's own project can be checked. */
async function judge({ project, projects }: Scope, node: Node) {
  if (!projects.includes(node.project)) return undefined;
  const { stateOf } = await import('./cite/citation-state.ts');
  return stateOf(node, project.root);
}

function checkPlace(at: unknown, offset: unknown, rank: unknown) {
  return isCount(at) && isCount(offset) ? { at, offset, rank: readRank(rank) } : undefined;
}
