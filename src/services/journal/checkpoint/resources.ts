// Checkpoints as resources: the latest, and each by its id.
import type { Resource, ResourceTemplate } from '../../../core/service.ts';
import type { Desk } from '../desk.ts';
import { dataOf } from './checkpoint.ts';
import { findCheckpoint } from './find.ts';
import { findLatest } from './latest.ts';

const mimeType = 'text/markdown';

export function createCheckpointResources(desk: Desk): Resource[] {
  const uri = 'lore://checkpoint';
  return [
    {
      uri,
      name: 'checkpoint',
      title: 'The latest checkpoint',
      description: 'The checkpoint to resume from.',
      mimeType,
      async read(call) {
        const scope = await desk.open(call);
        const latest = await findLatest(scope);
        const node = latest && (await scope.opened.graph.get(latest.checkpoint.id));
        return [{ uri, mimeType, text: node?.text ?? 'There is no checkpoint yet.' }];
      },
    },
  ];
}

export function createCheckpointTemplates(desk: Desk): ResourceTemplate[] {
  return [
    {
      uriTemplate: 'lore://checkpoint/{id}',
      name: 'checkpoint_by_id',
      title: 'A checkpoint',
      description: 'One checkpoint by its id, whole.',
      mimeType,
      async read({ id = '' }, uri, call) {
        const node = await findCheckpoint(await desk.open(call), id);
        return [{ uri, mimeType, text: `# ${dataOf(node).name}\n\n${node.text}` }];
      },
    },
  ];
}
