// Changes by another process are reported once, on each database, and only while there are subscribers.
import { afterAll, describe, expect, it } from 'vitest';
import { createChangeFeed } from '../../src/graph/change-feed.ts';
import { createChangeId, isOwnChange } from '../../src/graph/change-id.ts';
import { openGraph, openGraphOn } from '../../src/graph/open.ts';
import { sql } from '../../src/store/sql.ts';
import { createDatabase, createDatabases, hasPostgres } from '../support/databases.ts';

const databases = createDatabases();
afterAll(() => Promise.all(databases.map((database) => database.stop?.())));

describe.each(databases)('the change feed on $name', (database) => {
  it('reports changes once while there are subscribers', async () => {
    const opened = await openGraphOn(await database.open());
    const feed = createChangeFeed(opened.store, { isOwn: () => false, everyMs: 5 });
    const reported: string[] = [];
    feed.listen((nodes) => reported.push(...nodes.map(({ id, kind, data }) => `${id} ${kind} ${data.name}`)));
    const put = (id: string) =>
      opened.graph.put([{ id, project: 'p', kind: 'skill', text: id, data: { name: 'knot' } }], 'test');
    await put('before');
    // Changes of the same millisecond as the start may have been before or after it.
    const begun = opened.store.now();
    await expect.poll(() => opened.store.now() > begun).toBe(true);
    feed.follow('fast');
    await put('first');
    await expect.poll(() => reported).toEqual(['first skill knot']);
    await put('second');
    await opened.graph.forget('first', 'test');
    await expect
      .poll(() => [...reported].sort())
      .toEqual(['first skill knot', 'first skill knot', 'second skill knot']);
    const now = opened.store.now();
    await opened.store.run(
      sql`insert into operation (id, kind, project, state, input, done, message, result, created_at, updated_at, holder, held_until)
          values ('op_1', 'purge', 'p', 'done', '{}', 0, '', '{"ids":["cp_1","second"]}', ${now}, ${now}, '', 0)`,
    );
    await expect.poll(() => reported.slice(3)).toEqual(['cp_1 checkpoint undefined', 'second memory undefined']);
    feed.follow(undefined);
    await put('third');
    feed.follow('fast');
    await put('fourth');
    await expect.poll(() => reported).toContain('fourth skill knot');
    await feed.close();
    await opened.close();
  });
});

it('changes sort by the time on record, and name the process that made them', () => {
  const [early, late] = [createChangeId(1_700_000_000_000), createChangeId(1_700_000_000_001)];
  expect(early < late).toBe(true);
  expect(isOwnChange(early)).toBe(true);
  expect(isOwnChange('chg_lrzk8w001234567890abcdef')).toBe(false);
});

it.skipIf(!hasPostgres)(
  'PostgreSQL wakes the feed of another process, also after the connection was lost',
  async () => {
    const url = await createDatabase();
    const [writer, reader] = [await openGraph(url), await openGraph(url)];
    // It never looks by itself.
    const feed = createChangeFeed(reader.store, { isOwn: () => false, everyMs: 60 * 60_000 });
    const reported = new Set<string>();
    feed.listen((nodes) => {
      for (const { id } of nodes) reported.add(id);
    });
    feed.follow('fast');
    const put = (id: string) => writer.graph.put([{ id, project: 'p', kind: 'memory', text: id }], 'test');
    const connections = () =>
      writer.store.all(
        sql`select pid from pg_stat_activity where datname = current_database() and query like 'listen %'`,
      );
    await expect.poll(connections).toHaveLength(1);
    await put('first');
    await expect.poll(() => [...reported]).toEqual(['first']);
    await writer.store.all(
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query like 'listen %' and pid <> pg_backend_pid()`,
    );
    await put('second');
    await expect.poll(() => [...reported]).toEqual(['first', 'second']);
    await feed.close();
    await Promise.all([writer.close(), reader.close()]);
  },
);
