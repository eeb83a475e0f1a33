// A dump from one database loads into any other and searches the same; two dumps of one graph are equal.
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { exportLines, importLines } from '../../src/graph/dump.ts';
import { Graph } from '../../src/graph/graph.ts';
import { graphMigrations } from '../../src/graph/tables.ts';
import { migrate } from '../../src/store/migrate.ts';
import { sql } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';
import { createServerDatabase, type Database, sqlite } from '../support/databases.ts';

const postgres = createServerDatabase();
const pairs: { from: Database; to: Database }[] = [
  { from: sqlite, to: sqlite },
  { from: sqlite, to: postgres },
  { from: postgres, to: sqlite },
];

const opened: Store[] = [];
afterEach(() => Promise.all(opened.splice(0).map((store) => store.close())));
afterAll(() => postgres.stop?.());

async function open(database: Database) {
  const store = await database.open();
  opened.push(store);
  await migrate(store, graphMigrations);
  return { store, graph: new Graph({ store }) };
}

async function dump(store: Store): Promise<string[]> {
  const all: string[] = [];
  for await (const line of exportLines(store)) all.push(line);
  return all;
}

async function* lines(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

describe.each(pairs)('a dump from $from.name into $to.name', ({ from, to }) => {
  it('restores the same graph and the same results', async () => {
    const source = await open(from);
    const texts = [
      'We deploy on Fridays, see docs/deploy.md.',
      'Quotes " and \\ and \u2028 and äöü 🦉',
      'Fridays are \n calm.',
    ];
    const nodes = await source.graph.put(
      texts.map((text, n) => ({
        project: 'p',
        kind: 'memory',
        text,
        importance: 0.1 + n / 3,
        data: { n, deep: [null, 1.5] },
      })),
      'ann',
    );
    await source.graph.expire(nodes[1]?.id as string, 'bob');
    const target = await open(to);
    const written = await dump(source.store);
    expect(await importLines(target.store, lines(...written))).toBe(written.length - 1);
    expect(await target.graph.reindex()).toBe(3);
    expect(await dump(target.store)).toEqual(written);
    const query = { query: 'friday deploys', projects: ['p'] };
    const ids = async (graph: Graph) => (await graph.find(query)).map(({ node, score }) => [node.id, score.toFixed(4)]);
    expect(await ids(target.graph)).toEqual(await ids(source.graph));
    expect(await importLines(target.store, lines(...written)), 'a second import adds nothing').toBe(0);
  });
});

describe.each([sqlite, postgres])('a dump from $name', (database) => {
  it('omits derived nodes, except those that memories link to', async () => {
    const { store, graph } = await open(database);
    const kinds = { m1: 'memory', e1: 'entity', f1: 'file', s1: 'symbol', s2: 'symbol' };
    await graph.put(
      Object.entries(kinds).map(([id, kind]) => ({ id, project: 'p', kind, text: `${id} swims` })),
      'ann',
    );
    for (const [from, kind, to] of [
      ['m1', 'about', 's1'],
      ['m1', 'mentions', 'e1'],
      ['e1', 'is', 'f1'],
      ['f1', 'contains', 's1'],
      ['s1', 'calls', 's2'],
    ] as const)
      await graph.link({ from, kind, to });
    const rows = (await dump(store)).map((line) => JSON.parse(line) as Record<string, string[]>);
    expect(rows.flatMap(({ node }) => node?.[0] ?? [])).toEqual(['e1', 'm1', 's1']);
    expect(rows.flatMap(({ edge }) => (edge ? [edge.slice(0, 3).join(' ')] : []))).toEqual([
      'm1 about s1',
      'm1 mentions e1',
    ]);
  });
});

describe.each([sqlite, postgres])('a dump from $name while others write', (database) => {
  it('is a snapshot of the graph', async () => {
    const { store, graph } = await open(database);
    const all = Array.from({ length: 2_500 }, (_, n) => ({
      id: `n_${10_000 + n}`,
      project: 'p',
      kind: 'memory',
      text: `fact ${n}`,
    }));
    await graph.put(all, 'ann', { mentions: false });
    const before = await dump(store);
    const seen: string[] = [];
    for await (const line of exportLines(store)) {
      seen.push(line);
      if (seen.length !== 700) continue;
      await store.tx(async (tx) => {
        await tx.run(sql`delete from node where id < ${'n_10100'}`);
        await tx.run(sql`update node set text = ${'changed'} where id = ${'n_12400'}`);
      });
      await graph.put([{ id: 'n_0', project: 'p', kind: 'memory', text: 'new' }], 'bob');
    }
    expect(seen).toEqual(before);
    expect((await dump(store)).length).toBeLessThan(before.length);
  });

  it('does not block writers when it is abandoned', async () => {
    const { store, graph } = await open(database);
    await graph.put([{ project: 'p', kind: 'memory', text: 'fact' }], 'ann');
    for await (const _ of exportLines(store)) break;
    await graph.put([{ project: 'p', kind: 'memory', text: 'another' }], 'ann');
    expect(await dump(store)).toHaveLength(5);
  });
});

describe('an untrusted dump', () => {
  it.each([
    ['nonsense', 'Cannot import line 2: it is not JSON'],
    ['{"node":[1]}', 'Cannot import line 2: it is not a row of a graph'],
    ['{"edge":["a","knows","b","p",1,"{",1]}', 'Cannot import line 2: its data is not JSON'],
    ['{"format":"other"}', 'Cannot import line 2: its format is "other"'],
  ])('with %s is refused, and nothing is stored', async (line, told) => {
    const { store, graph } = await open(sqlite);
    const other = await open(sqlite);
    await other.graph.put([{ project: 'p', kind: 'memory', text: 'fine' }], 'ann');
    const [, good] = await dump(other.store);
    await expect(importLines(store, lines(good as string, line))).rejects.toThrow(told);
    expect(await graph.reindex()).toBe(0);
  });
});

describe.each([sqlite, postgres])('a dump of an earlier version into $name', (database) => {
  it('restores memories hidden by inference, and changes nothing else', async () => {
    const source = await open(sqlite);
    const [old, again] = ['The port is 1.', 'The port is 2.'];
    await source.graph.put([{ id: 'n_old', project: 'p', kind: 'memory', text: old }], 'ann');
    const since = source.graph.now();
    const supersede = [{ old: 'n_old', by: 'n_new', since }];
    await source.graph.put([{ id: 'n_new', project: 'p', kind: 'memory', text: again }], 'ann', { supersede });
    const target = await open(database);
    await target.graph.put([{ id: 'n_own', project: 'p', kind: 'memory', text: 'Kept here.' }], 'bob');
    const own = [{ old: 'n_own', by: 'n_by', since: target.graph.now() }];
    await target.graph.put([{ id: 'n_by', project: 'p', kind: 'memory', text: 'Kept.' }], 'bob', { supersede: own });
    const [, ...rows] = await dump(source.store);
    const odd = ['n_odd', 'p', 'memory', '', 'Odd.', ' {"kind":"working","reason":"x"}', 0.5, 1, '', 1, 1, 1, 1];
    rows.push(JSON.stringify({ node: [...odd, 1 + 86_400_000, null, null, 'h'] }));
    rows.push(JSON.stringify({ node: ['n_quote', ...odd.slice(1), 2, 'a"b', null, 'h'] }));
    await importLines(target.store, lines('{"format":"lorekeeper-graph-1"}', ...rows));
    const [restored, kept] = await target.graph.getAll(['n_old', 'n_own']);
    expect(restored).toMatchObject({ text: old, validTo: undefined, supersededBy: undefined });
    expect(kept).toMatchObject({ supersededBy: 'n_by' });
    expect((await target.graph.get('n_odd'))?.data).toMatchObject({ kind: 'working', fades: 1 + 86_400_000 });
    expect(await target.graph.history('n_quote')).toMatchObject([{ before: { supersededBy: 'a"b' } }]);
    expect(await target.store.all(sql`select to_id from edge where kind = 'may_disagree'`)).toEqual([
      { to_id: 'n_old' },
    ]);
  });
});
