// The bench with a PostgreSQL server of its own.
import { createDatabase, startServer } from '../store/postgres.ts';
import { compareThroughput } from './notify.ts';
import { runTeam, type TeamNumbers } from './run.ts';

export async function run({ root, folder, ...numbers }: TeamNumbers & { root: string; folder: string }) {
  const server = await startServer('max_connections=400');
  if (!server) throw new Error('Cannot run: the machine has no PostgreSQL server');
  try {
    const admin = await createDatabase(server.url, 'team');
    const team = numbers.servers === 0 ? {} : await runTeam({ ...numbers, root, folder, admin });
    return { ...team, notify: await compareThroughput(await createDatabase(server.url, 'notify'), numbers.writers) };
  } finally {
    await server.stop();
  }
}
