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

const isRoot = process.getuid?.() === 0;

/** A server of our own, which can be stopped. */
export const hasPostgresPrograms = findPrograms() !== undefined;

/** The one user that `startPostgres` asks for a password; to be created by who needs it. */
export const guardedUser = 'guarded';

/** In a folder of its own, with settings of its own, like fsync=off where nothing depends on the disk. */
export async function startPostgresIn(folder: string, ...settings: readonly string[]): Promise<PostgresServer> {
  const data = join(folder, 'data');
  const port = await findPort();
  if (isRoot) execFileSync('chown', ['-R', 'postgres', folder]);
  const run = (program: string, args: string[]) => runIn(folder, program, args);
  await run('initdb', ['-D', data, '-U', 'lore', '--auth=trust', '--no-sync']);
  const rules = join(data, 'pg_hba.conf');
  const guarded = `host all ${guardedUser} 127.0.0.1/32 scram-sha-256\n`;
  writeFileSync(rules, guarded + readFileSync(rules, 'utf8'));
  const options = [`-p ${port} -k ${folder}`, 'listen_addresses=127.0.0.1', ...settings].join(' -c ');
  const start = () => run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start']);
  const stop = () => stopPostgresIn(folder);
  await start();
  return { url: `postgres://lore@127.0.0.1:${port}/postgres`, start, stop };
}

export function stopPostgresIn(folder: string): Promise<void> {
  return runIn(folder, 'pg_ctl', ['-D', join(folder, 'data'), '-m', 'immediate', 'stop']);
}

/** As a user that PostgreSQL accepts. */
async function runIn(folder: string, program: string, args: readonly string[]): Promise<void> {
  const programs = findPrograms();
  if (!programs) throw new Error('no PostgreSQL here');
  const file = join(programs, program);
  const asPostgres = ['--reuid=postgres', '--regid=postgres', '--clear-groups', file, ...args];
  await promisify(execFile)(isRoot ? 'setpriv' : file, isRoot ? asPostgres : args, { cwd: folder });
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
