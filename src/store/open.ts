// Opens the database of a location: postgres://… is PostgreSQL, anything else is a SQLite file.
import { describeLocation } from '../core/location.ts';
import { connectPostgres } from './postgres/client.ts';
import { toPostgresFailure } from './postgres/failure.ts';
import { createPostgresStore } from './postgres/postgres.ts';
import { openSqlite } from './sqlite/sqlite.ts';
import { defaultTimeoutMs, type Store, type StoreOptions } from './store.ts';

/** Longest wait for a new connection, in ms. */
const maxConnectMs = 5_000;

export async function openStore(location: string, options: StoreOptions = {}): Promise<Store> {
  if (/^postgres(ql)?:\/\//.test(location)) return openPostgres(location, options);
  return openSqlite(location.replace(/^sqlite:(\/\/)?/, ''), options);
}

async function openPostgres(url: string, { timeoutMs = defaultTimeoutMs }: StoreOptions): Promise<Store> {
  const location = describeLocation(url);
  const connectMs = Math.min(timeoutMs, maxConnectMs);
  try {
    return await createPostgresStore(await connectPostgres(url, { timeoutMs, connectMs }), location, { timeoutMs });
  } catch (error) {
    throw toPostgresFailure(error, location);
  }
}
