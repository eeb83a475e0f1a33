// What a change of embedder promises, over each database: every document gets its vector, none is compared with another
// model's meanwhile, no write waits, and two settings do not fight.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createEmbedding, type OwnEmbedder } from '../../src/graph/embedding/embedding.ts';
import { reembed } from '../../src/graph/embedding/reembed.ts';
import { Graph } from '../../src/graph/graph.ts';
import { graphMigrations } from '../../src/graph/tables.ts';
import { compactIndex } from '../../src/search/compact.ts';
import { roundVector } from '../../src/search/embed.ts';
import { createRemoteEmbedder } from '../../src/search/embed-remote.ts';
import { migrate } from '../../src/store/migrate.ts';
import { sql } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';
import { createDatabases } from '../support/databases.ts';
import { countLetters, type EmbeddingEndpoint, startEmbeddingEndpoint } from '../support/embedding-endpoint.ts';

const databases = createDatabases();

const eventually = <T>(look: () => Promise<T>) => expect.poll(look);

describe.each(databases)('embedding on $name', (database) => {
  const ending: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end();
  });
  afterAll(() => database.stop?.());

  async function openStore(): Promise<Store> {
    const store = await database.open();
    ending.push(() => store.close());
    await migrate(store, graphMigrations);
    return store;
  }

  /** As another process on the same database would have it. */
  function open(store: Store, own: OwnEmbedder, everyMs = 5) {
    const warnings: unknown[] = [];
    const log = { info: () => {}, warn: (_: string, facts?: unknown) => warnings.push(facts) };
    const embedding = createEmbedding({ store, own, log, everyMs });
    ending.push(() => embedding.close());
    return { embedding, graph: new Graph({ store, embedder: embedding.embedder }), warnings };
  }

  function createLocal(id: string, seed: number): OwnEmbedder & { embedded: number } {
    const local = {
      id,
      embedded: 0,
      embed(texts: readonly string[], use: string) {
        if (use === 'document') local.embedded += texts.length;
        return texts.map((text) => roundVector(Float64Array.from([...countLetters(text, seed), 0, 0, 0, 0, 0, 0])));
      },
    };
    return local;
  }

  async function openEndpoint(): Promise<EmbeddingEndpoint> {
    const endpoint = await startEmbeddingEndpoint(3);
    ending.push(() => endpoint.close());
    return endpoint;
  }

  function createRemote({ url }: { url: string }, model = 'far', timeoutMs = 10_000) {
    return createRemoteEmbedder({ url, model, key: '', dimensions: 0, timeoutMs });
  }

  const memory = (text: string) => ({ project: 'p', kind: 'memory', text });
  const animals = ['zebra zoo', 'quick fox', 'lazy dog', 'blue whale', 'jumping mouse'];
  const query = (text: string) => ({ query: text, projects: ['p'], limit: 100 });
  const texts = (found: { node: { text: string } }[]) => found.map(({ node }) => node.text);

  async function countModels(store: Store): Promise<Record<string, number>> {
    const rows = await store.all<{ model: string; n: number }>(
      sql`select model, count(*) as n from document group by model`,
    );
    return Object.fromEntries(rows.map(({ model, n }) => [model, Number(n)]));
  }

  async function gatherAll(store: Store): Promise<void> {
    while (await compactIndex(store, { limit: 1 })) await Promise.resolve();
  }

  it('switches to another model and removes the old vectors', async () => {
    const store = await openStore();
    const first = open(store, createLocal('a', 0), 1_000_000);
    await first.graph.put(animals.map(memory), 'ann');
    await gatherAll(store);
    await first.graph.put([memory('ancient turtle')], 'ann');
    expect(await countModels(store)).toEqual({ a: 6 });
    const second = open(store, createLocal('b', 5));
    await second.graph.find(query('anything'));
    await eventually(async () => (await second.embedding.measure()).remaining).toBe(0);
    expect(await second.embedding.measure()).toEqual({ own: 'b', chosen: 'b', remaining: 0, documents: 6 });
    expect(await countModels(store)).toEqual({ b: 6 });
    // "raz beoz" has the letters of "zebra zoo" and none of its words.
    expect(texts(await second.graph.find(query('raz beoz')))[0]).toBe('zebra zoo');
    await gatherAll(store);
    expect(await store.all(sql`select distinct model from segment where dead_at is null`)).toEqual([{ model: 'b' }]);
    expect(texts(await second.graph.find(query('raz beoz')))[0]).toBe('zebra zoo');
    for (const text of animals) expect(texts(await second.graph.find(query(text)))[0]).toBe(text);
  });

  it('compares only vectors of one model during a switch', async () => {
    const store = await openStore();
    const first = open(store, createLocal('a', 0), 1_000_000);
    await first.graph.put(
      Array.from({ length: 200 }, (_, n) => memory(`${animals[n % 5]} number${n}`)),
      'ann',
    );
    const second = open(store, createLocal('b', 5), 1_000_000);
    await second.graph.find(query('x'));
    await reembed(store, createLocal('b', 5));
    const models = await countModels(store);
    expect(models).toEqual({ a: 200 - (models.b ?? 0), b: expect.any(Number) });
    expect(models.b).toBeLessThan(200);
    const ofB = await store.all<{ node_id: string }>(sql`select node_id from document where model = 'b'`);
    const known = new Set(ofB.map(({ node_id }) => node_id));
    const near = (await second.graph.find({ ...query('raz beoz'), limit: 300 })).filter(({ vector }) => vector > 0);
    expect(near.length).toBeGreaterThan(0);
    expect(near.every(({ node }) => known.has(node.id))).toBe(true);
    for (const n of [0, 40, 70, 199]) {
      expect(texts(await second.graph.find(query(`number${n}`)))[0]).toBe(`${animals[n % 5]} number${n}`);
    }
  });

  it('shares the work between processes without doing it twice', async () => {
    const store = await openStore();
    const first = open(store, createLocal('a', 0), 1_000_000);
    await first.graph.put(
      Array.from({ length: 300 }, (_, n) => memory(`fact${n}`)),
      'ann',
    );
    const workers = [1, 2, 3].map(() => createLocal('b', 5));
    const users = workers.map((own) => open(store, own));
    await Promise.all(users.map(({ graph }) => graph.find(query('fact1'))));
    await eventually(() => countModels(store)).toEqual({ b: 300 });
    expect(workers.reduce((sum, { embedded }) => sum + embedded, 0)).toBe(300);
  });

  it('stores at once without an endpoint, and embeds later', async () => {
    const store = await openStore();
    const endpoint = await openEndpoint();
    endpoint.reply = () => 'silence';
    const { graph, embedding } = open(store, createRemote(endpoint, 'far', 50));
    const [node] = await graph.put([memory('zebra zoo')], 'ann');
    expect(texts(await graph.find(query('zebra')))).toEqual(['zebra zoo']);
    expect(await countModels(store)).toEqual({ '': 1 });
    await embedding.close();
    endpoint.reply = () => undefined;
    const next = open(store, createRemote(endpoint));
    await eventually(() => countModels(store)).toEqual({ [`${new URL(endpoint.url).host}/far/26`]: 1 });
    await next.graph.put([memory('quick fox')], 'ann');
    await eventually(async () => (await next.embedding.measure()).remaining).toBe(0);
    expect((await next.graph.find(query('raz beoz')))[0]?.node.id).toBe(node?.id);
  });

  it('does not alternate between two settings', async () => {
    const store = await openStore();
    const endpoint = await openEndpoint();
    const near = open(store, createLocal('near', 0));
    await near.graph.put(animals.map(memory), 'ann');
    await eventually(() => countModels(store)).toEqual({ near: 5 });
    // An endpoint in the settings is a decision, and takes over by itself …
    const far = open(store, createRemote(endpoint));
    const farId = `${new URL(endpoint.url).host}/far/26`;
    await eventually(() => countModels(store)).toEqual({ [farId]: 5 });
    // … while whoever has none goes by words, and says so once.
    const later = open(store, createLocal('later', 7));
    await later.graph.put([memory('ancient turtle')], 'ann');
    expect(texts(await later.graph.find(query('turtle')))).toEqual(['ancient turtle']);
    await near.graph.find(query('turtle'));
    expect(later.warnings).toEqual([{ own: 'later', chosen: farId, hint: 'lore embedding use' }]);
    await eventually(() => countModels(store)).toEqual({ [farId]: 6 });
    // A second endpoint is a newer decision; the first one gives way for good.
    const other = open(store, createRemote(endpoint, 'other'));
    const otherId = `${new URL(endpoint.url).host}/other/26`;
    await eventually(() => countModels(store)).toEqual({ [otherId]: 6 });
    await far.graph.find(query('turtle'));
    const again = open(store, createRemote(endpoint));
    await again.graph.find(query('turtle'));
    expect(again.warnings).toMatchObject([{ own: farId, chosen: otherId }]);
    expect(await countModels(store)).toEqual({ [otherId]: 6 });
    // By command, anything goes.
    const seen: number[] = [];
    const state = await near.embedding.choose(({ remaining }) => seen.push(remaining));
    expect(state).toEqual({ own: 'near', chosen: 'near', remaining: 0, documents: 6 });
    expect(await countModels(store)).toEqual({ near: 6 });
    await other.graph.put([memory('last word')], 'ann');
    await eventually(() => countModels(store)).toEqual({ near: 7 });
  });

  // What is derived has no hash.
  it.each(['hash', ''])('does not restore the words of a text that changed meanwhile (%j)', async (hash) => {
    const store = await openStore();
    const { graph } = open(store, createLocal('a', 0), 1_000_000);
    const [node] = await graph.put([memory('old words')], 'ann');
    if (hash === '') await store.run(sql`update node set hash = ''`);
    const own = createLocal('b', 5);
    const { embed } = own;
    let changes = 0;
    own.embed = async (given, use) => {
      if (changes++ === 0) {
        await store.run(sql`update node set text = 'fresh words', hash = ${hash} where id = ${node?.id as string}`);
      }
      return embed(given, use);
    };
    await reembed(store, own);
    expect(await countModels(store)).toEqual({ a: 1 });
    await reembed(store, own);
    expect(await countModels(store)).toEqual({ b: 1 });
    expect(texts(await graph.find(query('fresh')))).toEqual(['fresh words']);
  });

  it('removes documents of deleted nodes', async () => {
    const store = await openStore();
    const { graph } = open(store, createLocal('a', 0), 1_000_000);
    await graph.put(animals.map(memory), 'ann');
    await store.run(sql`delete from node where text = 'lazy dog'`);
    const own = createLocal('b', 5);
    while ((await reembed(store, own)) > 0) await Promise.resolve();
    expect(await countModels(store)).toEqual({ b: 4 });
  });
});
