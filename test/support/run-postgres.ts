// One PostgreSQL server for all test files of a run: the first that needs it starts it, and it ends with the run.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { vi } from 'vitest';
import { startPostgresIn } from './postgres-server.ts';
import { postgresFolder, postgresUrl } from './run.ts';

/** Its address. */
export async function useRunServer(): Promise<string> {
  const file = postgresUrl();
  try {
    mkdirSync(postgresFolder());
  } catch {
    return vi.waitFor(() => readFileSync(file, 'utf8'), { timeout: 120_000 });
  }
  const { url } = await startPostgresIn(postgresFolder(), 'fsync=off', 'max_connections=300');
  // Whoever reads it reads all of it.
  writeFileSync(`${file}-next`, url);
  renameSync(`${file}-next`, file);
  return url;
}
