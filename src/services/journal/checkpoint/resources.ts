// Checkpoints as resources: the latest, and each by its id.

import type { Resource, ResourceTemplate } from '../../../core/service.ts';
import { fenceAsData } from '../../../core/text/fence.ts';
import type { Node } from '../../../graph/node.ts';
import { requireWholeId } from '../../../graph/resolve-id.ts';
import type { JournalContext } from '../context.ts';
import { labelCheckpoint, viewCheckpoint } from './checkpoint.ts';
import { findCheckpoint } from './find.ts';
import { findLatest } from './latest.ts';

const mimeType = 'text/markdown';
const permission = 'checkpoint_resume';

export function createCheckpointResources(context: JournalContext): Resource[] {
  const uri = 'lore://checkpoint';
  return [
    {
      uri,
      name: 'checkpoint',
      title: 'The latest checkpoint',
      description: 'The checkpoint to resume from.',
      permission,
      mimeType,
      async read(call) {
        const scope = await context.open(call);
        const latest = await findLatest(scope);
        const node = latest && (await scope.opened.graph.get(latest.checkpoint.id));
        return [{ uri, mimeType, text: node ? fence(node) : 'There is no checkpoint yet.' }];
      },
    },
  ];
}

/** Clients pass resources to their model, so the text is fenced as data, as in a tool's result. */
function fence(node: Node): string {
  return fenceAsData([{ id: node.id, label: labelCheckpoint(viewCheckpoint(node)), text: node.text }]);
}

export function createCheckpointTemplates(context: JournalContext): ResourceTemplate[] {
  return [
    {
      uriTemplate: 'lore://checkpoint/{id}',
      name: 'checkpoint_by_id',
      title: 'A checkpoint',
      description: 'A checkpoint by its id, in full.',
      permission,
      mimeType,
      async read({ id = '' }, uri, call) {
        const node = await findCheckpoint(await context.open(call), id);
        return [{ uri, mimeType, text: fence(node) }];
      },
      async watch({ id = '' }, uri, call) {
        requireWholeId(uri, id, await findCheckpoint(await context.open(call), id));
        return undefined;
      },
    },
  ];
}
