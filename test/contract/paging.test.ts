// Tools that list or search return everything, page by page, each entry once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sqlite } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

const folder = createFolder('paging');
let services: Services;

beforeAll(async () => {
  services = await openServices(sqlite, folder);
  const { id } = (await services.call('remember', { content: 'The lighthouse has a keeper.' })) as { id: string };
  const project = (await services.opened.graph.get(id))?.project as string;
  // One preference below more facts than a page is read from.
  const memories = Array.from({ length: 449 }, (_, at) => ({
    project,
    kind: 'memory',
    text: `Fact number ${at} about the lighthouse.`,
    data: { kind: at === 0 ? 'preference' : 'semantic', knowledge: 'note' },
  }));
  await services.opened.graph.put(memories, 'test', { mentions: false });
  await services.call('collection_create', { collection_name: 'docs' });
  for (let at = 0; at < 12; at++) {
    await services.call('checkpoint_save', { content: `Lighthouse, step ${at}: the lamp is half done.` });
    const content = `# Lighthouse ${at}\n\nThe lighthouse has ${at} lamps.`;
    await services.call('collection_ingest', { collection_name: 'docs', content, title: `page ${at}` });
  }
});
afterAll(() => services.close());

async function readAll(tool: string, list: string, args: object): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: unknown; ; ) {
    const page = await services.call(tool, { ...args, ...(cursor !== undefined && { cursor }) });
    ids.push(...(page[list] as { id: string }[]).map(({ id }) => id));
    cursor = page.next_cursor;
    if (cursor === undefined) return ids;
  }
}

it.each([
  ['recent', 'memories', { limit: 100 }, 450],
  ['recent', 'memories', { limit: 100, budget_tokens: 500 }, 450],
  ['recent', 'memories', { limit: 1, kinds: ['preference'] }, 1],
  ['checkpoint_list', 'checkpoints', { limit: 5 }, 12],
  ['checkpoint_search', 'checkpoints', { query: 'lighthouse lamp', limit: 5 }, 12],
  ['collection_search', 'chunks', { query: 'lighthouse lamps', limit: 5 }, 12],
  ['collection_search', 'chunks', { query: 'lighthouse lamps', limit: 5, budget_tokens: 60 }, 12],
])('%s returns all %s with %j', async (tool, list, args, count) => {
  const ids = await readAll(tool, list, args);
  expect([ids.length, new Set(ids).size]).toEqual([count, count]);
});

it.each(['recent', 'checkpoint_search', 'collection_search'])('%s refuses a cursor of another tool', async (tool) => {
  await expect(services.call(tool, { query: 'x', cursor: 'abc' })).rejects.toMatchObject({
    details: { path: expect.stringMatching(/cursor|query/) },
  });
});
