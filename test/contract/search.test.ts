// What the index promises, over each database: what is put in is found, whatever is gathered meanwhile.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { countTerms, type Document } from '../../src/search/document.ts';
import { gather } from '../../src/search/gather.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { searchMigrations } from '../../src/search/tables.ts';
import { migrate } from '../../src/store/migrate.ts';
import type { Sql } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';
import { createPglite, createPostgres, type Database, hasPostgres, sqlite } from '../support/databases.ts';

const databases: Database[] = [sqlite, createPglite(), ...(hasPostgres ? [createPostgres()] : [])];

describe.each(databases)('the index on $name', (database) => {
  const opened: Store[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));
  afterAll(() => database.stop?.());

  async function open(): Promise<{ store: Store; index: SearchIndex }> {
    const store = await database.open();
    opened.push(store);
    await migrate(store, searchMigrations);
    return { store, index: new SearchIndex(store) };
  }

  function createDocument(id: string, text: string, rest: Partial<Document> = {}): Document {
    return { id, project: 'p', kind: 'memory', model: '', vector: undefined, ...countTerms('', text), ...rest };
  }

  const scope = { projects: ['p'] };
  const ids = (hits: { id: string }[]) => hits.map(({ id }) => id);

  it('finds words however they are written', async () => {
    const { store, index } = await open();
    await store.tx((tx) =>
      index.put(tx, [
        createDocument('camel', 'call parseHttpHeader before anything else'),
        createDocument('snake', 'parse_http_header is deprecated'),
        createDocument('path', 'see src/http/header.ts for the parser'),
        createDocument('other', 'the deployment runs every night'),
        createDocument('version', 'we are on node 20.19.0 now'),
      ]),
    );
    expect(ids(await index.findByText('parsing http headers', scope, 10)).sort()).toEqual(['camel', 'path', 'snake']);
    expect(ids(await index.findByText('parse_http_header', scope, 10))[0]).toBe('snake');
    expect(ids(await index.findByText('20.19.0', scope, 10))).toEqual(['version']);
    expect(ids(await index.findByText('deploys', scope, 10))).toEqual(['other']);
  });

  it('keeps to its scope', async () => {
    const { store, index } = await open();
    await store.tx((tx) =>
      index.put(tx, [
        createDocument('a', 'blue whale'),
        createDocument('b', 'blue whale', { project: 'q' }),
        createDocument('c', 'blue whale', { kind: 'skill' }),
      ]),
    );
    for (let round = 0; round < 2; round++) {
      expect(ids(await index.findByText('whale', scope, 10))).toEqual(['a', 'c']);
      expect(ids(await index.findByText('whale', { projects: ['q'] }, 10))).toEqual(['b']);
      expect(ids(await index.findByText('whale', { projects: ['p'], kinds: ['skill'] }, 10))).toEqual(['c']);
      while (await gather(store, 1)) await Promise.resolve();
    }
  });

  it.each(['"', 'a AND', '*', "'; drop table fresh; --", '\u0000', '(((', '😀', ' ', 'NEAR(a b)', '-x', 'a:b'])(
    'takes %j as plain text',
    async (query) => {
      const { store, index } = await open();
      await store.tx((tx) => index.put(tx, [createDocument('a', 'plain words')]));
      await expect(index.findByText(query, scope, 10)).resolves.toEqual([]);
    },
  );

  it('forgets what is replaced or removed, before and after gathering', async () => {
    const { store, index } = await open();
    await store.tx((tx) => index.put(tx, [createDocument('a', 'old words'), createDocument('b', 'old friend')]));
    await gather(store, 1);
    await store.tx((tx) => index.put(tx, [createDocument('a', 'new words')]));
    await store.tx((tx) => index.remove(tx, ['b']));
    expect(ids(await index.findByText('old', scope, 10))).toEqual([]);
    expect(ids(await index.findByText('new', scope, 10))).toEqual(['a']);
    await gather(store, 1);
    expect(ids(await index.findByText('old new words friend', scope, 10))).toEqual(['a']);
  });

  it('scores alike wherever documents lie', async () => {
    const { store, index } = await open();
    const texts = Array.from(
      { length: 60 },
      (_, n) => `word${n % 7} thing${n % 5} ${'filler '.repeat(n % 9)}number ${n}`,
    );
    const vectors = texts.map((_, n) => Int8Array.from({ length: 8 }, (__, d) => ((n * 31 + d * 17) % 200) - 100));
    const documents = texts.map((text, n) =>
      createDocument(`d${String(n).padStart(2, '0')}`, text, { model: 'm', vector: vectors[n] as Int8Array }),
    );
    await store.tx((tx) => index.put(tx, documents));
    const text = await index.findByText('word3 thing2 number', scope, 20);
    const near = await index.findByVector(vectors[7] as Int8Array, 'm', scope, 20);
    const dot = (n: number) =>
      (vectors[7] as Int8Array).reduce((sum, x, d) => sum + x * (vectors[n]?.[d] as number), 0);
    expect(near[0]?.score).toBe(Math.max(...vectors.map((_, n) => dot(n))));
    await gather(store, 1);
    const close = (hits: { id: string; score: number }[]) => hits.map(({ id, score }) => [id, score.toFixed(3)]);
    expect(close(await index.findByText('word3 thing2 number', scope, 20))).toEqual(close(text));
    expect(close(await index.findByVector(vectors[7] as Int8Array, 'm', scope, 20))).toEqual(close(near));
    expect(await index.findByVector(vectors[7] as Int8Array, 'another model', scope, 20)).toEqual([]);
  });

  it('merges segments, and loses nothing on the way', async () => {
    const { store, index } = await open();
    for (let n = 0; n < 20; n++) {
      await store.tx((tx) => index.put(tx, [createDocument(`d${n}`, `common unique${n}`)]));
      await gather(store, 1);
    }
    while (await gather(store, 1)) await Promise.resolve();
    expect(await index.findByText('common', scope, 50)).toHaveLength(20);
    for (let n = 0; n < 20; n++) expect(ids(await index.findByText(`unique${n}`, scope, 5))).toEqual([`d${n}`]);
  });

  it('answers rightly while it is gathered', async () => {
    const { store, index } = await open();
    for (let n = 0; n < 24; n++) await store.tx((tx) => index.put(tx, [createDocument(`d${n}`, 'common')]));
    const gathering = (async () => {
      for (let round = 0; round < 12; round++) await gather(store, 1);
    })();
    for (let round = 0; round < 20; round++) expect(await index.findByText('common', scope, 50)).toHaveLength(24);
    await gathering;
  });

  it('loses nothing that is put while others gather', async () => {
    const { store, index } = await open();
    let writing = true;
    const gatherers = [1, 2].map(async () => {
      while (writing) await gather(store, 1);
    });
    // Ids in no order: a document may be committed behind the place where a gatherer has got to.
    const ids = Array.from({ length: 60 }, (_, n) => `d${String((n * 37) % 60).padStart(2, '0')}`);
    await Promise.all(ids.map((id) => store.tx((tx) => index.put(tx, [createDocument(id, `common ${id}`)]))));
    writing = false;
    await Promise.all(gatherers);
    const found = await index.findByText('common', scope, 100);
    expect(found.map(({ id }) => id).sort()).toEqual([...ids].sort());
  });

  // SQLite and PGlite let nobody write meanwhile.
  it.runIf(database.name === 'PostgreSQL')('keeps what is committed in the middle of gathering', async () => {
    const { store, index } = await open();
    await store.tx((tx) => index.put(tx, [createDocument('m', 'common'), createDocument('z', 'common')]));
    let late: Promise<void> | undefined;
    const interrupted: Store = {
      ...store,
      tx: (work) =>
        store.tx((tx) =>
          work({
            ...tx,
            all: async <Row>(query: Sql) => {
              const rows = await tx.all<Row>(query);
              late ??= store.tx((other) => index.put(other, [createDocument('a', 'common')]));
              await late;
              return rows;
            },
          }),
        ),
    };
    await gather(interrupted, 1);
    expect(ids(await index.findByText('common', scope, 10))).toEqual(['a', 'm', 'z']);
  });
});
