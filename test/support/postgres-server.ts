// A PostgreSQL server from the machine's own programs, for tests and benches.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface PostgresServer {
  url: string;
  /** Ends it as a crash would: without a word to its clients, and with its recovery still to come. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Where the machine's own server programs are, if it has any. */
function findPrograms(): string | undefined {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base) : [];
  return versions.map((version) => join(base, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb')));
}

/** A server of our own, which can be stopped. */
export const hasPostgresPrograms = findPrograms() !== undefined;

/** The one user that `startPostgres` asks for a password; to be created by who needs it. */
export const guardedUser = 'guarded';

/** In a folder of its own, with settings of its own, like fsync=off where nothing depends on the disk. */
export async function startPostgresIn(folder: string, ...settings: readonly string[]): Promise<PostgresServer> {
  const programs = findPrograms();
  if (!programs) throw new Error('no PostgreSQL here');
  const data = join(folder, 'data');
  const port = await findPort();
  const asRoot = process.getuid?.() === 0;
  if (asRoot) execFileSync('chown', ['-R', 'postgres', folder]);
  const run = async (program: string, args: string[]) => {
    const [command, rest] = asRoot
      ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', join(programs, program), ...args]]
      : [join(programs, program), args];
    await promisify(execFile)(command as string, rest as string[], { cwd: folder });
  };
  await run('initdb', ['-D', data, '-U', 'lore', '--auth=trust', '--no-sync']);
  const rules = join(data, 'pg_hba.conf');
  const guarded = `host all ${guardedUser} 127.0.0.1/32 scram-sha-256\n`;
  writeFileSync(rules, guarded + readFileSync(rules, 'utf8'));
  const options = [`-p ${port} -k ${folder}`, 'listen_addresses=127.0.0.1', ...settings].join(' -c ');
  const start = () => run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start']);
  const stop = () => run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
  await start();
  return { url: `postgres://lore@127.0.0.1:${port}/postgres`, start, stop };
}

function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
