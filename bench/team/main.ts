// The bench with a PostgreSQL server of its own.
import { createDatabase, startServer } from '../store/postgres.ts';
import { compareNotified, type NotifyNumbers } from './notify.ts';
import { runTeam, type TeamNumbers } from './run.ts';

interface Options extends TeamNumbers, NotifyNumbers {
  root: string;
  folder: string;
  part?: 'load' | 'notify';
}

export async function run({ part, ...options }: Options) {
  const server = await startServer('max_connections=400');
  if (!server) throw new Error('Cannot run: the machine has no PostgreSQL server');
  const create = (name: string) => createDatabase(server.url, name);
  try {
    return {
      ...(part !== 'notify' && { load: await runTeam({ ...options, admin: await create('team') }) }),
      ...(part !== 'load' && { notify: await compareNotified(options, create) }),
    };
  } finally {
    await server.stop();
  }
}
