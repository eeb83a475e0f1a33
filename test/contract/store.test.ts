// What every store promises, over each database.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { migrate } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/open.ts';
import { join, list, sql } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';
import { createDatabases } from '../support/databases.ts';

const databases = createDatabases();

describe.each(databases)('a store on $name', (database) => {
  const opened: Store[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));
  afterAll(() => database.stop?.());

  async function open(): Promise<Store> {
    const store = await database.open();
    opened.push(store);
    await store.run(sql`create table t (id text primary key, n bigint, body ${blob(store)})`);
    return store;
  }

  const blob = (store: Store) => (store.dialect === 'sqlite' ? sql`blob` : sql`bytea`);
  const insert = (id: string, n: number) => sql`insert into t (id, n) values (${id}, ${n})`;
  const count = async (store: Pick<Store, 'one'>) =>
    (await store.one<{ n: number }>(sql`select count(*) as n from t`))?.n;

  it('stores values unchanged', async () => {
    const store = await open();
    const body = Uint8Array.from([0, 1, 254, 255]);
    const text = `it's "quoted"; drop table t; -- \u2028 äöü 🦉`;
    await store.run(sql`insert into t (id, n, body) values (${text}, ${Date.UTC(2026, 0)}, ${body})`);
    const row = await store.one<{ id: string; n: number; body: Uint8Array }>(sql`select * from t`);
    expect(row).toMatchObject({ id: text, n: Date.UTC(2026, 0) });
    expect(Uint8Array.from(row?.body ?? [])).toEqual(body);
  });

  it('counts changed rows, and returns requested ones', async () => {
    const store = await open();
    expect(await store.run(sql`insert into t (id, n) values ${join([sql`('a', 1)`, sql`('b', 2)`], ', ')}`)).toBe(2);
    expect(await store.run(sql`update t set n = n + ${1} where id in ${list(['a', 'b', 'c'])}`)).toBe(2);
    expect(await store.all(sql`select id, n from t order by id`)).toEqual([
      { id: 'a', n: 2 },
      { id: 'b', n: 3 },
    ]);
    expect(await store.one(sql`select id from t where id = ${'z'}`)).toBeUndefined();
    const upsert = sql`insert into t (id, n) values ('a', 9) on conflict (id) do update set n = excluded.n returning n`;
    expect(await store.one(upsert)).toEqual({ n: 9 });
    expect(await store.run(insert('d', 1), { durable: false })).toBe(1);
    await expect(store.run(insert('d', 1), { durable: false })).rejects.toThrow();
    expect(await count(store)).toBe(3);
  });

  it('runs a transaction atomically', async () => {
    const store = await open();
    await store.tx(async (tx) => {
      await tx.run(insert('a', 1));
      await tx.run(insert('b', 2));
    });
    const failing = store.tx(async (tx) => {
      await tx.run(insert('c', 3));
      throw new Error('on second thoughts');
    });
    await expect(failing).rejects.toThrow('on second thoughts');
    expect(await count(store)).toBe(2);
  });

  it('shows nothing of an uncommitted transaction', async () => {
    const store = await open();
    if (database.name === 'PGlite') return; // one client: a second reader would wait for the transaction
    let seen: number | undefined;
    await store.tx(async (tx) => {
      await tx.run(insert('a', 1));
      seen = await count(store);
      expect(await count(tx)).toBe(1);
    });
    expect(seen).toBe(0);
    expect(await count(store)).toBe(1);
  });

  it('reports changes by its data version, or has none', async () => {
    const store = await open();
    const before = await store.dataVersion();
    if (before === undefined) return expect(await store.dataVersion()).toBeUndefined();
    expect(await store.dataVersion()).toBe(before);
    const seen = new Set([before]);
    const note = async () => seen.add((await store.dataVersion()) as number);
    await store.run(insert('a', 1));
    await note();
    await store.tx(async (tx) => void (await tx.run(insert('b', 1))));
    await note();
    const other = await openStore(store.location);
    opened.push(other);
    await other.run(insert('c', 1));
    await note();
    expect(seen.size).toBe(4);
    await expect(store.tx(() => Promise.reject(new Error('undone')))).rejects.toThrow();
    await note();
    expect(seen.size).toBe(4);
  });

  it('serves many writers at once', async () => {
    const store = await open();
    const writes = Array.from({ length: 50 }, (_, n) =>
      n % 2 ? store.run(insert(`r${n}`, n)) : store.tx((tx) => tx.run(insert(`t${n}`, n))),
    );
    await Promise.all(writes);
    expect(await count(store)).toBe(50);
  });

  it('is migrated once by concurrent processes', async () => {
    const store = await open();
    const migrations = [{ id: 'u/1', up: () => [sql`create table u (id text)`, sql`insert into u (id) values ('x')`] }];
    await Promise.all([migrate(store, migrations), migrate(store, migrations), migrate(store, migrations)]);
    expect(await store.all(sql`select id from u`)).toEqual([{ id: 'x' }]);
    await migrate(store, [...migrations, { id: 'u/2', up: () => [sql`alter table u add column n bigint`] }]);
    expect(await store.all(sql`select * from u`)).toEqual([{ id: 'x', n: null }]);
    await expect(migrate(store, migrations)).rejects.toMatchObject({ word: 'conflict' });
    // Tables of a service that does not run here.
    await migrate(store, [{ id: 'v/1', up: () => [] }]);
  });

  it('undoes a migration that fails', async () => {
    const store = await open();
    const broken = [{ id: '1', up: () => [sql`create table u (id text)`, sql`select nonsense from nowhere`] }];
    await expect(migrate(store, broken)).rejects.toThrow();
    await expect(store.all(sql`select * from u`)).rejects.toThrow();
  });
});
