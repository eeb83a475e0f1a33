// checkpoint_search: finds earlier work by subject.

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
    examples: [['lore checkpoint search webhooks', 'by subject']],
    input: s.object({
      query: s.string({ min: 1, max: 20_000 }),
      project_path: s.optional(s.string({ min: 1, max: 4_096 })),
      limit: s.withDefault(s.integer({ min: 1, max: 50 }), 5),
    }),
    output: s.object({
      checkpoints: s.list(s.object({ ...checkpointShape, score: s.number(), excerpt: s.string() })),
    }),
    async run({ query, project_path: folder, limit }, call) {
      const { opened, projects } = await context.open(call, folder);
      const found = await opened.graph.find({ query, projects, kinds: [checkpointKind], limit });
      const relevant = found
        .filter(({ relevance }) => relevance >= relevantFrom)
        .sort((a, b) => b.relevance - a.relevance);
      return {
        checkpoints: relevant.map(({ node, relevance }) => ({
          ...viewCheckpoint(node),
          score: Math.round(relevance * 1000) / 1000,
          excerpt: excerptBeside(node, query),
        })),
      };
    },
    render: ({ checkpoints }) =>
      checkpoints.length === 0
        ? nothing
        : fenceAsData(
            checkpoints.map((view) => ({
              id: view.id,
              label: labelCheckpoint(view),
              text: [view.summary, view.excerpt].filter((part) => part !== '').join('\n') || view.name,
            })),
          ),
    show: ({ checkpoints }, style) => (checkpoints.length === 0 ? nothing : showCheckpoints(checkpoints, style)),
  });
}

/** Empty if the summary already contains it: a short checkpoint is its own summary. */
function excerptBeside(node: Node, query: string): string {
  const passage = excerpt(node.text, query);
  const words = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  return words(dataOf(node).summary).includes(words(passage)) ? '' : passage;
}
