// postgres.js with one connection per client and without its reconnection: after a reconnection, statements of an interrupted
// transaction could reach the next user of the connection, or never be answered.
import { setTimeout as sleep } from 'node:timers/promises';
import { isComing, isLostConnection } from './failure.ts';
import { createPool, type PoolConnection } from './pool.ts';
import { createWake, type Wake } from './wake.ts';

interface Answer {
  rows: unknown[];
  changes: number;
}

/** The interface that the driver needs; tests implement it with PGlite. */
export interface PostgresClient {
  /** Throws a UnknownOutcome if the connection was lost after the statement was sent. */
  query(text: string, values: readonly unknown[]): Promise<Answer>;
  /** Throws a UnknownOutcome if the connection was lost after the commit was sent; before that, nothing was changed. */
  begin<T>(work: (client: Pick<PostgresClient, 'query'>) => Promise<T>): Promise<T>;
  end(): Promise<void>;
  readonly wake?: Wake;
}

/** The outcome is unknown: the connection was lost before the response. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
  /** The result of the transaction's work. */
  readonly result: unknown;

  constructor(cause: unknown, result?: unknown) {
    super('the connection was lost before the response', { cause });
    this.result = result;
  }
}

interface ClientOptions {
  /** Longest wait for a lock or for a server that is starting, in ms. */
  timeoutMs: number;
  connectMs: number;
  /** No statement takes this long, in ms; a silent server is considered gone. */
  silenceMs?: number;
  onNotify?: (payload: string) => void;
}

const maxConnections = 8;

/** Connects at once, so that a server that was never reachable is reported before any retry. */
export async function connectPostgres(url: string, options: ClientOptions): Promise<PostgresClient> {
  const pool = createPool(() => openConnection(url, options), maxConnections);
  const until = performance.now() + options.timeoutMs;
  for (;;) {
    try {
      pool.release(await pool.take());
      break;
    } catch (error) {
      if (isComing(error) && performance.now() < until) {
        await sleep(100);
        continue;
      }
      await pool.end();
      throw error;
    }
  }

  async function lend<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await pool.take();
    try {
      return await work(connection);
    } finally {
      pool.release(connection);
    }
  }

  const wake = createWake((onNotify) => openConnection(url, { ...options, onNotify }));
  return {
    wake,
    query: (text, values) =>
      lend(async (connection) => {
        try {
          return await connection.query(text, values);
        } catch (error) {
          throw connection.lost ? new UnknownOutcome(error) : error;
        }
      }),
    begin: (work) => lend((connection) => runTransaction(connection, work)),
    async end() {
      await Promise.all([wake.close(), pool.end()]);
    },
  };
}

async function runTransaction<T>(connection: Connection, work: (client: Pick<PostgresClient, 'query'>) => Promise<T>) {
  let failure: unknown;
  const query: PostgresClient['query'] = async (text, values) => {
    try {
      return await connection.query(text, values);
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  await connection.query('begin', []);
  let result: T;
  try {
    result = await work({ query });
    // PostgreSQL would roll back such a commit without an error.
    if (failure !== undefined) throw failure;
  } catch (error) {
    if (!connection.lost) await connection.query('rollback', []).catch(() => {});
    // A lost connection is the cause, whatever error the work made of it.
    throw connection.lost ? (failure ?? error) : error;
  }
  try {
    await connection.query('commit', []);
  } catch (error) {
    throw connection.lost ? new UnknownOutcome(error, result) : error;
  }
  return result;
}

interface Connection extends PoolConnection {
  query(text: string, values: readonly unknown[]): Promise<Answer>;
}

async function openConnection(url: string, options: ClientOptions): Promise<Connection> {
  const { timeoutMs, connectMs, silenceMs = 300_000, onNotify } = options;
  const { default: postgres } = await import('postgres');
  let lost = false;
  const client = refuseBadUrl(() =>
    postgres(url, {
      max: 1,
      idle_timeout: 0,
      max_lifetime: 0,
      connect_timeout: connectMs / 1000,
      fetch_types: false,
      onnotice: () => {},
      ...(onNotify && { onnotify: (_: string, payload: string) => onNotify(payload) }),
      onclose: () => {
        lost = true;
      },
      // Times in ms fit into a double; strings could not be compared.
      types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
    }),
  );

  async function query(text: string, values: readonly unknown[], withinMs = silenceMs): Promise<Answer> {
    if (lost) throw createLoss('CONNECTION_CLOSED');
    try {
      const rows = await within(withinMs, client.unsafe(text, values as never[], { prepare: values.length > 0 }));
      return { rows: rows as unknown[], changes: rows.count ?? 0 };
    } catch (error) {
      if (isLostConnection(error)) lost = true;
      throw error;
    }
  }

  const connection: Connection = {
    get lost() {
      return lost;
    },
    query: (text, values) => query(text, values),
    close: () => client.end({ timeout: 0 }).catch(() => {}),
  };
  try {
    // The timeout of postgres.js restarts with every closed connection; ours does not.
    await query(onNotify ? notDurable : greeting(timeoutMs), [], connectMs);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return connection;
}

/** Acknowledged writes are on disk, whatever the server's default, and waits for locks are limited. */
function greeting(lockMs: number): string {
  return `set lock_timeout = ${Math.max(1, Math.round(lockMs))};
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;
}

/** Wake-ups end with the server anyway, and a wait for the disk would hold the lock that every NOTIFY needs. */
const notDurable = 'set synchronous_commit = off';

function refuseBadUrl<T>(connect: () => T): T {
  try {
    return connect();
  } catch (error) {
    throw Object.assign(new Error('not a URL', { cause: error }), { code: 'ERR_INVALID_URL' });
  }
}

function createLoss(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function within<T>(ms: number, work: PromiseLike<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(createLoss('CONNECTION_SILENT')), ms);
    work.then(resolve, reject).then(() => clearTimeout(timer));
  });
}
