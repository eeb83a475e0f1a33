// What ingesting promises while others ingest, search or stop it, over each database.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countNodes } from '../../src/graph/census.ts';
import { identifyFolder } from '../../src/graph/project/project.ts';
import { ingest as work } from '../../src/services/journal/collection/ingesting.ts';
import { createServiceDatabases } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

const databases = createServiceDatabases();

describe.each(databases)('ingesting on $name', (database) => {
  let services: Services;
  let folder: string;
  let collection: string;
  beforeEach(async () => {
    folder = createFolder('project');
    services = await openServices(database, folder);
    await services.call('collection_create', { collection_name: 'docs' });
    const [node] = await services.opened.graph.recent([identifyFolder(folder).claim], ['collection'], 1);
    collection = String(node?.id);
  });
  afterEach(() => services.close());
  afterAll(() => database.stop?.());

  const ingest = (rest: object) => services.call('collection_ingest', { collection_name: 'docs', ...rest });
  const search = async (query: string) =>
    (await services.call('collection_search', { query, limit: 50, budget_tokens: 100_000 })).chunks as {
      text: string;
    }[];
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const inputOf = () => ({ collection, collection_name: 'docs', actor: 'a', root: folder, folder: '' });

  it('ingests the same folder twice at once without duplicates', async () => {
    for (let n = 0; n < 30; n++) write(`d${n}.md`, `# Walrus ${n}\n\n${`Walrus number ${n} likes clams. `.repeat(60)}`);
    const input = inputOf();
    const doing = (by: string) => ({ by, signal: new AbortController().signal, report: async () => {} });
    const both = await Promise.all([
      work(services.opened, input, doing('one')),
      work(services.opened, input, doing('two')),
    ]);
    expect(both.map(({ added, unchanged }) => added + unchanged)).toEqual([30, 30]);
    expect(both.reduce((sum, { added }) => sum + added, 0)).toBe(30);
    expect(await countNodes(services.opened, [collection], 'document')).toBe(30);
    const found = await search('walrus clams');
    expect(new Set(found.map(({ text }) => text)).size).toBe(found.length);
    expect(await services.call('collection_list')).toMatchObject({
      collections: [{ documents: 30, chunks: both[0].chunks }],
    });
  });

  it('shows the old version or the new one while it is replaced, never both or neither', async () => {
    const text = (edition: number) => `# Walrus\n\n${`Edition ${edition} of the walrus. `.repeat(1_500)}`;
    await ingest({ content: text(0), title: 'w' });
    let writing = true;
    const writer = (async () => {
      for (let edition = 1; edition <= 8; edition++) await ingest({ content: text(edition), title: 'w' });
      writing = false;
    })();
    const seen = new Set<string>();
    while (writing) {
      await nextTurn();
      const found = await search('walrus edition');
      const editions = new Set(found.flatMap(({ text: one }) => one.match(/Edition \d/g) ?? []));
      expect([...editions]).toHaveLength(1);
      expect(found.length).toBeGreaterThanOrEqual(25);
      seen.add([...editions].join());
    }
    await writer;
    expect(seen.size).toBeGreaterThan(1);
  });

  it('continues where it was stopped', async () => {
    for (let n = 0; n < 120; n++) write(`d${n}.md`, `# Walrus ${n}\n\nWalrus number ${n} likes clams.`);
    const input = inputOf();
    const stopping = new AbortController();
    const report = async (done: number) => {
      if (done >= 50) stopping.abort();
    };
    await expect(work(services.opened, input, { by: 'op', signal: stopping.signal, report })).rejects.toThrow();
    const done = await countNodes(services.opened, [collection], 'document');
    expect(done).toBeGreaterThanOrEqual(50);
    expect(done).toBeLessThan(120);
    const { signal } = new AbortController();
    const ended = await work(services.opened, input, { by: 'op', signal, report: async () => {} });
    expect(ended).toMatchObject({ added: 120, replaced: 0, unchanged: 0, gone: 0, chunks: 120 });
    expect(await countNodes(services.opened, [collection], 'chunk')).toBe(120);
  });

  it('stops when it is cancelled, with complete documents', async () => {
    for (let n = 0; n < 300; n++)
      write(`d${n}.md`, `# Walrus ${n}\n\n${`Walrus number ${n} likes clams. `.repeat(90)}`);
    const { operations, worker } = services.opened;
    const refused = expect(ingest({ path: '.' })).rejects.toMatchObject({ word: 'unavailable' });
    const latest = async () => (await operations.recent([identifyFolder(folder).claim], 1))[0];
    await expect.poll(async () => (await latest())?.done ?? 0, { interval: 1 }).toBeGreaterThan(0);
    const id = (await latest())?.id as string;
    expect(await operations.cancel(id)).toBe(true);
    await worker.idle();
    await refused;
    expect(await operations.get(id)).toMatchObject({ state: 'cancelled' });
    const documents = await countNodes(services.opened, [collection], 'document');
    expect(documents).toBeGreaterThan(0);
    expect(documents).toBeLessThan(300);
    expect(await services.call('collection_list')).toMatchObject({ collections: [{ documents }] });
  });
});
