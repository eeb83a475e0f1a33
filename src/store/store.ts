// The port to a database: four verbs over one SQL text for both engines. Only the drivers, migrations and search look at
// the dialect.
import type { Dialect } from '../core/migration.ts';
import type { Sql } from './sql.ts';

export interface Store {
  readonly dialect: Dialect;
  /** As people may see it, for what is said about it. */
  readonly location: string;
  all<Row>(query: Sql): Promise<Row[]>;
  one<Row>(query: Sql): Promise<Row | undefined>;
  /** How many rows changed. When it resolves, the change is on disk. */
  run(query: Sql, options?: RunOptions): Promise<number>;
  /**
   * All or nothing, and unseen from outside until it is on disk. `work` may be run again from its start when two
   * processes stood in each other's way or the server went away, so it must have no effects but its queries.
   */
  tx<T>(work: (tx: Transaction) => Promise<T>, options?: TxOptions): Promise<T>;
  /** Reads the database as it is now, whatever is written later, until it is closed. Writers do not wait for it. */
  snapshot(): Promise<Snapshot>;
  /**
   * A number that differs after every change by any process; undefined where reading it would cost as much as a query.
   * Read it before a query to know later whether the result is still valid.
   */
  dataVersion(): Promise<number | undefined>;
  /**
   * Milliseconds since the epoch by the clock that everyone who shares the database agrees on: the server's, or the
   * machine's where the database is a file.
   */
  now(): number;
  /** The same as an SQL expression, exact when its statement runs: what leases are compared with. */
  clock(): Sql;
  /** Until then another thread writes much, and it is left to that one to bring it all into the file. */
  relieve(until: Promise<unknown>): void;
  /**
   * Rewrites the tables without what was deleted from them, so that nothing of that is left in their files. False where some
   * may be, for now: others are still reading.
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
  /** Waits for every other transaction that locked the same name, and makes later ones wait for the end of this one. */
  lock(name: string): Promise<void>;
};

export interface RunOptions {
  /** False: the write may be lost in a power failure, so it does not wait for the disk. Default true. */
  durable?: boolean;
}

export interface TxOptions {
  /**
   * Says whether an earlier try took. Asked when a connection was lost in the moment of its commit; where the answer is
   * no, the work is done again. Without it nothing is repeated, and the caller is told that the outcome is not known.
   */
  taken?(tx: Transaction): Promise<boolean>;
}

export interface StoreOptions {
  /** How long to wait for a database that another process holds, or whose server is coming back. */
  timeoutMs?: number | undefined;
  /**
   * For much that can be made again: after a loss of power the last of it may be missing, never half of it. Only a
   * database in a file makes a difference.
   */
  bulk?: boolean | undefined;
}

export const defaultPatienceMs = 30_000;
