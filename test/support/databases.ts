// The databases that contract tests run on: SQLite, PGlite (PostgreSQL's own code in process) and a real PostgreSQL
// server, from TEST_POSTGRES_URL or started here from the machine's own programs.
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { openGraph } from '../../src/graph/open.ts';
import { openStore } from '../../src/store/open.ts';
import type { PostgresClient } from '../../src/store/postgres/client.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres.ts';
import { sql } from '../../src/store/sql.ts';
import { openSqlite } from '../../src/store/sqlite/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { createFolder } from './folder.ts';
import { hasPostgresPrograms, type PostgresServer, startPostgresIn } from './postgres-server.ts';
import { useRunServer } from './run-postgres.ts';

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
      starting ??= import('@electric-sql/pglite').then((pglite) => pglite.PGlite.create());
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

export const hasPostgres = process.env.TEST_POSTGRES_URL !== undefined || hasPostgresPrograms;

/** In a folder that goes with the test. */
export function startPostgres(...settings: readonly string[]): Promise<PostgresServer> {
  return startPostgresIn(createFolder('postgres'), ...settings);
}

let databases = 0;

/** Creates an empty database, on the run's server unless `server` names another, and returns its address. */
export async function createDatabase(server?: string): Promise<string> {
  const url = new URL(server ?? process.env.TEST_POSTGRES_URL ?? (await useRunServer()));
  const admin = await openStore(url.href);
  url.pathname = `/lore_${process.pid}_${Date.now().toString(36)}_${++databases}`;
  await admin.run(sql([`create database ${url.pathname.slice(1)}`] as unknown as TemplateStringsArray));
  await admin.close();
  return url.href;
}

/** The address of an empty database for several processes: a file where the machine has no PostgreSQL server. */
export async function createSharedDatabase(): Promise<string> {
  return hasPostgres ? createDatabase() : join(createFolder('shared'), 'lore.db');
}

/** A database of its own on the run's server, for each store. */
export function createPostgres(): Database {
  return { name: 'PostgreSQL', open: async () => openStore(await createDatabase()) };
}

/** Puts so many memories into a database: m0, m1 and so on. */
export async function writeMemories(location: string, count: number): Promise<void> {
  const { graph, close } = await openGraph(location);
  const texts = Array.from({ length: count }, (_, n) => `fact${n} ${'about something or other '.repeat(20)}`);
  await graph.put(
    texts.map((text, n) => ({ id: `m${n}`, project: 'p', kind: 'memory', text })),
    'test',
  );
  await close();
}

/** `npm run test:all` sets it: every contract over every engine. */
const everyEngine = process.env.LORE_TEST_ENGINES === 'all';

/** The engines that code which sees SQL is tested on: PGlite stands in where the machine has no PostgreSQL server. */
export function createDatabases(): Database[] {
  if (everyEngine) return [sqlite, createPglite(), ...(hasPostgres ? [createPostgres()] : [])];
  return [sqlite, createServerDatabase()];
}

/** Services never see the dialect, so SQLite suffices for their contracts; services-postgres.test.ts covers the rest. */
export function createServiceDatabases(): Database[] {
  return everyEngine ? createDatabases() : [sqlite];
}

export function createServerDatabase(): Database {
  return hasPostgres ? createPostgres() : createPglite();
}
