// How recall orders statements that were corrected again and again, and what it costs to know.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { markOutdated } from '../../src/services/memory/outdated.ts';
import { sqlite } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

describe('a chain of corrections', () => {
  let services: Services;
  let now: number;
  beforeEach(async () => {
    now = Date.parse('2026-01-01T00:00:00Z');
    services = await openServices(sqlite, createFolder('project'), { now: () => now });
  });
  afterEach(() => services.close());

  const remember = async (content: string, rest: object = {}) => {
    now += 60_000;
    return (await services.call('remember', { content, ...rest })).id as string;
  };
  const recall = async (query: string, rest: object = {}) =>
    (await services.call('recall', { query, ...rest })).memories as { id: string; may_be_outdated_by?: string }[];

  it('comes with the newest first, and each older one names a newer one', async () => {
    const ids = [];
    for (const port of [8080, 8081, 8082]) ids.push(await remember(`The walrus server listens on port ${port}.`));
    const found = await recall('Does the walrus server listen on port 8080?');
    expect(found.map(({ id }) => id)).toEqual([...ids].reverse());
    expect(found.map((memory) => memory.may_be_outdated_by)).toEqual([undefined, ids[2], ids[2]]);
    const then = new Date(now - 60_000).toISOString();
    const before = await recall('which port?', { as_of: then });
    expect(before.map((memory) => memory.may_be_outdated_by)).toEqual([undefined, ids[1]]);
  });

  it('is not detected in small talk', async () => {
    const said = ['Hey Caroline! Good to see you!', 'Wow, Caroline! What now?', 'Thanks, Caroline! I lost my job.'];
    for (const content of said) {
      expect(await services.call('remember', { content, session: 's' })).not.toHaveProperty('similar');
    }
    await remember('The walrus server listens on port 8080.', { session: 's' });
    const content = 'The walrus server listens on port 9090.';
    expect(await services.call('remember', { content, session: 't' })).toHaveProperty('similar');
  });

  it('ends when the newer one is forgotten', async () => {
    const old = await remember('The walrus server listens on port 8080.');
    const next = await remember('The walrus server listens on port 9090.');
    await services.call('forget', { id: next });
    const found = await recall('Which port does the walrus server listen on?');
    expect(found).toMatchObject([{ id: old }]);
    expect(found[0]).not.toHaveProperty('may_be_outdated_by');
  });

  it('lowers tasks that are over, but not events', async () => {
    const [task, event] = await services.opened.graph.getAll([
      await remember('The walrus server is being renamed.'),
      await remember('The walrus server was renamed on Monday.'),
    ]);
    const given = [task, event].map((node, at) => ({
      node: {
        ...(node as NonNullable<typeof node>),
        data: { kind: at === 0 ? 'working' : 'episodic', fades: now - 1 },
      },
      score: 1 - at / 10,
    }));
    const { ranked } = await markOutdated(services.opened, given, { now });
    expect(ranked.map(({ node, score }) => [node.data.kind, score])).toEqual([
      ['episodic', 0.9],
      ['working', 0.5],
    ]);
  });

  it('asks the database once, for the first sixty at most', async () => {
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push(await remember(`The walrus server listens on port ${n}.`));
    const nodes = await services.opened.graph.getAll(ids);
    const given = Array.from({ length: 400 }, (_, n) => ({
      node: nodes[n % 3] as (typeof nodes)[0],
      score: 1 - n / 400,
    }));
    const queries: number[] = [];
    const store: typeof services.opened.store = {
      ...services.opened.store,
      all: (query) => {
        queries.push(query.values.length);
        return services.opened.store.all(query);
      },
    };
    await markOutdated({ store }, given.slice(0, 3), { now });
    await markOutdated({ store }, given, { now });
    expect(queries).toHaveLength(2);
    expect(Math.max(...queries)).toBeLessThan(70);
  });
});
