// PostgreSQL through postgres.js: pooled, pipelined, and back after the server was. A write whose outcome a lost
// connection hides is not repeated: only the caller knows whether doing it twice would matter.
import { setTimeout as sleep } from 'node:timers/promises';
import { isLostConnection, toPostgresFailure } from './failure.ts';
import type { Sql } from './sql.ts';
import type { Store, Transaction } from './store.ts';

/** What this driver needs of a client: postgres.js has it, and PGlite is given it in tests. */
export interface PostgresClient {
  query(text: string, values: readonly unknown[]): Promise<{ rows: unknown[]; changes: number }>;
  begin<T>(work: (client: Pick<PostgresClient, 'query'>) => Promise<T>): Promise<T>;
  end(): Promise<void>;
}

/** Two transactions stood in each other's way, or a deadlock was broken: the same work again will do. */
const retriedCodes = new Set(['40001', '40P01']);
const maxTries = 8;
/** How long reads wait for a server that is coming back. */
const patienceMs = 10_000;

export function createPostgresStore(client: PostgresClient, where: string): Store {
  const told = (error: unknown) => toPostgresFailure(error, where);

  async function query(text: Sql) {
    const until = Date.now() + patienceMs;
    for (;;) {
      try {
        return await client.query(render(text), text.values.map(toParameter));
      } catch (error) {
        const isRead = /^\s*select\b/i.test(text.parts[0] as string);
        if (!isRead || !isLostConnection(error) || Date.now() > until) throw told(error);
        await sleep(100);
      }
    }
  }

  async function tx<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let round = 1; ; round++) {
      try {
        return await client.begin((inner) => work(createTransaction(inner)));
      } catch (error) {
        const code = String((error as { code?: unknown })?.code ?? '');
        if (!retriedCodes.has(code) || round >= maxTries) throw told(error);
        await sleep(Math.random() * 10 * round);
      }
    }
  }

  return {
    dialect: 'postgres',
    all: async <Row>(text: Sql) => (await query(text)).rows as Row[],
    one: async <Row>(text: Sql) => (await query(text)).rows[0] as Row | undefined,
    run: async (text) => (await query(text)).changes,
    tx,
    close: () => client.end(),
  };
}

function createTransaction(client: Pick<PostgresClient, 'query'>): Transaction {
  const query = (text: Sql) => client.query(render(text), text.values.map(toParameter));
  return {
    dialect: 'postgres',
    all: async <Row>(text: Sql) => (await query(text)).rows as Row[],
    one: async <Row>(text: Sql) => (await query(text)).rows[0] as Row | undefined,
    run: async (text) => (await query(text)).changes,
  };
}

function render(text: Sql): string {
  return text.text((index) => `$${index}`);
}

/** PostgreSQL's text cannot hold U+0000, which some texts have; SQLite's can. */
function toParameter(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

export async function connectPostgres(url: string): Promise<PostgresClient> {
  const { default: postgres } = await import('postgres');
  const connection = postgres(url, {
    max: 8,
    idle_timeout: 60,
    connect_timeout: 5,
    onnotice: () => {},
    // Times in milliseconds fit a double; as strings they would not compare.
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
  });
  type Runner = Pick<typeof connection, 'unsafe'>;
  const run = async (runner: Runner, text: string, values: readonly unknown[]) => {
    const rows = await runner.unsafe(text, values as never[], { prepare: true });
    return { rows: rows as unknown[], changes: rows.count ?? 0 };
  };
  return {
    query: (text, values) => run(connection, text, values),
    begin: <T>(work: (client: Pick<PostgresClient, 'query'>) => Promise<T>) =>
      connection.begin((inner) =>
        work({ query: (text, values) => run(inner as unknown as Runner, text, values) }),
      ) as Promise<T>,
    end: () => connection.end({ timeout: 2 }),
  };
}
