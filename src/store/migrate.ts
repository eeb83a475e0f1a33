// Migrates a database: ordered steps, each once, under a lock, all or nothing. A database that a newer version has migrated is
// refused.
import { LoreError } from '../core/error.ts';
import type { Migration } from '../core/migration.ts';
import { createSchema, protectTables, readTenant } from './postgres/tenant.ts';
import { sql } from './sql.ts';
import type { Store, Transaction } from './store.ts';

/** PostgreSQL's lock number for migrations, the same in every process. */
const lockKey = 7_105_633;

export async function migrate(store: Store, migrations: readonly Migration[]): Promise<void> {
  const tenant = store.dialect === 'postgres' ? await readTenant(store) : undefined;
  if (await isCurrent(store, migrations)) return;
  const bringUp = async (tx: Transaction) => {
    if (tx.dialect === 'postgres') await tx.one(sql`select pg_advisory_xact_lock(${lockKey})`);
    if (tenant !== undefined) await createSchema(tx, tenant);
    await tx.run(sql`create table if not exists migration (id text primary key, applied_at bigint not null)`);
    const applied = await readApplied(tx);
    refuseNewer(store, applied, migrations);
    for (const { id, up } of migrations) {
      if (applied.has(id)) continue;
      for (const statement of up(tx.dialect)) await tx.run(statement);
      await tx.run(sql`insert into migration (id, applied_at) values (${id}, ${Date.now()})`);
    }
    if (tenant !== undefined) await protectTables(tx, tenant);
  };
  // It checks itself which steps are applied, so repeating it is harmless.
  await store.tx(bringUp, { taken: async () => false });
  // On Node 22, statements prepared before the migration lack the new columns.
  await readApplied(store);
}

/** The common case, without a lock. */
async function isCurrent(store: Store, migrations: readonly Migration[]): Promise<boolean> {
  const exists =
    store.dialect === 'sqlite'
      ? sql`select name from sqlite_schema where type = 'table' and name = 'migration'`
      : sql`select table_name from information_schema.tables
            where table_schema = current_schema() and table_name = 'migration'`;
  if (!(await store.one(exists))) return false;
  const applied = await readApplied(store);
  refuseNewer(store, applied, migrations);
  return migrations.every(({ id }) => applied.has(id));
}

async function readApplied(from: Pick<Transaction, 'all'>): Promise<Set<string>> {
  const rows = await from.all<{ id: string }>(sql`select id from migration`);
  return new Set(rows.map(({ id }) => id));
}

/** Migrations of services that do not run here are ignored; unknown ones of a known owner are from a newer version. */
function refuseNewer(store: Store, applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ id }) => id));
  const owners = new Set(migrations.map(({ id }) => ownerOf(id)));
  const stranger = [...applied].find((id) => !known.has(id) && owners.has(ownerOf(id)));
  if (stranger === undefined) return;
  throw new LoreError(
    'conflict',
    `Cannot use database "${store.location}": a newer version of Lorekeeper has migrated it`,
    {
      hint: 'Update Lorekeeper, or use another database.',
      details: { migration: stranger },
    },
  );
}

function ownerOf(id: string): string {
  return id.split('/', 1)[0] as string;
}
