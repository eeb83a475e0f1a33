// The port to a database: four verbs and one SQL text for both engines. Only drivers, migrations and search read the dialect.
import type { Dialect } from '../core/migration.ts';
import type { Sql } from './sql.ts';

export interface Store {
  readonly dialect: Dialect;
  /** The location for messages, without secrets. */
  readonly location: string;
  all<Row>(query: Sql): Promise<Row[]>;
  one<Row>(query: Sql): Promise<Row | undefined>;
  /** Returns the number of changed rows. When it resolves, the change is on disk. */
  run(query: Sql, options?: RunOptions): Promise<number>;
  /**
   * Runs atomically; changes are visible to others only after the commit. `work` may be repeated after a conflict or a
   * lost connection, so it must have no effects except its queries.
   */
  tx<T>(work: (tx: Transaction) => Promise<T>, options?: TxOptions): Promise<T>;
  /** Opens a snapshot: later writes are not visible until it is closed. It does not block writers. */
  snapshot(): Promise<Snapshot>;
  /**
   * Changes after every commit by any process; undefined if reading it would cost as much as a query. Read it before a
   * query to check later whether the result is still valid.
   */
  dataVersion(): Promise<number | undefined>;
  /** Milliseconds since the epoch by the shared clock: the server's, or the machine's if the database is a file. */
  now(): number;
  /** The same as an SQL expression, evaluated with its statement; leases are compared with it. */
  clock(): Sql;
  /** Wake-ups by other processes; absent if looking at dataVersion is as good. Some may be lost. */
  onWake?(listener: () => void): () => void;
  /** Until then another thread writes much and is responsible for checkpoints. */
  relieve(until: Promise<unknown>): void;
  /**
   * Rewrites the tables, so that their files contain no deleted data. Returns false if some may remain because of current
   * readers.
   */
  compact(tables: readonly Sql[]): Promise<boolean>;
  close(): Promise<void>;
}

export interface Snapshot {
  all<Row>(query: Sql): Promise<Row[]>;
  close(): Promise<void>;
}

export type Transaction = Pick<Store, 'dialect' | 'all' | 'one' | 'clock'> & {
  run(query: Sql): Promise<number>;
  /** Waits for other transactions that hold the lock of this name; later ones wait for this transaction. */
  lock(name: string): Promise<void>;
  /** After the commit, processes that wait for changes are woken. */
  announce(): void;
};

export interface RunOptions {
  /** False: the write may be lost in a power failure, so it does not wait for the disk. Default true. */
  durable?: boolean;
}

export interface TxOptions {
  /**
   * Returns whether an earlier attempt was committed. Called if the connection was lost during the commit; if not
   * committed, the work is repeated. Without it, nothing is repeated and the error says that the outcome is unknown.
   */
  taken?(tx: Transaction): Promise<boolean>;
}

export interface StoreOptions {
  /** Timeout for a locked database or an unavailable server, in ms. */
  timeoutMs?: number | undefined;
  /**
   * For large amounts of data that can be recreated: a power failure may lose the last writes, but leaves no partial ones.
   * Applies to SQLite only.
   */
  bulk?: boolean | undefined;
}

export const defaultTimeoutMs = 30_000;
