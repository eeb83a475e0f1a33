// Nothing acknowledged is lost: many processes write one database, and are killed without warning again and again. So is
// the PostgreSQL server they write to.
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openGraph } from '../../src/graph/open.ts';
import { openStore } from '../../src/store/open.ts';
import { sql } from '../../src/store/sql.ts';
import { startPostgres } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { hasPostgresPrograms, type PostgresServer } from '../support/postgres-server.ts';
import { runWriters } from './run-writers.ts';

/** 8 × 2,000 is what the product promises; the gate does a part of it. */
const writers = Number(process.env.CRASH_WRITERS ?? 4);
const writes = Number(process.env.CRASH_WRITES ?? 60);
const kills = Number(process.env.CRASH_KILLS ?? 2);
const timeout = 3_600_000;

const run = (location: string, onAcknowledged: (number: number) => void = () => {}) =>
  runWriters({ program: 'test/crash/writer.ts', location, writers, writes, kills, onAcknowledged });

async function expectKept(location: string, acknowledged: readonly Set<number>[]): Promise<void> {
  const { graph, store, close } = await openGraph(location);
  const rows = await store.all<{ id: string }>(sql`select id from node where kind = 'memory'`);
  const kept = new Set(rows.map(({ id }) => id));
  for (const [at, numbers] of acknowledged.entries()) {
    expect(numbers.size).toBe(writes);
    for (const number of numbers) expect(kept.has(`w${at}-${number}`), `w${at}-${number} was lost`).toBe(true);
  }
  expect(rows.length, 'nothing but what was written').toBe(writers * writes);
  const changes = await store.all<{ node_id: string }>(sql`select node_id from change where action = 'put'`);
  expect(changes.length, 'each was written once').toBe(writers * writes);
  const query = { query: `fact${writes - 1}`, projects: ['p'], kinds: ['memory'], limit: 50 };
  expect((await graph.find(query)).filter(({ text }) => text > 0.5)).toHaveLength(writers);
  await close();
}

describe('processes that are killed while they write', () => {
  it('lose nothing on SQLite', { timeout }, async () => {
    const location = join(createFolder('crash'), 'lore.db');
    await expectKept(location, await run(location));
    const store = await openStore(location);
    expect(await store.one(sql`pragma integrity_check`)).toEqual({ integrity_check: 'ok' });
    await store.close();
  });

  describe.skipIf(!hasPostgresPrograms)('with a server that crashes as often', () => {
    let server: PostgresServer | undefined;
    let crashing = Promise.resolve();
    afterAll(async () => {
      await crashing;
      await server?.stop();
    });

    it('lose nothing on PostgreSQL', { timeout }, async () => {
      server = await startPostgres();
      const { url, start, stop } = server;
      const every = Math.floor((writers * writes) / (kills + 2));
      let count = 0;
      let crashes = 0;
      const crash = async () => {
        await stop();
        await start();
        crashes++;
      };
      const acknowledged = await run(url, () => {
        count++;
        if (count % every === 0) crashing = crashing.then(crash);
      });
      await crashing;
      await expectKept(url, acknowledged);
      expect(crashes).toBeGreaterThan(kills);
    });
  });
});
