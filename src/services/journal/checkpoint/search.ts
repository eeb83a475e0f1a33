// checkpoint_search: finds earlier work by subject.
import { readCursor, writeCursor } from '../../../core/cursor.ts';
import { checkRanked, rankArgument } from '../../../core/rank-mode.ts';
import * as s from '../../../core/schema.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { defineTool } from '../../../core/tool.ts';
import type { Node } from '../../../graph/node.ts';
import { relevantFrom } from '../../../graph/survey.ts';
import type { JournalContext } from '../context.ts';
import { excerpt } from '../excerpt.ts';
import { checkpointKind, checkpointShape, dataOf, labelCheckpoint, viewCheckpoint } from './checkpoint.ts';
import { showCheckpoints } from './show.ts';

const nothing = 'No checkpoint matches.';

export function createSearchTool(context: JournalContext) {
  return defineTool({
    name: 'checkpoint_search',
    title: 'Search checkpoints',
    description: 'Search earlier work of this project by subject; resume one with checkpoint_resume.',
    effect: 'read',
    page: 'opens',
    examples: [['lore checkpoint search webhooks', 'by subject']],
    input: s.object({
      query: s.string({ min: 1, max: 20_000 }),
      project_path: s.optional(s.string({ min: 1, max: 4_096 })),
      limit: s.withDefault(s.integer({ min: 1, max: 50 }), 5),
      cursor: s.optional(s.string({ max: 200 })),
      rank: rankArgument,
    }),
    output: s.object({
      checkpoints: s.list(s.object({ ...checkpointShape, score: s.number(), excerpt: s.string() })),
      next_cursor: s.optional(s.string()),
    }),
    async run({ query, project_path: folder, limit, cursor, rank: asked }, call) {
      const place = cursor === undefined ? undefined : readCursor(cursor, checkRanked);
      const offset = place?.offset ?? 0;
      const { opened, projects } = await context.open(call, folder);
      const end = offset + limit;
      const { reordered, rerankFound } = await import('../../../graph/rerank.ts');
      const rank = place?.rank ?? (opened.graph.openDeep(asked) ? 'deep' : 'fast');
      const most = Math.max(end + 1, reordered);
      const found = await opened.graph.find({ query, projects, kinds: [checkpointKind], limit: most });
      const relevant = found
        .filter(({ relevance }) => relevance >= relevantFrom)
        .sort((a, b) => b.relevance - a.relevance);
      const deep = opened.graph.openDeep(rank);
      const first = deep ? await rerankFound(query, relevant.slice(0, reordered), deep) : [];
      const ordered = relevant.map(({ node, relevance }, at) => ({ node: first[at]?.node ?? node, relevance }));
      return {
        checkpoints: ordered.slice(offset, end).map(({ node, relevance }) => ({
          ...viewCheckpoint(node),
          score: Math.round(relevance * 1000) / 1000,
          excerpt: excerptBeside(node, query),
        })),
        ...(ordered.length > end && { next_cursor: writeCursor(end, rank) }),
      };
    },
    render({ checkpoints, next_cursor: next }) {
      if (checkpoints.length === 0) return nothing;
      const entries = checkpoints.map((view) => ({
        id: view.id,
        label: labelCheckpoint(view),
        text: [view.summary, view.excerpt].filter((part) => part !== '').join('\n') || view.name,
      }));
      return next === undefined ? fenceAsData(entries) : `${fenceAsData(entries)}\nThere are more: cursor ${next}`;
    },
    show: ({ checkpoints }, style) => (checkpoints.length === 0 ? nothing : showCheckpoints(checkpoints, style)),
  });
}

/** Empty if the summary already contains it: a short checkpoint is its own summary. */
function excerptBeside(node: Node, query: string): string {
  const passage = excerpt(node.text, query);
  const words = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  return words(dataOf(node).summary).includes(words(passage)) ? '' : passage;
}
