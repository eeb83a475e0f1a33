// checkpoint_list: the newest first, page by page, without their whole texts.
import { checkPosition, readCursor, writeCursor } from '../../../core/cursor.ts';
import * as s from '../../../core/schema.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import { defineTool } from '../../../core/tool.ts';
import { listTitled } from '../../../graph/survey.ts';
import type { JournalContext } from '../context.ts';
import { type CheckpointView, checkpointKind, checkpointShape, labelCheckpoint, viewCheckpoint } from './checkpoint.ts';
import { findLatest } from './latest.ts';
import { showCheckpoints } from './show.ts';

const nothing = 'There are no checkpoints.';

export function createListTool(context: JournalContext) {
  return defineTool({
    name: 'checkpoint_list',
    title: 'List checkpoints',
    description: 'List the checkpoints of this project, newest first.',
    effect: 'read',
    page: 'opens',
    examples: [
      ['lore checkpoint list', 'newest first'],
      ['lore checkpoint list --limit 3', 'only three'],
    ],
    input: s.object({
      project_path: s.optional(s.string({ min: 1, max: 4_096 })),
      limit: s.withDefault(s.integer({ min: 1, max: 100 }), 20),
      cursor: s.optional(s.string({ max: 200 })),
      latest: s.withDefault(s.boolean({ description: 'Only checkpoints that checkpoint_resume would offer' }), false),
    }),
    output: s.object({ checkpoints: s.list(s.object(checkpointShape)), next_cursor: s.optional(s.string()) }),
    async run({ project_path: folder, limit, cursor, latest }, call) {
      const before = cursor === undefined ? undefined : readCursor(cursor, checkPosition);
      const scope = await context.open(call, folder);
      if (latest) {
        const { checkpoint, automatic } = (await findLatest(scope)) ?? {};
        return { checkpoints: [checkpoint, automatic].filter((node) => node !== undefined).map(viewCheckpoint) };
      }
      const { opened, projects } = scope;
      const asked = { projects, kind: checkpointKind, limit: limit + 1, now: opened.graph.now(), before };
      const found = await listTitled(opened.store, asked);
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        checkpoints: page.map(viewCheckpoint),
        ...(found.length > limit && last && { next_cursor: writeCursor(last.createdAt, last.id) }),
      };
    },
    render({ checkpoints, next_cursor: next }) {
      if (checkpoints.length === 0) return nothing;
      return [fenceCheckpoints(checkpoints), ...(next === undefined ? [] : [`There are more: cursor ${next}`])].join(
        '\n',
      );
    },
    show: ({ checkpoints }, style) => (checkpoints.length === 0 ? nothing : showCheckpoints(checkpoints, style)),
  });
}

function fenceCheckpoints(checkpoints: readonly CheckpointView[]): string {
  return fenceAsData(
    checkpoints.map((view) => ({ id: view.id, label: labelCheckpoint(view), text: view.summary || view.name })),
  );
}
