// The databases the contract tests run over: SQLite, PGlite (PostgreSQL's own code in process) and a real PostgreSQL
// server, from TEST_POSTGRES_URL or started here from the machine's own programs.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { connectPostgres, createPostgresStore, type PostgresClient } from '../../src/store/postgres.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { createFolder } from './folder.ts';

export interface Database {
  name: string;
  /** A store on an empty database of its own. */
  open(): Promise<Store>;
  stop?(): Promise<void>;
}

export const sqlite: Database = { name: 'SQLite', open: () => openSqlite(join(createFolder('sqlite'), 'lore.db')) };

/** One client, and slow to start: one for each test file, a schema for each store. */
export function createPglite(): Database {
  let starting: Promise<PGlite> | undefined;
  let count = 0;
  return {
    name: 'PGlite',
    async open() {
      starting ??= PGlite.create();
      const engine = await starting;
      const schema = `s${++count}`;
      await engine.exec(`create schema ${schema}; set search_path to ${schema}`);
      return createPostgresStore(wrapPglite(engine), 'pglite');
    },
    stop: async () => (await starting)?.close(),
  };
}

function wrapPglite(engine: PGlite): PostgresClient {
  type Runner = Pick<PGlite, 'query'>;
  const run = async (runner: Runner, text: string, values: readonly unknown[]) => {
    const { rows, affectedRows } = await runner.query(text, values as unknown[]);
    return { rows, changes: affectedRows ?? 0 };
  };
  return {
    query: (text, values) => run(engine, text, values),
    begin: <T>(work: (client: Pick<PostgresClient, 'query'>) => Promise<T>) =>
      engine.transaction((inner) =>
        work({ query: (text, values) => run(inner as unknown as Runner, text, values) }),
      ) as Promise<T>,
    end: async () => {},
  };
}

export interface PostgresServer {
  url: string;
  stop(): Promise<void>;
  restart(): Promise<void>;
}

/** Where the machine's own server programs are, if it has any. */
function findPrograms(): string | undefined {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base) : [];
  return versions.map((version) => join(base, version, 'bin')).find((folder) => existsSync(join(folder, 'initdb')));
}

export const hasPostgres = process.env.TEST_POSTGRES_URL !== undefined || findPrograms() !== undefined;

export async function startPostgres(): Promise<PostgresServer> {
  const programs = findPrograms();
  if (!programs) throw new Error('no PostgreSQL here');
  const folder = createFolder('postgres');
  const data = join(folder, 'data');
  const port = await findPort();
  const asRoot = process.getuid?.() === 0;
  if (asRoot) execFileSync('chown', ['-R', 'postgres', folder]);
  const run = (program: string, args: string[]) => {
    const [command, rest] = asRoot
      ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', join(programs, program), ...args]]
      : [join(programs, program), args];
    execFileSync(command as string, rest as string[], { stdio: 'ignore', cwd: folder });
  };
  run('initdb', ['-D', data, '-U', 'lore', '--auth=trust', '--no-sync']);
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`;
  const start = () => run('pg_ctl', ['-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start']);
  start();
  return {
    url: `postgres://lore@127.0.0.1:${port}/postgres`,
    async stop() {
      run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
    },
    async restart() {
      run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
      start();
    },
  };
}

/** A database of its own on a server, for each store. */
export function createPostgres(): Database {
  let server: Promise<PostgresServer> | undefined;
  let count = 0;
  return {
    name: 'PostgreSQL',
    async open() {
      const given = process.env.TEST_POSTGRES_URL;
      if (given === undefined) server ??= startPostgres();
      const url = new URL(given ?? ((await server) as PostgresServer).url);
      const admin = await connectPostgres(url.href);
      const name = `lore_${process.pid}_${++count}`;
      await admin.query(`create database ${name}`, []);
      await admin.end();
      url.pathname = `/${name}`;
      return createPostgresStore(await connectPostgres(url.href), url.href);
    },
    stop: async () => (await server)?.stop(),
  };
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
