// Memories as resources: the project's brief, the newest ones, and each by its id.
import { pageType, pageUri, readPage } from '../../core/page.ts';
import type { Resource, ResourceTemplate } from '../../core/service.ts';
import { getOwn } from '../../graph/project/scope.ts';
import { requireWholeId } from '../../graph/resolve-id.ts';
import { makeBrief, renderBrief } from './brief.ts';
import type { MemoryContext } from './context.ts';
import { type FullEntry, readFullEntry } from './full-entry.ts';
import { viewMemory } from './memory.ts';
import { fenceMemories } from './show/show.ts';
import { fenceWhole } from './show/show-entry.ts';

const mimeType = 'text/markdown';

/** Shown by hosts inside a chat, with the result of a tool. It has no data of its own. */
const page: Resource = {
  uri: pageUri,
  name: 'page',
  title: 'Results as a page',
  description: 'Shows the results of recall and other tools.',
  permission: 'recall',
  mimeType: pageType,
  read: async () => [
    { uri: pageUri, mimeType: pageType, text: readPage(), _meta: { ui: { csp: {}, prefersBorder: true } } },
  ],
};

export function createResources(context: MemoryContext): Resource[] {
  return [
    page,
    {
      uri: 'lore://project',
      name: 'project',
      title: 'Project overview',
      description: 'What is known about this project.',
      permission: 'project',
      mimeType,
      async read(call) {
        return [{ uri: 'lore://project', mimeType, text: renderBrief(await makeBrief(await context.open(call), 20)) }];
      },
    },
    {
      uri: 'lore://recent',
      name: 'recent',
      title: 'Recent memories',
      description: 'The newest memories of this project.',
      permission: 'recent',
      mimeType,
      async read(call) {
        const { opened, projects } = await context.open(call);
        const nodes = await opened.graph.recent(projects, ['memory'], 50);
        const text = fenceMemories(nodes.map((node) => viewMemory(node, projects)));
        return [{ uri: 'lore://recent', mimeType, text }];
      },
    },
  ];
}

export function createTemplates(context: MemoryContext): ResourceTemplate[] {
  return [
    {
      uriTemplate: 'lore://memory/{id}',
      name: 'memory',
      title: 'A memory',
      description: 'One memory by its id, with its history.',
      permission: 'recall',
      mimeType,
      async read({ id = '' }, uri, call) {
        const scope = await context.open(call);
        const { id: given } = await getOwn(scope, id, 'read memory');
        const options = { project: undefined, offset: 0, budgetTokens: Number.POSITIVE_INFINITY, earlier: true };
        const whole = (await readFullEntry(scope, { given, ...options })) as FullEntry;
        return [{ uri, mimeType, text: fenceWhole(whole, undefined) }];
      },
      async watch({ id = '' }, uri, call) {
        requireWholeId(uri, id, await getOwn(await context.open(call), id, 'subscribe to'));
        return undefined;
      },
    },
  ];
}
