// What a PostgreSQL server that is not there is said to be, and what becomes of work that was under way when it went.
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGraph } from '../../src/graph/open.ts';
import { openStore } from '../../src/store/open.ts';
import { connectPostgres } from '../../src/store/postgres/client.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres.ts';
import { sql } from '../../src/store/sql.ts';
import { type Cut, type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { createDatabase, startPostgres } from '../support/databases.ts';
import { guardedUser, hasPostgresPrograms, type PostgresServer } from '../support/postgres-server.ts';

const told = (url: string, state: string) => `Cannot use database "${url}": ${state}`;
const memory = (id: string) => ({ id, project: 'p', kind: 'memory', text: `It is about src/${id}.ts.` });

describe('an unreachable server', () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  async function listen(answer: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      answer(socket);
    });
    servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return `postgres://lore@127.0.0.1:${(server.address() as { port: number }).port}/lore`;
  }

  it('is reported at once when its port is closed', async () => {
    const url = await listen(() => {});
    servers.pop()?.close();
    const opening = openGraph(url);
    await expect(opening).rejects.toMatchObject({ word: 'unavailable', message: told(url, 'it cannot be reached') });
  });

  it.each([
    ['never answers', () => {}],
    ['hangs up', (socket: Socket) => socket.end()],
    ['breaks off', (socket: Socket) => socket.resetAndDestroy()],
    ['speaks another language', (socket: Socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ])('is not waited for without end when something %s', async (_, answer) => {
    const url = await listen(answer);
    const opening = openGraph(url, { timeoutMs: 300 });
    await expect(opening).rejects.toMatchObject({ word: 'unavailable', message: told(url, 'it cannot be reached') });
  });

  it('is not an invalid address, whose password is not shown', async () => {
    const opening = openGraph('postgres://lore:se/cr@et@127.0.0.1:1/lore');
    await expect(opening).rejects.toMatchObject({
      word: 'invalid_input',
      message: told('postgres://lore@127.0.0.1:1/lore', 'it is not an address'),
    });
  });
});

describe.skipIf(!hasPostgresPrograms)('a server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres('fsync=off');
  });
  afterAll(() => server.stop());

  async function createUrl(user?: { name: string; password: string }): Promise<string> {
    const url = new URL(await createDatabase(server.url));
    if (user) Object.assign(url, { username: user.name, password: user.password });
    return url.href;
  }

  it('reports a missing database, a wrong password and missing privileges', async () => {
    const missing = new URL('/nowhere', server.url).href;
    await expect(openGraph(missing)).rejects.toMatchObject({
      word: 'not_found',
      message: told(missing, 'there is no such database'),
    });
    const admin = await openStore(server.url);
    await admin.run(sql`create role guarded login password 'right' connection limit 2`);
    await admin.close();
    const wrong = await createUrl({ name: guardedUser, password: 'wrong' });
    await expect(openGraph(wrong)).rejects.toMatchObject({
      word: 'forbidden',
      message: told(wrong.replace(':wrong', ''), 'it rejects this user'),
    });
    const right = await createUrl({ name: guardedUser, password: 'right' });
    await expect(openGraph(right)).rejects.toMatchObject({
      word: 'forbidden',
      message: told(right.replace(':right', ''), 'this user may not do that'),
    });
    const store = await openStore(right);
    const reading = Array.from({ length: 20 }, (_, n) => store.one(sql`select ${n}::int as n, pg_sleep(0.01)`));
    expect((await Promise.all(reading)).length, 'with the few connections it grants').toBe(20);
    await store.close();
  });

  it('is refused when a newer version has migrated its database', async () => {
    const url = await createUrl();
    const { store, close } = await openGraph(url);
    await store.run(sql`insert into migration (id, applied_at) values ('graph/99', 0)`);
    await close();
    const message = told(url, 'a newer version of Lorekeeper has migrated it');
    await expect(openGraph(url)).rejects.toMatchObject({ word: 'conflict', message });
  });

  it('times out when another process holds a lock', async () => {
    const url = await createUrl();
    const { graph, close } = await openGraph(url, { timeoutMs: 300 });
    const other = await openStore(url);
    await other.tx(async (tx) => {
      await tx.run(sql`lock table node in exclusive mode`);
      const message = told(url, 'another process holds it');
      await expect(graph.put([memory('a')], 'test')).rejects.toMatchObject({ word: 'unavailable', message });
    });
    await graph.put([memory('a')], 'test');
    await Promise.all([close(), other.close()]);
  });

  it('that stops responding during a query is given up, and others are served', async () => {
    const options = { timeoutMs: 300, connectMs: 5_000, silenceMs: 300 };
    const store = await createPostgresStore(await connectPostgres(server.url, options), server.url, options);
    const reading = Array.from({ length: 10 }, () => store.one(sql`select pg_sleep(60)`));
    for (const outcome of await Promise.allSettled(reading)) {
      expect(outcome).toMatchObject({ reason: { message: told(server.url, 'it cannot be reached') } });
    }
    expect(await store.one(sql`select 1 as n`)).toEqual({ n: 1 });
    await store.close();
  });

  it('that restarts is waited for by readers and writers', async () => {
    const { graph, close } = await openGraph(await createUrl());
    await graph.put([memory('a')], 'test');
    await server.stop();
    const reading = graph.get('a');
    const writing = Array.from({ length: 20 }, (_, n) => graph.put([memory(`b${n}`)], 'test'));
    const linking = graph.link({ from: 'a', kind: 'about', to: 'a' });
    await server.start();
    expect(await reading).toMatchObject({ id: 'a' });
    await Promise.all([...writing, linking]);
    expect(await graph.recent(['p'], ['memory'], 50)).toHaveLength(21);
    await close();
  });

  it('that stays away is reported, and so is its return', async () => {
    const url = await createUrl();
    const { graph, close } = await openGraph(url, { timeoutMs: 2_000 });
    await server.stop();
    const unreachable = { word: 'unavailable', message: told(url, 'it cannot be reached') };
    await expect(graph.get('a')).rejects.toMatchObject(unreachable);
    await expect(graph.put([memory('a')], 'test')).rejects.toMatchObject(unreachable);
    await server.start();
    await graph.put([memory('a')], 'test');
    expect(await graph.history('a')).toHaveLength(1);
    await close();
  });

  describe.each<Cut>(['before', 'after'])('whose connection is lost %s the response', (cut) => {
    let proxy: CuttingProxy;
    beforeAll(async () => {
      proxy = await startCuttingProxy(await createUrl());
    });
    afterAll(() => proxy.stop());

    it('a commit, makes each change once', async () => {
      const { graph, close } = await openGraph(proxy.url);
      await graph.put([memory('old')], 'test');
      proxy.cutAt('commit', cut);
      await graph.put([memory('a'), memory('b')], 'test');
      expect(proxy.hasCut).toBe(true);
      proxy.cutAt('commit', cut);
      await graph.forget('old', 'test');
      expect(proxy.hasCut).toBe(true);
      expect((await graph.history('a')).map(({ action }) => action)).toEqual(['put']);
      expect((await graph.history('b')).map(({ action }) => action)).toEqual(['put']);
      expect((await graph.history('old')).map(({ action }) => action)).toEqual(['put', 'forget']);
      expect(await graph.get('old')).toMatchObject({ forgottenAt: expect.any(Number) });
      await close();
    });

    it('a commit or an unverifiable change, reports an unknown outcome', async () => {
      const store = await openStore(proxy.url);
      await store.run(sql`create table t (id text primary key)`);
      const state = 'the connection was lost during a commit, whose outcome is unknown';
      const unknown = { word: 'unavailable', message: told(proxy.url, state) };
      proxy.cutAt('commit', cut);
      await expect(store.tx((tx) => tx.run(sql`insert into t (id) values ('a')`))).rejects.toMatchObject(unknown);
      proxy.cutAt('insert', cut);
      await expect(store.run(sql`insert into t (id) values ('b')`)).rejects.toMatchObject(unknown);
      expect(await store.all(sql`select id from t order by id`)).toEqual(
        cut === 'before' ? [] : [{ id: 'a' }, { id: 'b' }],
      );
      await store.close();
    });

    it('something else, retries', async () => {
      const store = await openStore(proxy.url);
      await store.run(sql`create table u (id text primary key)`);
      proxy.cutAt('insert', cut);
      await store.tx((tx) => tx.run(sql`insert into u (id) values ('a')`));
      expect(proxy.hasCut).toBe(true);
      proxy.cutAt('select', cut);
      expect(await store.all(sql`select id from u`)).toEqual([{ id: 'a' }]);
      expect(proxy.hasCut).toBe(true);
      await store.close();
    });
  });
});
