// What the index promises, over each database: what is put in is found, whatever is gathered meanwhile.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { analyzeQuery } from '../../src/search/analyze.ts';
import { compactIndex } from '../../src/search/compact.ts';
import { countTerms, type Document } from '../../src/search/document.ts';
import { putFresh, putMany, retireAll } from '../../src/search/put.ts';
import { type Hit, type IndexScope, SearchIndex } from '../../src/search/search-index.ts';
import { searchMigrations } from '../../src/search/tables.ts';
import { leaseMigration, takeLease } from '../../src/store/lease.ts';
import { migrate } from '../../src/store/migrate.ts';
import { type Sql, sql } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';
import { createDatabases } from '../support/databases.ts';

const databases = createDatabases();

describe.each(databases)('the index on $name', (database) => {
  const opened: Store[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));
  afterAll(() => database.stop?.());

  async function open(): Promise<{ store: Store; index: SearchIndex }> {
    const store = await database.open();
    opened.push(store);
    await migrate(store, [leaseMigration, ...searchMigrations]);
    return { store, index: new SearchIndex(store) };
  }

  function createDocument(id: string, text: string, rest: Partial<Document> = {}): Document {
    return { id, project: 'p', kind: 'memory', model: '', vector: undefined, ...countTerms('', text), ...rest };
  }

  const scope = { projects: ['p'] };
  const findWords = async (index: SearchIndex, words: string, limit: number, within: IndexScope) =>
    nameAll((await index.find({ terms: analyzeQuery(words), scope: within, limit })).words);
  const findMeaning = async (index: SearchIndex, vector: Int8Array, model: string, limit: number) =>
    nameAll((await index.find({ meaning: { vector, model }, scope, limit })).meaning);

  /** As the graph does it: what has no such number any more is out of date. */
  async function nameAll(hits: Hit[]): Promise<{ id: string; score: number }[]> {
    const rows = await (opened.at(-1) as Store).all<{ number: number; node_id: string }>(
      sql`select number, node_id from document`,
    );
    const known = new Map(rows.map(({ number, node_id }) => [number, node_id]));
    return hits.flatMap(({ number, score }) => (known.has(number) ? [{ id: known.get(number) as string, score }] : []));
  }
  const ids = (hits: { id: string }[]) => hits.map(({ id }) => id);
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

  it('finds words however they are written', async () => {
    const { store, index } = await open();
    await store.tx((tx) =>
      putFresh(tx, [
        createDocument('camel', 'call parseHttpHeader before anything else'),
        createDocument('snake', 'parse_http_header is deprecated'),
        createDocument('path', 'see src/http/header.ts for the parser'),
        createDocument('other', 'the deployment runs every night'),
        createDocument('version', 'we are on node 20.19.0 now'),
      ]),
    );
    expect(ids(await findWords(index, 'parsing http headers', 10, scope)).sort()).toEqual(['camel', 'path', 'snake']);
    expect(ids(await findWords(index, 'parse_http_header', 10, scope))[0]).toBe('snake');
    expect(ids(await findWords(index, '20.19.0', 10, scope))).toEqual(['version']);
    expect(ids(await findWords(index, 'deploys', 10, scope))).toEqual(['other']);
  });

  it('weighs terms in several sets at once, the same before and after compaction', async () => {
    const { store, index } = await open();
    await store.tx((tx) =>
      putFresh(tx, [
        createDocument('a', 'blue whale'),
        createDocument('b', 'blue boat boat'),
        createDocument('c', 'green field'),
        createDocument('q', 'blue whale', { project: 'q' }),
      ]),
    );
    const weigh = async () => {
      const found = await index.weigh({
        scope,
        sets: [
          new Map([
            ['blue', 1],
            ['whale', 2],
          ]),
          new Map([['boat', 1]]),
        ],
        limit: 10,
      });
      const named = await nameAll(found.map(({ number, scores }) => ({ number, score: scores[0] ?? 0 })));
      const other = await nameAll(found.map(({ number, scores }) => ({ number, score: scores[1] ?? 0 })));
      return { named: named.sort(byId), other: other.sort(byId), lengths: found.map(({ length }) => length).sort() };
    };
    const fresh = await weigh();
    expect(ids(fresh.named)).toEqual(['a', 'b']);
    expect(fresh.named[0]?.score).toBeGreaterThan(fresh.named[1]?.score as number);
    expect(fresh.other.map(({ score }) => score > 0)).toEqual([false, true]);
    expect(fresh.lengths).toEqual([2, 3]);
    await compactIndex(store, { limit: 1 });
    expect(await weigh()).toEqual(fresh);
  });

  it('finds the same by meaning in its first search, which caches nothing, and in later ones', async () => {
    const { store } = await open();
    const vectorOf = (seed: number) =>
      Int8Array.from({ length: 64 }, (_, at) => Math.round(40 * Math.sin(seed * 12.9898 + at * 78.233)));
    const documents = Array.from({ length: 1_500 }, (_, at) =>
      createDocument(`d${at}`, 'words', { model: 'm', vector: vectorOf(at) }),
    );
    await putMany(store, documents, async () => {});
    const index = new SearchIndex(store);
    const question = { meaning: { vector: vectorOf(1_400), model: 'm' }, scope, limit: 20 };
    const first = await index.find(question);
    expect(first.meaning).toHaveLength(20);
    expect(await index.find(question)).toEqual(first);
  });

  it('searches only its scope', async () => {
    const { store, index } = await open();
    await store.tx((tx) =>
      putFresh(tx, [
        createDocument('a', 'blue whale'),
        createDocument('b', 'blue whale', { project: 'q' }),
        createDocument('c', 'blue whale', { kind: 'skill' }),
      ]),
    );
    for (let round = 0; round < 4; round++) {
      expect(ids(await findWords(index, 'whale', 10, { projects: ['none'] }))).toEqual([]);
      expect(ids(await findWords(index, 'whale', 10, scope)).sort()).toEqual(['a', 'c']);
      expect(ids(await findWords(index, 'whale', 10, { projects: ['q'] }))).toEqual(['b']);
      expect(ids(await findWords(index, 'whale', 10, { projects: ['p'], kinds: ['skill'] }))).toEqual(['c']);
      if (round > 0) while (await compactIndex(store, { limit: 1 })) await Promise.resolve();
    }
  });

  it.each(['"', 'a AND', '*', "'; drop table fresh; --", '\u0000', '(((', '😀', ' ', 'NEAR(a b)', '-x', 'a:b'])(
    'treats %j as plain text',
    async (query) => {
      const { store, index } = await open();
      await store.tx((tx) => putFresh(tx, [createDocument('a', 'plain words')]));
      await expect(findWords(index, query, 10, scope)).resolves.toEqual([]);
    },
  );

  it('forgets replaced and removed documents, before and after compaction', async () => {
    const { store, index } = await open();
    await store.tx((tx) => putFresh(tx, [createDocument('a', 'old words'), createDocument('b', 'old friend')]));
    await compactIndex(store, { limit: 1 });
    await store.tx((tx) => putFresh(tx, [createDocument('a', 'new words')]));
    await store.tx((tx) => retireAll(tx, ['b']));
    expect(ids(await findWords(index, 'old', 10, scope))).toEqual([]);
    expect(ids(await findWords(index, 'new', 10, scope))).toEqual(['a']);
    await compactIndex(store, { limit: 1 });
    expect(ids(await findWords(index, 'old new words friend', 10, scope))).toEqual(['a']);
  });

  it('indexes many documents like a few, with no stale words', async () => {
    const { store, index } = await open();
    const count = 300;
    const texts = Array.from({ length: count }, (_, n) => `walrus w${n} ${'clam '.repeat(n % 5)}`);
    const vector = Int8Array.from([127, 0, 0, 0]);
    const all = texts.map((text, n) => createDocument(`d${String(n).padStart(3, '0')}`, text, { model: 'm', vector }));
    await store.tx((tx) => putFresh(tx, all));
    const before = await findWords(index, 'walrus w7 clam', 50, scope);
    await putMany(store, all, async () => {});
    expect((await store.one<{ n: number }>(sql`select count(*) as n from fresh`))?.n).toBe(0);
    expect(await findWords(index, 'walrus w7 clam', 50, scope)).toEqual(before);
    expect(await findMeaning(index, vector, 'm', 400)).toHaveLength(count);
    // A few are not worth a segment, and take the place of what one has of them.
    await putMany(store, [createDocument('d007', 'a seal', { model: 'm', vector })], async () => {});
    expect(ids(await findWords(index, 'w7', 10, scope))).toEqual([]);
    expect(ids(await findWords(index, 'seal', 10, scope))).toEqual(['d007']);
    const left = putMany(store, all, () => Promise.reject(new Error('left')));
    await expect(left).rejects.toThrow('left');
    await putMany(store, all, async () => {});
    while (await compactIndex(store, { limit: 1 })) await Promise.resolve();
    expect(await findWords(index, 'walrus w7 clam', 50, scope)).toEqual(before);
  });

  it('scores documents alike in fresh and in segments', async () => {
    const { store, index } = await open();
    const texts = Array.from(
      { length: 60 },
      (_, n) => `word${n % 7} thing${n % 5} ${'filler '.repeat(n % 9)}number ${n}`,
    );
    const vectors = texts.map((_, n) => Int8Array.from({ length: 8 }, (__, d) => ((n * 31 + d * 17) % 200) - 100));
    const documents = texts.map((text, n) =>
      createDocument(`d${String(n).padStart(2, '0')}`, text, { model: 'm', vector: vectors[n] as Int8Array }),
    );
    await store.tx((tx) => putFresh(tx, documents));
    const text = await findWords(index, 'word3 thing2 number', 20, scope);
    const near = await findMeaning(index, vectors[7] as Int8Array, 'm', 20);
    const dot = (n: number) =>
      (vectors[7] as Int8Array).reduce((sum, x, d) => sum + x * (vectors[n]?.[d] as number), 0);
    expect(near[0]?.score).toBe(Math.max(...vectors.map((_, n) => dot(n))));
    await compactIndex(store, { limit: 1 });
    const close = (hits: { id: string; score: number }[]) => hits.map(({ id, score }) => [id, score.toFixed(3)]);
    expect(close(await findWords(index, 'word3 thing2 number', 20, scope))).toEqual(close(text));
    expect(close(await findMeaning(index, vectors[7] as Int8Array, 'm', 20))).toEqual(close(near));
    expect(await findMeaning(index, vectors[7] as Int8Array, 'another model', 20)).toEqual([]);
  });

  it('merges segments without losses', async () => {
    const { store, index } = await open();
    for (let n = 0; n < 20; n++) {
      await store.tx((tx) => putFresh(tx, [createDocument(`d${n}`, `common unique${n}`)]));
      await compactIndex(store, { limit: 1 });
    }
    while (await compactIndex(store, { limit: 1 })) await Promise.resolve();
    expect(await findWords(index, 'common', 50, scope)).toHaveLength(20);
    for (let n = 0; n < 20; n++) expect(ids(await findWords(index, `unique${n}`, 5, scope))).toEqual([`d${n}`]);
  });

  it('answers correctly during compaction', async () => {
    const { store, index } = await open();
    for (let n = 0; n < 24; n++) await store.tx((tx) => putFresh(tx, [createDocument(`d${n}`, 'common')]));
    const gathering = (async () => {
      for (let round = 0; round < 12; round++) await compactIndex(store, { limit: 1 });
    })();
    for (let round = 0; round < 20; round++) expect(await findWords(index, 'common', 50, scope)).toHaveLength(24);
    await gathering;
  });

  it('loses nothing that is stored during compaction', async () => {
    const { store, index } = await open();
    let writing = true;
    const gatherers = [1, 2].map(async () => {
      while (writing) await compactIndex(store, { limit: 1 });
    });
    // Ids in no order: a document may be committed behind the place where a gatherer has got to.
    const ids = Array.from({ length: 60 }, (_, n) => `d${String((n * 37) % 60).padStart(2, '0')}`);
    await Promise.all(ids.map((id) => store.tx((tx) => putFresh(tx, [createDocument(id, `common ${id}`)]))));
    writing = false;
    await Promise.all(gatherers);
    const found = await findWords(index, 'common', 100, scope);
    expect(found.map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  it('keeps documents that are stored or replaced during compaction', async () => {
    const { store, index } = await open();
    await store.tx((tx) => putFresh(tx, [createDocument('m', 'common'), createDocument('z', 'common former')]));
    let interruptions = 0;
    const interrupted: Store = {
      ...store,
      all: async <Row>(query: Sql) => {
        const rows = await store.all<Row>(query);
        if (interruptions++ === 0) {
          await store.tx((tx) => putFresh(tx, [createDocument('a', 'common'), createDocument('z', 'common latter')]));
        }
        return rows;
      },
    };
    await compactIndex(interrupted, { limit: 1 });
    expect(interruptions).toBeGreaterThan(0);
    expect(ids(await findWords(index, 'common', 10, scope)).sort()).toEqual(['a', 'm', 'z']);
    expect(ids(await findWords(index, 'former', 10, scope))).toEqual([]);
    expect(ids(await findWords(index, 'latter', 10, scope))).toEqual(['z']);
  });

  it('drops outdated documents in a merge, and removes dead segments', async () => {
    const { store, index } = await open();
    const vector = Int8Array.from({ length: 64 }, (_, at) => at);
    const put = (id: string, text: string) =>
      store.tx((tx) => putFresh(tx, [createDocument(id, text, { model: 'm', vector })]));
    for (const id of ['a', 'b', 'c']) await put(id, `first ${id}`);
    while (await compactIndex(store, { limit: 1 })) await Promise.resolve();
    for (const id of ['a', 'b']) await put(id, `second ${id}`);
    // Two of the three in the segment are out of date.
    while (await compactIndex(store, { limit: 1 })) await Promise.resolve();
    expect(ids(await findWords(index, 'first', 10, scope))).toEqual(['c']);
    expect(ids(await findWords(index, 'second', 10, scope))).toEqual(['a', 'b']);
    expect(await findMeaning(index, vector, 'm', 10)).toHaveLength(3);
    const count = async (what: Sql) =>
      Number((await store.one<{ n: number }>(sql`select count(*) as n from ${what}`))?.n);
    expect(await count(sql`posting where term = 'first'`)).toBe(2);
    await store.run(sql`update segment set dead_at = 1 where dead_at is not null`);
    while (await compactIndex(store)) await Promise.resolve();
    expect(await count(sql`posting where term = 'first'`)).toBe(1);
    expect(await count(sql`segment where dead_at is not null`)).toBe(0);
    expect(ids(await findWords(index, 'first second', 10, scope)).sort()).toEqual(['a', 'b', 'c']);
  });

  it('is not blocked by a process that died during compaction', async () => {
    const { store, index } = await open();
    await store.tx((tx) => putFresh(tx, [createDocument('a', 'alone')]));
    expect(await takeLease(store, 'gather', 30_000)).toBeDefined();
    expect(await compactIndex(store, { limit: 1 })).toBe(false);
    await store.run(sql`update lease set until = 1`);
    expect(await compactIndex(store, { limit: 1 })).toBe(true);
    expect(ids(await findWords(index, 'alone', 10, scope))).toEqual(['a']);
  });
});
