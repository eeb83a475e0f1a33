// Memories that earlier versions hid by inference come back when their database is opened.
import { afterAll, describe, expect, it } from 'vitest';
import { Graph } from '../../src/graph/graph.ts';
import { inferredMigration } from '../../src/graph/inferred-migration.ts';
import { graphMigrations } from '../../src/graph/tables.ts';
import { migrate } from '../../src/store/migrate.ts';
import { sql } from '../../src/store/sql.ts';
import { createDatabases } from '../support/databases.ts';

const day = 86_400_000;
const start = Date.parse('2025-06-01T00:00:00Z');

describe.each(createDatabases())('a database of an earlier version on $name', (database) => {
  afterAll(() => database.stop?.());

  it('restores memories that expired by kind or were superseded by inference', async () => {
    const store = await database.open();
    await migrate(
      store,
      graphMigrations.filter(({ id }) => id !== inferredMigration.id),
    );
    let now = start;
    const graph = new Graph({ store, now: () => now });
    const put = async (id: string, text: string, data: object, more: object = {}, also: object = {}) => {
      const kind = id.startsWith('commit') ? 'commit' : 'memory';
      await graph.put([{ id, project: 'p', kind, text, data: { ...data }, ...more }], 'ann', also);
    };
    await put('episode', 'We met.', { kind: 'episodic' }, { validTo: start + 30 * day - 5 });
    await put('learned', 'Debugging\u0000.', { kind: 'working', reason: 'fact' }, { validTo: start + day });
    await put('imported', 'Output.', { kind: 'sensory', said: start - 9 * day }, { validTo: start - 8.75 * day });
    await put('asked', 'Until June.', { kind: 'episodic' }, { validTo: start + 20 * day });
    await put('fact', 'Until July.', { kind: 'semantic' }, { validTo: start + 30 * day });
    await put('old', 'The port is 1.', { kind: 'working' }, { validTo: start + day });
    await put('commit1', 'First.', {});
    now += 1000;
    await put(
      'new',
      'The port is 2.',
      { kind: 'semantic' },
      {},
      { supersede: [{ old: 'old', by: 'new', since: now }] },
    );
    await put('commit2', 'Again.', {}, {}, { supersede: [{ old: 'commit1', by: 'commit2', since: now }] });

    await migrate(store, graphMigrations);
    const nodes = await graph.getAll(['episode', 'learned', 'imported', 'asked', 'fact', 'old', 'commit1']);
    expect(Object.fromEntries(nodes.map(({ id, validTo, supersededBy }) => [id, { validTo, supersededBy }]))).toEqual({
      episode: {},
      learned: {},
      imported: {},
      asked: { validTo: start + 20 * day },
      fact: { validTo: start + 30 * day },
      old: {},
      commit1: { validTo: now, supersededBy: 'commit2' },
    });
    expect(nodes.find(({ id }) => id === 'learned')?.data).toEqual({
      kind: 'working',
      reason: 'fact',
      fades: start + day,
    });
    expect(nodes.find(({ id }) => id === 'episode')?.data).toEqual({ kind: 'episodic' });
    expect(await store.all(sql`select from_id, kind, to_id from edge order by to_id`)).toEqual([
      { from_id: 'commit2', kind: 'supersedes', to_id: 'commit1' },
      { from_id: 'new', kind: 'may_disagree', to_id: 'old' },
    ]);
    expect((await graph.history('old')).map(({ actor, action, before }) => ({ actor, action, before }))).toEqual([
      { actor: 'ann', action: 'put', before: undefined },
      { actor: 'ann', action: 'supersede', before: { validTo: start + day } },
      { actor: 'migration', action: 'restore', before: { validTo: now, supersededBy: 'new' } },
      { actor: 'migration', action: 'restore', before: { validTo: start + day } },
    ]);
    await store.close();
  });
});
