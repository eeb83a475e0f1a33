// What is in the database afterwards: every acknowledged write, and nothing that another tenant can see.
import { openStore } from '../../src/store/open.ts';
import { locateTenant } from '../../src/store/postgres/tenant.ts';
import { createRandom } from '../../test/fuzz/random.ts';
import { fillTables, raw, tryReading } from '../../test/support/tenants.ts';
import type { OpenClient } from './servers.ts';

/** Writes that are not in the database. */
export async function countLost(url: string, written: ReadonlyMap<string, readonly string[]>): Promise<number> {
  let lost = 0;
  for (const [tenant, markers] of written) {
    const store = await openStore(locateTenant(url, tenant));
    const rows = await store.all<{ text: string }>(raw("select text from node where text like 'Marker %'"));
    const found = new Set(rows.map(({ text }) => text.split(' ', 2)[1]));
    lost += markers.filter((marker) => !found.has(marker)).length;
    await store.close();
  }
  return lost;
}

/** Rows that random queries of each tenant read from the tables of the next one, all of which have some. */
export async function countForeign(url: string, admin: string, tenants: readonly string[], queries: number) {
  const all = await openStore(admin);
  for (const tenant of tenants) await fillTables(all, tenant);
  await all.close();
  const read = async (tenant: string, of: string, times: number, at: number) => {
    const store = await openStore(locateTenant(url, tenant));
    const seen = await tryReading(store, of, times, createRandom(1, at));
    await store.close();
    return seen;
  };
  let foreign = 0;
  for (const [at, tenant] of tenants.entries()) {
    const other = tenants[(at + 1) % tenants.length] as string;
    foreign += await read(tenant, other, Math.ceil(queries / tenants.length), at);
  }
  const [own] = tenants as [string];
  return { foreignRows: foreign, ownRows: await read(own, own, 20, 0) };
}

/** Results of recall that another tenant stored. */
export async function countForeignResults(url: string, tenants: readonly string[], open: OpenClient): Promise<number> {
  let seen = 0;
  for (const [at, tenant] of tenants.entries()) {
    const client = await open(url, tenant, 'w0');
    for (const other of tenants.filter((_, index) => index !== at)) {
      const query = `Marker ${other}w0n0x of ${other}w0`;
      const found = await client.call('recall', { query, project: 'all' });
      if (found.includes(`${other}w0n`)) seen++;
    }
  }
  return seen;
}
