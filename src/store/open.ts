// Which database a location names: postgres://… for PostgreSQL, anything else a file for SQLite.
import { describeLocation } from '../core/location.ts';
import { connectPostgres, createPostgresStore } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';

export async function openStore(location: string): Promise<Store> {
  if (/^postgres(ql)?:\/\//.test(location)) {
    return createPostgresStore(await connectPostgres(location), describeLocation(location));
  }
  return openSqlite(location.replace(/^sqlite:(\/\/)?/, ''));
}
