// The deep ranking through the tools, with the bundled model: the text that answers the question is first, and pages have each result once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sqlite } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

const question = 'Where did Maria go on holiday last summer?';
const answer = 'Maria: We spent two weeks in Portugal in July, it was lovely!';
/** A checkpoint is read with its name, which repeats it: there the lead of an answer without a common meaning is too small. */
const plainer = 'Maria: We spent our vacation in Portugal, two weeks in July, it was lovely!';
const others = [
  'John: Where is the calendar of the team, Maria?',
  'John: I bought a new car yesterday.',
  'Maria: The parking rules did not change last year.',
  'John: The garage is closed in summer.',
];
let services: Services;

beforeAll(async () => {
  services = await openServices(sqlite, createFolder('deep'), {
    rank: () => ({ mode: 'deep', budgetMs: 60_000 }),
  });
  await services.call('collection_create', { collection_name: 'talks' });
  for (const [at, content] of [...others, answer].entries()) {
    await services.call('remember', { content });
    await services.call('checkpoint_save', { content: content === answer ? plainer : content });
    await services.call('collection_ingest', { collection_name: 'talks', content, title: `talk ${at}` });
  }
});
afterAll(() => services.close());

it.each([
  ['recall', 'memories'],
  ['query_context', 'nodes'],
  ['collection_search', 'chunks'],
  ['checkpoint_search', 'checkpoints'],
])('%s puts the answer first', async (tool, list) => {
  const kinds = tool === 'query_context' ? { kinds: ['memory'] } : {};
  const found = (await services.call(tool, { query: question, ...kinds }))[list] as object[];
  expect(JSON.stringify(found[0])).toContain('Portugal');
});

it.each([
  ['recall', 'memories'],
  ['collection_search', 'chunks'],
  ['checkpoint_search', 'checkpoints'],
])('%s returns each result once, page by page', async (tool, list) => {
  const all = (await services.call(tool, { query: question, limit: 50 }))[list] as { id: string }[];
  const paged: string[] = [];
  for (let cursor: unknown; ; ) {
    // The mode of the first page is that of the others.
    const args = { query: question, limit: 2, rank: cursor === undefined ? 'deep' : 'fast' };
    const page = await services.call(tool, { ...args, ...(cursor !== undefined && { cursor }) });
    paged.push(...(page[list] as { id: string }[]).map(({ id }) => id));
    cursor = page.next_cursor;
    if (cursor === undefined) break;
  }
  expect(paged).toEqual(all.map(({ id }) => id));
});
