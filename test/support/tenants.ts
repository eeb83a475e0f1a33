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

export async function listTables(store: Pick<Store, 'all'>, tenant: string): Promise<string[]> {
  const query = `select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
                 where nspname = 'tenant_${tenant}' and relkind = 'r' order by 1`;
  return (await store.all<{ name: string }>(raw(query))).map(({ name }) => name);
}

/** Puts a row into every empty table, so that reading none of them means something. Returns how many rows each has. */
export async function fillTables(admin: Store, tenant: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await admin.tx(async (tx) => {
    // Without the checks of references.
    await tx.run(raw('set local session_replication_role = replica'));
    for (const name of await listTables(tx, tenant)) {
      const table = `"tenant_${tenant}"."${name}"`;
      const count = async () => Number((await tx.one<{ n: number }>(raw(`select count(*) as n from ${table}`)))?.n);
      if ((await count()) === 0) {
        const columns = await tx.all<{ name: string; type: string }>(
          raw(`select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
               where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attidentity = ''`),
        );
        const values = columns.map(({ type }) => (type === 'bytea' ? `'\\x01'::bytea` : `'1'::${type}`));
        await tx.run(raw(`insert into ${table} (${columns.map((one) => one.name)}) values (${values})`));
      }
      counts[name] = await count();
    }
  });
  return counts;
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
  (table) => `select coalesce(sum(length(t::text)), 0) as n from ${table} as t`,
  (table) => `select count(*) as n from (select * from ${table} for update) as part`,
  (table) => `select count(*) as n from ${table} tablesample bernoulli (100)`,
  (table, other) =>
    `select count(*) as n from ${table} as a, lateral (select 1 from ${other} where a.ctid is not null) as b`,
  (table, other) => `select (exists (select 1 from ${table}) or exists (table ${other}))::int as n`,
  (table) => `select coalesce(json_array_length((select json_agg(t) from ${table} as t)), 0) as n`,
  (table) => `select count(*) as n from pg_stats where schemaname || '.' || tablename = replace('${table}', '"', '')`,
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
