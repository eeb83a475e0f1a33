// Tenants in a PostgreSQL database: a role that is subject to row security, and random queries that try to read the rows of
// another tenant.
import { openStore } from '../../src/store/open.ts';
import { Sql } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';
import type { Random } from '../fuzz/random.ts';

export const raw = (text: string) => new Sql([text], []);

/** Returns the address of the database for a role that may create schemas in it. */
export async function createTenantRole(admin: string): Promise<string> {
  const url = new URL(admin);
  const database = url.pathname.slice(1);
  url.username = `${database}_role`;
  const store = await openStore(admin);
  await store.run(raw(`create role ${url.username} login nosuperuser nobypassrls`));
  await store.run(raw(`grant create on database ${database} to ${url.username}`));
  await store.close();
  return url.href;
}

export async function listTables(store: Store, tenant: string): Promise<string[]> {
  const query = `select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
                 where nspname = 'tenant_${tenant}' and relkind = 'r' order by 1`;
  return (await store.all<{ name: string }>(raw(query))).map(({ name }) => name);
}

const shapes: readonly ((table: string, other: string) => string)[] = [
  (table) => `select count(*) as n from ${table}`,
  (table) => `select count(*) as n from (select * from ${table} order by 1 limit 5) as part`,
  (table, other) => `select count(*) as n from ${table} as a cross join ${other} as b`,
  (table, other) => `select count(*) as n from ${table} where exists (select 1 from ${other})`,
  (table, other) => `select count(*) as n from (select 1 from ${table} union all select 1 from ${other}) as both_`,
  (table) => `with part as (select * from ${table}) select count(*) as n from part`,
  (table) => `select count(*) as n from ${table} as t where t.ctid is not null and t::text like '%'`,
  (table) => `with gone as (delete from ${table} returning 1) select count(*) as n from gone`,
];

/** The number of rows of `tenant` that this many random queries of another tenant's connection see or delete. */
export async function tryReading(
  store: Store,
  tenant: string,
  times: number,
  { pick }: Pick<Random, 'pick'>,
): Promise<number> {
  const tables = (await listTables(store, tenant)).map((name) => `"tenant_${tenant}"."${name}"`);
  let seen = 0;
  for (let at = 0; at < times; at++) {
    const row = await store.one<{ n: number }>(raw(pick(shapes)(pick(tables), pick(tables))));
    seen += Number(row?.n);
  }
  return seen;
}
