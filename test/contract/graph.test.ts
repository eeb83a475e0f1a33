// What the graph promises, over each database.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createLog } from '../../src/core/log.ts';
import { storeTree } from '../../src/graph/derived/tree.ts';
import { type Embedder, Graph } from '../../src/graph/graph.ts';
import { holdMs, Operations } from '../../src/graph/operation/operation.ts';
import { createWorker } from '../../src/graph/operation/worker.ts';
import { graphMigrations } from '../../src/graph/tables.ts';
import { rankFrom, walkFrom } from '../../src/graph/walk.ts';
import { migrate } from '../../src/store/migrate.ts';
import { sql } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';
import { createDatabases } from '../support/databases.ts';

const databases = createDatabases();

/** Knows two meanings: animals and numbers. */
const embedder: Embedder = {
  id: 'toy',
  embed: (texts) =>
    texts.map((text) =>
      Int8Array.from([/cat|dog|pet|animal/.test(text) ? 100 : 0, /one|two|sum|math/.test(text) ? 100 : 0]),
    ),
};

describe.each(databases)('the graph on $name', (database) => {
  const opened: Store[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));
  afterAll(() => database.stop?.());

  async function open(options: { embedder?: Embedder; now?: () => number } = {}) {
    const store = await database.open();
    opened.push(store);
    await migrate(store, graphMigrations);
    return { store, graph: new Graph({ store, ...options }) };
  }

  const memory = (text: string, rest = {}) => ({ project: 'p', kind: 'memory', text, ...rest });
  const texts = (found: { node: { text: string } }[]) => found.map(({ node }) => node.text);

  it('stores a node unchanged', async () => {
    const { graph } = await open();
    const data = { nested: { list: [1, 'ä', null] } };
    const [node] = await graph.put(
      [memory('We deploy on Fridays.', { title: 'Deploys', data, importance: 0.9 })],
      'ann',
    );
    expect(await graph.get(node?.id as string)).toEqual(node);
    expect(node).toMatchObject({ title: 'Deploys', data, importance: 0.9, confidence: 1, validTo: undefined });
    expect(await graph.history(node?.id as string)).toMatchObject([{ actor: 'ann', action: 'put' }]);
    await expect(graph.put([memory('again', { id: node?.id })], 'ann')).rejects.toMatchObject({ word: 'conflict' });
  });

  it('does not show an operation as running after its process died', async () => {
    const { store } = await open();
    const operations = new Operations(store);
    const { id } = await operations.add('learn', 'p', {});
    await operations.claim(['learn'], 'first');
    expect(await operations.get(id)).toMatchObject({ state: 'running' });
    await store.run(sql`update operation set held_until = held_until - ${holdMs} - 1`);
    expect(await operations.get(id)).toMatchObject({ state: 'queued' });
    expect(await operations.recent(['p'], 1)).toMatchObject([{ id, state: 'queued' }]);
    expect(await operations.claim(['learn'], 'second')).toMatchObject({ id, state: 'running' });
  });

  it('names the code and the log line of an operation that failed unexpectedly', async () => {
    const operations = new Operations((await open()).store);
    const lines: string[] = [];
    const worker = createWorker(operations, { log: createLog('error', (line) => lines.push(line)), stays: false });
    worker.handle('learn', async () => {
      throw Object.assign(new Error('/home/ann/secret'), { code: 'ENOSPC' });
    });
    const { id } = await operations.add('learn', 'p', {});
    await worker.idle();
    await worker.stop();
    const { problem = '' } = (await operations.get(id)) ?? {};
    expect(problem).toMatch(
      /^Cannot complete operation "op_\w+": an internal error occurred \(ENOSPC\)\. The server's log/,
    );
    expect(problem).not.toContain('secret');
    expect(lines.join()).toContain(/err_\w+/.exec(problem)?.[0]);
  });

  it('removes finished operations after thirty days, except those that are still needed', async () => {
    const { store } = await open();
    const operations = new Operations(store);
    const end = async (kind: string, finish: (id: string) => Promise<unknown>) => {
      const { id } = await operations.add(kind, 'p', { kind });
      await operations.claim([kind], 'holder');
      await finish(id);
      return id;
    };
    const done = await end('learn', (id) => operations.finish(id, 'holder', {}));
    const failed = await end('learn', (id) => operations.fail(id, 'holder', 'no'));
    const cancelled = await end('learn', (id) => operations.cancel(id));
    const purge = await end('purge', (id) => operations.fail(id, 'holder', 'no'));
    const index = await end('index', (id) => operations.finish(id, 'holder', {}));
    await storeTree(store, { tree: 't', project: 'p', root: '/', options: '{}', operation: index });
    const waiting = await operations.add('wait', 'p', {});
    const age = (days: number) => store.run(sql`update operation set updated_at = updated_at - ${days * 86_400_000}`);
    const listKinds = async () => (await operations.recent(['p'], 20)).map(({ id }) => id);
    await age(29);
    await operations.add('learn', 'p', {});
    expect(await listKinds()).toEqual(expect.arrayContaining([done, failed, cancelled]));
    await age(2);
    const { id: newest } = await operations.add('learn', 'p', {});
    const left = await listKinds();
    expect(left).toEqual(expect.arrayContaining([newest, waiting.id, index, purge]));
    for (const id of [done, failed, cancelled]) expect(left).not.toContain(id);
  });

  it('finds by words and by meaning, only in its project', async () => {
    const { graph } = await open({ embedder });
    await graph.put(
      [memory('The cat sleeps.'), memory('One plus one.'), memory('A cat abroad.', { project: 'q' })],
      'ann',
    );
    expect(texts(await graph.find({ query: 'sleeping', projects: ['p'] }))[0]).toBe('The cat sleeps.');
    expect(texts(await graph.find({ query: 'pet', projects: ['p'], limit: 1 }))).toEqual(['The cat sleeps.']);
    expect(texts(await graph.find({ query: 'cat', projects: ['q'] }))).toEqual(['A cat abroad.']);
    expect(await graph.find({ query: 'cat', projects: [] })).toEqual([]);
  });

  it('recalls only nodes valid at the time', async () => {
    let now = 1000;
    const { graph } = await open({ now: () => now });
    const [a, b, d] = await graph.put(
      [memory('fact alpha'), memory('fact beta'), memory('fact delta', { validFrom: 5000 })],
      'ann',
    );
    now = 2000;
    await graph.expire(a?.id as string, 'ann');
    const supersede = [{ old: b?.id as string, by: 'c', since: now }];
    const [c] = await graph.put([memory('fact gamma', { id: 'c', validFrom: 1000 })], 'ann', { supersede });
    const query = { query: 'fact', projects: ['p'] };
    // One that was written with a clock ahead is valid from the moment it is there.
    expect(texts(await graph.find(query)).sort()).toEqual(['fact delta', 'fact gamma']);
    expect(texts(await graph.find({ ...query, at: 1500 })).sort()).toEqual(['fact alpha', 'fact beta', 'fact gamma']);
    expect(texts(await graph.find({ ...query, at: 6000 })).sort()).toEqual(['fact delta', 'fact gamma']);
    await graph.forget(d?.id as string, 'ann');
    expect(await graph.find({ ...query, past: true })).toHaveLength(3);
    await graph.forget(c?.id as string, 'bob');
    expect(await graph.find(query)).toEqual([]);
    await graph.restore(c?.id as string, 'bob');
    expect(texts(await graph.find(query))).toEqual(['fact gamma']);
    expect((await graph.history(c?.id as string)).map(({ action }) => action)).toEqual(['put', 'forget', 'restore']);
    await expect(graph.forget('nothing', 'bob')).rejects.toMatchObject({ word: 'not_found' });
  });

  it('finds enough although many indexed documents are outdated', async () => {
    const { graph } = await open();
    const nodes = await graph.put(
      Array.from({ length: 120 }, (_, n) => memory(`common ${n}`)),
      'ann',
    );
    for (const node of nodes.slice(0, 115)) await graph.forget(node.id, 'ann');
    expect(await graph.find({ query: 'common', projects: ['p'], limit: 5 })).toHaveLength(5);
  });

  it('ends a survey when enough permitted nodes are read', async () => {
    const { graph } = await open();
    await graph.put(
      Array.from({ length: 250 }, (_, n) => ({ ...memory(`common ${n}`), data: { isOdd: n % 2 === 1 } })),
      'ann',
    );
    const survey = (enough: number) =>
      graph.survey({
        query: 'common',
        projects: ['p'],
        limit: 250,
        reach: 250,
        where: ({ data }) => data.isOdd === true,
        isEnough: (seen) => seen.length >= enough,
      });
    const some = (await survey(40)).length;
    expect(some).toBeGreaterThanOrEqual(40);
    expect(some).toBeLessThan(125);
    expect(await survey(126)).toHaveLength(125);
  });

  it('links texts by the entities they mention', async () => {
    const { store, graph } = await open();
    const nodes = await graph.put(
      [
        memory('The bug is in src/app/main.ts, in `parseHeader()`.'),
        memory('Fixed src/app/main.ts:12 today.'),
        memory('Unrelated.'),
      ],
      'ann',
    );
    const [a, b, c] = nodes.map(({ id }) => id) as [string, string, string];
    const { steps, distances } = await walkFrom(store, [a], 4);
    expect(distances.get(b)).toBe(2);
    expect(distances.has(c)).toBe(false);
    const ranks = rankFrom(new Map([[a, 1]]), steps);
    expect(ranks.get(b)).toBeGreaterThan(0);
    expect([...ranks.values()].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 5);
  });

  it('links only existing nodes', async () => {
    const { store, graph } = await open();
    const [a, b] = (await graph.put([memory('one thing'), memory('another thing')], 'ann')).map(({ id }) => id);
    await graph.link({ from: a as string, kind: 'causes', to: b as string });
    expect((await walkFrom(store, [b as string], 1)).steps).toMatchObject([{ from: a, kind: 'causes', to: b }]);
    await expect(graph.link({ from: a as string, kind: 'x', to: 'nothing' })).rejects.toMatchObject({
      word: 'not_found',
    });
  });

  it('stores nothing of a secret', async () => {
    const { store, graph } = await open();
    // Assembled here, so that no scanner takes this file for a leak.
    const secret = `ghp_${'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ4'}`;
    const data = { headers: { authorization: `Bearer ${secret}` } };
    await graph.put([memory(`the token is ${secret}`, { title: secret, data, source: secret })], 'ann');
    for (const table of [sql`node`, sql`fresh`, sql`change`, sql`edge`]) {
      expect(JSON.stringify(await store.all(sql`select * from ${table}`)).toLowerCase()).not.toContain(
        secret.toLowerCase(),
      );
    }
  });
});
