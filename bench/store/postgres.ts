// A PostgreSQL server for the bench, from the machine's own programs, with its disk in earnest.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/open.ts';
import { sql } from '../../src/store/sql.ts';
import { hasPostgresPrograms, type PostgresServer, startPostgresIn } from '../../test/support/postgres-server.ts';

/** Nothing where the machine has none. */
export async function startServer(
  ...settings: readonly string[]
): Promise<Pick<PostgresServer, 'url' | 'stop'> | undefined> {
  if (!hasPostgresPrograms) return undefined;
  // Of its own, since the server may run as another user.
  const folder = mkdtempSync(join(tmpdir(), 'lore-bench-postgres-'));
  const server = await startPostgresIn(folder, ...settings);
  return {
    url: server.url,
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function createDatabase(server: string, name: string): Promise<string> {
  const admin = await openStore(server);
  await admin.run(sql([`create database ${name}`] as unknown as TemplateStringsArray));
  await admin.close();
  return new URL(`/${name}`, server).href;
}
