// Tenants of one PostgreSQL database: each sees its own rows only, by whatever query.
import { expect, it, onTestFinished } from 'vitest';
import { openGraph } from '../../src/graph/open.ts';
import { compactIndex } from '../../src/search/compact.ts';
import { openStore } from '../../src/store/open.ts';
import { locateTenant } from '../../src/store/postgres/tenant.ts';
import { createRandom } from '../fuzz/random.ts';
import { createDatabase, hasPostgres } from '../support/databases.ts';
import { createTenantRole, fillTables, raw, tryReading } from '../support/tenants.ts';

/** PGlite has one user, who bypasses row security. */
const server = hasPostgres ? it : it.skip;

async function open(url: string, tenant: string) {
  const opened = await openGraph(locateTenant(url, tenant));
  onTestFinished(() => opened.close());
  return opened;
}

server('tenants: share a database and see nothing of each other', async () => {
  const admin = await createDatabase();
  const url = await createTenantRole(admin);
  const [one, other] = [await open(url, 'one'), await open(url, 'Other-2')];
  for (const [opened, text] of [
    [one, 'The gateway uses port 9443.'],
    [other, 'The gateway uses port 7001.'],
  ] as const) {
    await opened.graph.put([{ id: 'm1', project: 'p', kind: 'memory', text }], 'test');
    await opened.operations.add('test', 'p', {});
    expect(await compactIndex(opened.store, { limit: 1 })).toBe(true);
  }
  expect((await one.graph.get('m1'))?.text).toContain('9443');
  expect((await other.graph.get('m1'))?.text).toContain('7001');
  const all = await openStore(admin);
  onTestFinished(() => all.close());
  const counts = await fillTables(all, 'Other-2');
  expect(Object.keys(counts)).toEqual(
    expect.arrayContaining(['node', 'change', 'document', 'fresh', 'segment', 'posting', 'operation', 'lease']),
  );
  expect(Object.values(counts)).not.toContain(0);
  const unforced = `select relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
                    where nspname like 'tenant%' and relkind = 'r' and not (relrowsecurity and relforcerowsecurity)`;
  expect(await all.all(raw(unforced))).toEqual([]);
  expect(await tryReading(one.store, 'Other-2', 400, createRandom(7, 1))).toBe(0);
  await expect(one.store.run(raw(`insert into "tenant_Other-2".lease values ('x', 'y', 1)`))).rejects.toThrow();
  // The same role without a tenant.
  const nobody = await openStore(url);
  onTestFinished(() => nobody.close());
  expect(await tryReading(nobody, 'Other-2', 50, createRandom(7, 2))).toBe(0);
  // The tenant itself sees rows with such queries.
  expect(await tryReading(other.store, 'Other-2', 50, createRandom(7, 3))).toBeGreaterThan(0);
});

server('tenants: are refused with a role that bypasses row security', async () => {
  await expect(openGraph(locateTenant(await createDatabase(), 'one'))).rejects.toThrow(/bypasses row security/);
});
