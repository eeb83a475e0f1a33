// Which database a word names: a path or sqlite:… for SQLite, postgres://… for PostgreSQL; and where it is by default.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { connectPostgres, createPostgresStore } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';

export async function openStore(location: string): Promise<Store> {
  if (/^postgres(ql)?:\/\//.test(location)) {
    return createPostgresStore(await connectPostgres(location), describeLocation(location));
  }
  return openSqlite(location.replace(/^sqlite:(\/\/)?/, ''));
}

/** The location without its password, for people and logs. */
export function describeLocation(location: string): string {
  return location.replace(
    /^(\w+:\/\/)([^@/]*)@/,
    (_, scheme: string, user: string) => `${scheme}${user.split(':')[0]}@`,
  );
}

/** The platform's usual place for a user's data. */
export function defaultLocation(env: NodeJS.ProcessEnv = process.env): string {
  const folder =
    process.platform === 'win32'
      ? (env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'))
      : process.platform === 'darwin'
        ? join(homedir(), 'Library', 'Application Support')
        : env.XDG_DATA_HOME || join(homedir(), '.local', 'share');
  return join(folder, 'lorekeeper', 'lore.db');
}
