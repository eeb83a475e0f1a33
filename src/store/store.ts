// The port to a database: four verbs over one SQL text for both engines. Only the drivers, migrations and search look at
// the dialect.
import type { Sql } from './sql.ts';

export type Dialect = 'sqlite' | 'postgres';

export interface Store {
  readonly dialect: Dialect;
  all<Row>(query: Sql): Promise<Row[]>;
  one<Row>(query: Sql): Promise<Row | undefined>;
  /** How many rows changed. When it resolves, the change is on disk. */
  run(query: Sql): Promise<number>;
  /**
   * All or nothing, and unseen from outside until it is on disk. `work` may be run again from its start when two
   * processes stood in each other's way, so it must have no effects but its queries.
   */
  tx<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export type Transaction = Pick<Store, 'dialect' | 'all' | 'one' | 'run'>;
