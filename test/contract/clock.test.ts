// Clocks that disagree: stored entries are found, forgotten and superseded ones stay so, and no job is taken over because a
// clock is ahead.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdMs, Operations } from '../../src/graph/operation/operation.ts';
import { graphMigrations } from '../../src/graph/tables.ts';
import { takeLease } from '../../src/store/lease.ts';
import { migrate } from '../../src/store/migrate.ts';
import { sql } from '../../src/store/sql.ts';
import { openSqlite } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { createDatabases } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

const hour = 3_600_000;

describe('clocks: services', () => {
  let path: string;
  let folder: string;
  let ahead: Services;
  let here: Services;
  let now: number;

  beforeEach(async () => {
    path = join(createFolder('clock'), 'lore.db');
    folder = createFolder('project');
    mkdirSync(join(folder, 'docs'));
    writeFileSync(join(folder, 'docs/beacon.md'), '# Beacon\n\nThe beacon turns twice a minute.\n');
    now = Date.now();
    const database = { name: 'SQLite', open: () => openSqlite(path) };
    ahead = await openServices(database, folder, { now: () => now + 2 * hour });
    here = await openServices(database, folder, { now: () => now });
  });
  afterEach(async () => {
    await ahead.close();
    await here.close();
  });

  const idsIn = (value: unknown) => JSON.stringify(value);

  it('every reading tool finds entries stored by a clock two hours ahead', async () => {
    const { id } = await ahead.call('remember', { content: 'The lighthouse keeper logs every ship.' });
    const other = await ahead.call('remember', { content: 'The lighthouse lamp is lit at dusk.', expires: '12h' });
    await here.call('remember', { content: 'The lighthouse has a spare lamp.' });
    const checkpoint = await ahead.call('checkpoint_save', { name: 'lamp', content: 'Repair the lighthouse lamp.' });
    await ahead.call('skill_save', { name: 'light-lamp', description: 'Lights a lamp', content: 'Strike a match.' });
    await ahead.call('remediation_save', {
      error_msg: 'Error: lamp ELAMP broke at lighthouse',
      solution: 'Change the bulb.',
    });
    await ahead.call('collection_create', { collection_name: 'manual' });
    await ahead.call('collection_ingest', { collection_name: 'manual', path: 'docs/beacon.md' });
    await ahead.opened.worker.idle();

    expect(idsIn(await here.call('recall', { query: 'lighthouse keeper ships' }))).toContain(id);
    expect(idsIn(await here.call('recall', { query: String(id) }))).toContain('logs every ship');
    expect(idsIn(await here.call('recall', { query: 'lighthouse lamp dusk' }))).toContain(other.id);
    expect(idsIn(await here.call('recent'))).toContain(id);
    expect(idsIn(await here.call('project', { verbose: true }))).toContain(id);
    expect(idsIn(await here.call('query_context', { query: 'lighthouse keeper' }))).toContain(id);
    expect(await here.call('stats')).toMatchObject({ memories: 3, hygiene: { expired: 0 } });
    expect(await here.call('cleanup', { dry_run: false })).toMatchObject({ count: 0 });
    expect(idsIn(await here.call('checkpoint_list'))).toContain(checkpoint.id);
    expect(idsIn(await here.call('checkpoint_list', { latest: true }))).toContain(checkpoint.id);
    expect(idsIn(await here.call('checkpoint_resume', { id: 'lamp' }))).toContain(checkpoint.id);
    expect(idsIn(await here.call('checkpoint_search', { query: 'lighthouse lamp' }))).toContain(checkpoint.id);
    expect(idsIn(await here.call('skill_search', { mode: 'list' }))).toContain('light-lamp');
    expect(idsIn(await here.call('remediation_search', { error_msg: 'Error: lamp ELAMP broke' }))).toContain('bulb');
    expect(idsIn(await here.call('collection_list'))).toContain('manual');
    expect(idsIn(await here.call('collection_search', { query: 'beacon turns' }))).toContain('twice a minute');
    expect(await here.text('recent')).not.toMatch(/\bin \d+ h/);
  });

  it('recall shows them on later pages too', async () => {
    const stored = new Set<unknown>();
    for (let n = 0; n < 6; n++) {
      const by = n % 2 === 0 ? ahead : here;
      stored.add((await by.call('remember', { content: `Harbour rule ${n}: moor at pier ${'abcdef'[n]}.` })).id);
    }
    const seen = new Set<unknown>();
    for (let cursor: unknown; ; ) {
      const page = await here.call('recall', {
        query: 'harbour rule moor pier',
        limit: 2,
        ...(cursor ? { cursor } : {}),
      });
      for (const { id } of page.memories as { id: string }[]) seen.add(id);
      cursor = page.next_cursor;
      if (!cursor) break;
    }
    expect(seen).toEqual(stored);
  });

  it('entries forgotten or superseded by a clock ahead stay hidden', async () => {
    const first = await here.call('remember', { content: 'The pilot boat leaves at six.' });
    const second = await ahead.call('remember', { content: 'The pilot boat leaves at seven.', supersedes: first.id });
    const third = await here.call('remember', { content: 'The pilot boat is painted red.' });
    await ahead.call('forget', { id: third.id });
    const found = idsIn([await here.call('recall', { query: 'pilot boat' }), await here.call('recent')]);
    expect(found).toContain(second.id);
    expect(found).not.toContain(`"id":"${first.id}"`);
    expect(found).not.toContain(third.id);
  });

  it('entries stored after the clock was set back are the newest', async () => {
    for (const name of ['one', 'two']) {
      await ahead.call('remember', { content: `The ${name} buoy is green.` });
      await ahead.call('checkpoint_save', { name, content: `Paint buoy ${name}.` });
    }
    const { id } = await here.call('remember', { content: 'The third buoy is red.' });
    expect(await here.call('recent', { limit: 1 })).toMatchObject({ memories: [{ id }] });
    const checkpoint = await here.call('checkpoint_save', { name: 'three', content: 'Paint buoy three.' });
    expect(await here.call('checkpoint_list', { latest: true })).toMatchObject({
      checkpoints: [{ id: checkpoint.id }],
    });
  });

  it('an expiry still applies, and as_of still works', async () => {
    const { id } = await here.call('remember', { content: 'The dock is closed for repairs.', expires: '1h' });
    expect(idsIn(await here.call('recent'))).toContain(id);
    expect(idsIn(await ahead.call('recent'))).not.toContain(id);
    const old = await here.call('remember', { content: 'The crane lifts five tons.' });
    now += 3 * hour;
    await here.call('remember', { content: 'The crane lifts nine tons.', supersedes: old.id });
    const then = await here.call('recall', { query: 'crane tons', as_of: new Date(now - hour).toISOString() });
    expect(then.memories).toMatchObject([{ id: old.id }]);
  });

  it('of two contradicting statements the last one is newer', async () => {
    const old = await ahead.call('remember', { content: 'The buoy server listens on port 7001.' });
    const { id } = await here.call('remember', { content: 'The buoy server listens on port 7002.' });
    const { memories } = await here.call('recall', { query: 'buoy server port' });
    expect(memories).toMatchObject([{ id }, { id: old.id, may_be_outdated_by: id }]);
  });
});

/** Runs it on a machine whose clock is off. */
async function withClock<T>(offMs: number, work: () => Promise<T>): Promise<T> {
  const real = Date.now.bind(Date);
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => real() + offMs);
  try {
    return await work();
  } finally {
    spy.mockRestore();
  }
}

const databases = createDatabases();
afterAll(() => Promise.all(databases.map((database) => database.stop?.())));

describe.each(databases)('clocks: work on $name', (database) => {
  async function open(): Promise<Store> {
    const store = await database.open();
    await migrate(store, graphMigrations);
    return store;
  }

  it('a dead holder loses its lease and its operation, even if the clock was set back', async () => {
    const store = await open();
    const operations = new Operations(store);
    const { id } = await operations.add('learn', 'p', {});
    expect(await takeLease(store, 'tidy', 10_000)).toBeDefined();
    await operations.claim(['learn'], 'dead');
    expect(await takeLease(store, 'tidy', 10_000)).toBeUndefined();
    expect(await operations.claim(['learn'], 'other')).toBeUndefined();
    await store.run(sql`update lease set until = until + ${hour}`);
    await store.run(sql`update operation set held_until = held_until + ${hour}`);
    expect(await takeLease(store, 'tidy', 10_000)).toBeDefined();
    expect(await operations.get(id)).toMatchObject({ state: 'queued' });
    expect(await operations.claim(['learn'], 'other')).toMatchObject({ id });
    await store.close();
  });
});

// PGlite's clock is this process's own.
describe.each(databases.filter(({ name }) => name === 'PostgreSQL'))('clocks: machines that share $name', (server) => {
  let store: Store;
  beforeEach(async () => {
    store = await server.open();
    await migrate(store, graphMigrations);
  });
  afterEach(() => store.close());

  it.each([holdMs + 1_000, hour, -hour])('a process that is %d ms off takes no work over', async (offMs) => {
    const operations = new Operations(store);
    const { id } = await operations.add('learn', 'p', {});
    const lease = await takeLease(store, 'tidy', 10_000);
    await operations.claim(['learn'], 'first');
    await withClock(offMs, async () => {
      expect(await takeLease(store, 'tidy', 10_000)).toBeUndefined();
      expect(await operations.get(id)).toMatchObject({ state: 'running' });
      expect(await operations.claim(['learn'], 'second')).toBeUndefined();
    });
    expect(await lease?.renew()).toBe(true);
  });

  it("a process with a wrong clock uses the server's time", async () => {
    const before = Date.now();
    const at = await withClock(2 * hour, async () => {
      const other = await server.open();
      const read = other.now();
      await other.close();
      return read;
    });
    expect(at).toBeGreaterThan(before - hour);
    expect(at).toBeLessThan(Date.now() + hour);
  });
});
