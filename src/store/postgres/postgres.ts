// PostgreSQL. Retries while the server is unavailable. Uncommitted work is repeated after a lost connection; a commit with an
// unknown outcome is repeated only if the caller can tell whether it succeeded.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Sql, sql } from '../sql.ts';
import {
  defaultTimeoutMs,
  type Snapshot,
  type Store,
  type StoreOptions,
  type Transaction,
  type TxOptions,
} from '../store.ts';
import { type PostgresClient, UnknownOutcome } from './client.ts';
import { isAway, isCollision, toPostgresFailure, toUnknownOutcome } from './failure.ts';
import { followClock } from './server-clock.ts';

const maxCollisions = 8;

export async function createPostgresStore(
  client: PostgresClient,
  location: string,
  options: StoreOptions = {},
): Promise<Store> {
  const { timeoutMs = defaultTimeoutMs } = options;
  const translate = (error: unknown) => toPostgresFailure(error, location);

  async function query(text: Sql) {
    const wait = createRetry(timeoutMs);
    for (;;) {
      try {
        return await client.query(render(text), text.values.map(toParameter));
      } catch (error) {
        const hidden = error instanceof UnknownOutcome;
        if (hidden && !isRead(text)) throw toUnknownOutcome(error, location);
        if (!(hidden || isAway(error)) || !(await wait())) throw translate(hidden ? error.cause : error);
      }
    }
  }

  /** For the check that is retried together with its transaction; it has no retry of its own. */
  const asking = createTransaction({
    query: (text, values) =>
      client.query(text, values).catch((error: unknown) => {
        throw error instanceof UnknownOutcome ? error.cause : error;
      }),
  });

  async function tx<T>(work: (tx: Transaction) => Promise<T>, { taken }: TxOptions = {}): Promise<T> {
    const wait = createRetry(timeoutMs);
    let hidden: UnknownOutcome | undefined;
    for (let collisions = 0; ; ) {
      try {
        if (hidden && (await taken?.(asking))) return hidden.result as T;
        let isAnnounced = false;
        const result = await client.begin((inner) => {
          isAnnounced = false;
          return work(
            createTransaction(inner, () => {
              isAnnounced = true;
            }),
          );
        });
        if (isAnnounced) client.wake?.announce();
        return result;
      } catch (error) {
        if (error instanceof UnknownOutcome) hidden = error;
        if (hidden && !taken) throw toUnknownOutcome(error, location);
        if (isCollision(error) && ++collisions < maxCollisions) {
          await sleep(Math.random() * 10 * collisions);
          continue;
        }
        const lost = error === hidden || isAway(error);
        if (lost && (await wait())) continue;
        if (lost && hidden) throw toUnknownOutcome(error, location);
        // The first attempt may have been running when it was checked, and may have caused this failure.
        if (hidden && (await taken?.(asking).catch(() => false))) return hidden.result as T;
        throw translate(error);
      }
    }
  }

  /** A transaction that lasts until it is closed. */
  function snapshot(): Promise<Snapshot> {
    return new Promise((resolve, reject) => {
      let end = () => {};
      const ended = new Promise<void>((close) => {
        end = close;
      });
      const done = client.begin(async (inner) => {
        await inner.query('set transaction isolation level repeatable read, read only', []);
        // The first query determines the snapshot.
        await inner.query('select 1', []);
        const { all } = createTransaction(inner);
        resolve({
          all: (text) =>
            all<never>(text).catch((error: unknown) => {
              throw translate(error);
            }),
          async close() {
            end();
            await done.catch(() => {});
          },
        });
        await ended;
      });
      done.catch((error: unknown) => reject(translate(error instanceof UnknownOutcome ? error.cause : error)));
    });
  }

  const all = async <Row>(text: Sql) => (await query(text)).rows as Row[];
  return {
    dialect: 'postgres',
    location,
    all,
    one: async <Row>(text: Sql) => (await all<Row>(text))[0],
    run: async (text) => (await query(text)).changes,
    tx,
    snapshot,
    dataVersion: async () => undefined,
    now: await followClock(async () => (await all<{ now: number }>(sql`select ${serverClock()} as now`))[0]?.now),
    clock: serverClock,
    ...(client.wake && { onWake: client.wake.listen }),
    relieve() {},
    async compact(tables) {
      // One table at a time, because it is locked while it is rewritten.
      for (const table of tables) await query(sql`vacuum full ${table}`);
      return true;
    },
    close: () => client.end(),
  };
}

function createTransaction(client: Pick<PostgresClient, 'query'>, announce = () => {}): Transaction {
  const query = (text: Sql) => client.query(render(text), text.values.map(toParameter));
  return {
    dialect: 'postgres',
    all: async <Row>(text: Sql) => (await query(text)).rows as Row[],
    one: async <Row>(text: Sql) => (await query(text)).rows[0] as Row | undefined,
    run: async (text) => (await query(text)).changes,
    clock: serverClock,
    announce,
    lock: async (name) => void (await query(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)),
  };
}

function serverClock(): Sql {
  return sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
}

/** Waits briefly; returns false when the timeout since the first call has passed. */
function createRetry(ms: number): () => Promise<boolean> {
  let until: number | undefined;
  return async () => {
    until ??= performance.now() + ms;
    if (performance.now() > until) return false;
    await sleep(50 + Math.random() * 100);
    return true;
  };
}

/** A query that can be repeated safely. */
function isRead({ parts }: Sql): boolean {
  return /^\s*(select|with)\b/i.test(parts[0] as string) && !/\b(insert|update|delete|merge)\b/i.test(parts.join(' '));
}

function render(text: Sql): string {
  return text.text((index) => `$${index}`);
}

/** PostgreSQL's text type rejects U+0000, unlike SQLite's. */
function toParameter(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}
