// Switching to another embedder survives a kill at any time: nothing is lost, nothing is done twice, and the next process
// continues where it stopped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openGraph } from '../../src/graph/open.ts';
import { openStore } from '../../src/store/open.ts';
import { sql } from '../../src/store/sql.ts';
import { bundle } from '../support/bundle.ts';
import { createDatabase, hasPostgres } from '../support/databases.ts';
import { startEmbeddingEndpoint } from '../support/embedding-endpoint.ts';
import { createFolder } from '../support/folder.ts';

const documents = 700;
const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

async function survive(location: string): Promise<void> {
  const endpoint = await startEmbeddingEndpoint();
  ending.push(endpoint.close);
  const before = await openGraph(location);
  const facts = Array.from({ length: documents }, (_, n) => ({ project: 'p', kind: 'memory', text: `fact${n} is so` }));
  await before.graph.put(facts, 'ann');
  await before.close();

  const program = await bundle('test/crash/embedder.ts', { format: 'esm', packages: 'external' });
  const child = spawn(process.execPath, [program, location, endpoint.url], { stdio: ['ignore', 'ignore', 'inherit'] });
  ending.push(async () => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  // In the third round of 128: some are done, some are under way.
  endpoint.reply = (_, count) => {
    if (count < 11) return undefined;
    child.kill('SIGKILL');
    return 'silence';
  };
  await ended;
  endpoint.reply = () => undefined;

  const store = await openStore(location);
  const count = async () =>
    (await store.all<{ model: string; n: number }>(sql`select model, count(*) as n from document group by model`)).map(
      ({ model, n }) => [model.split('/')[1] ?? 'table', Number(n)],
    );
  expect((await count()).sort()).toEqual([
    ['far', 256],
    ['table', documents - 256],
  ]);
  // The time of the lease that the dead one held has run out.
  await store.run(sql`update lease set until = 0`);
  const asked = endpoint.requests.flatMap(({ body }) => body.input).length;
  const { graph, embedding, close } = await openGraph(location, {
    endpoint: { url: endpoint.url, model: 'far', key: '', dimensions: 0, timeoutMs: 2_000 },
  });
  ending.push(close);
  await expect.poll(async () => (await embedding.measure()).remaining).toBe(0);
  expect(await count()).toEqual([['far', documents]]);
  expect(endpoint.requests.flatMap(({ body }) => body.input).length - asked).toBeLessThanOrEqual(documents - 256 + 1);
  for (const n of [0, 255, 256, documents - 1]) {
    const [found] = await graph.find({ query: `fact${n}`, projects: ['p'] });
    expect(found?.node.text).toBe(`fact${n} is so`);
  }
  await store.close();
}

describe('a process that is killed while it embeds', () => {
  it('loses nothing on SQLite', async () => {
    await survive(join(createFolder('reembed'), 'lore.db'));
  });

  it.skipIf(!hasPostgres)('loses nothing on PostgreSQL', async () => {
    await survive(await createDatabase());
  });
});
