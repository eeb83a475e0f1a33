// Tenants of one PostgreSQL database. Each has a schema of its own, so that one cannot collide with another, and row security on
// every table, so that no query reads another's rows, even by their full name. The tenant is a parameter with which a connection
// starts: a connection never changes its tenant, and one without a tenant sees nothing.
import { LoreError } from '../../core/error.ts';
import { Sql, sql } from '../sql.ts';
import type { Store, Transaction } from '../store.ts';

const parameter = 'lore.tenant';

/** The address of the tenant's part of a database. The name consists of letters, digits, `_` and `-`. */
export function locateTenant(location: string, tenant: string): string {
  const url = new URL(location);
  url.searchParams.set(parameter, tenant);
  url.searchParams.set('search_path', quoteName(schemaOf(tenant)));
  return url.href;
}

/** The name of the connection's tenant, if it has one. Throws if its role would not be subject to row security. */
export async function readTenant(store: Pick<Store, 'one' | 'location'>): Promise<string | undefined> {
  const found = await store.one<{ tenant: string | null; bypasses: boolean }>(
    sql`select current_setting(${parameter}, true) as tenant, rolsuper or rolbypassrls as bypasses
        from pg_roles where rolname = current_user`,
  );
  if (!found?.tenant) return undefined;
  if (!found.bypasses) return found.tenant;
  throw new LoreError(
    'forbidden',
    `Cannot serve tenants from database "${store.location}": its role bypasses row security`,
    {
      hint: 'Use a role that is not a superuser and has no BYPASSRLS: create role lore login; grant create on database … to lore.',
    },
  );
}

/** Before the first migration. */
export async function createSchema(tx: Pick<Transaction, 'run'>, tenant: string): Promise<void> {
  await tx.run(raw(`create schema if not exists ${quoteName(schemaOf(tenant))}`));
}

/** After every migration: tables that are new get the rule too. The owner is subject to it as well. */
export async function protectTables(tx: Pick<Transaction, 'all' | 'run'>, tenant: string): Promise<void> {
  const tables = await tx.all<{ name: string }>(
    sql`select relname as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where nspname = ${schemaOf(tenant)} and relkind in ('r', 'p') and not relforcerowsecurity`,
  );
  for (const { name } of tables) {
    const table = `${quoteName(schemaOf(tenant))}.${quoteName(name)}`;
    await tx.run(raw(`alter table ${table} enable row level security, force row level security`));
    await tx.run(raw(`create policy tenant on ${table} using (current_setting('${parameter}', true) = '${tenant}')`));
  }
}

function schemaOf(tenant: string): string {
  return `tenant_${tenant}`;
}

function quoteName(name: string): string {
  return `"${name}"`;
}

/** Statements that define something take no parameters. */
function raw(text: string): Sql {
  return new Sql([text], []);
}
