// Checkpoints as resources: the latest, and each by its id.
import type { Resource, ResourceTemplate } from '../../../core/service.ts';
import { listTitled } from '../../../graph/survey.ts';
import type { Desk } from '../desk.ts';
import { checkpointKind, dataOf } from './checkpoint.ts';
import { getCheckpoint } from './resume.ts';

const mimeType = 'text/markdown';

export function createCheckpointResources(desk: Desk): Resource[] {
  const uri = 'lore://checkpoint';
  return [
    {
      uri,
      name: 'checkpoint',
      title: 'The latest checkpoint',
      description: 'Where the work stood last.',
      mimeType,
      async read(call) {
        const { opened, project } = await desk.open(call);
        const [latest] = await listTitled(opened.store, {
          project: project.id,
          kind: checkpointKind,
          limit: 1,
          at: opened.graph.now(),
        });
        const node = latest && (await opened.graph.get(latest.id));
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
        const node = await getCheckpoint(await desk.open(call), id);
        return [{ uri, mimeType, text: `# ${dataOf(node).name}\n\n${node.text}` }];
      },
    },
  ];
}
