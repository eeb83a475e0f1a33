// Checks a database for damage that reads would find only by chance.
import { sql } from './sql.ts';
import { toDamage } from './sqlite/failure.ts';
import type { Store } from './store.ts';

/** Reads the whole SQLite file and throws if it is damaged; PostgreSQL checks its own files. */
export async function refuseDamage(store: Store): Promise<void> {
  if (store.dialect !== 'sqlite') return;
  const found = await store.one<{ integrity_check: string }>(sql`pragma integrity_check(1)`);
  if (found?.integrity_check !== 'ok') throw toDamage(found?.integrity_check, store.location);
}
