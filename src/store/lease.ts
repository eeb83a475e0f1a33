// A lease: the right of one process at a time to do some work. It expires, so that a dead process holds it only briefly, by the
// database's clock, so that the clocks of machines do not matter.
import { createId } from '../core/id.ts';
import type { Migration } from '../core/migration.ts';
import { type Sql, sql } from './sql.ts';
import type { Store } from './store.ts';

export interface Lease {
  /** Whether it is still held. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

export const leaseMigration: Migration = {
  id: 'store/1-lease',
  up: () => [sql`create table lease (name text primary key, holder text not null, until bigint not null)`],
};

/** Undefined if another process holds it. */
export async function takeLease(store: Store, name: string, lastsMs: number): Promise<Lease | undefined> {
  const holder = createId('own');
  const taken = await store.run(
    sql`insert into lease (name, holder, until) values (${name}, ${holder}, ${store.clock()} + ${lastsMs})
        on conflict (name) do update set holder = excluded.holder, until = excluded.until
        where ${hasExpired(store, sql`lease.until`, lastsMs)}`,
  );
  if (taken === 0) return undefined;
  return {
    async renew() {
      const renewed = await store.run(
        sql`update lease set until = ${store.clock()} + ${lastsMs} where name = ${name} and holder = ${holder}`,
      );
      return renewed > 0;
    },
    async release() {
      await store.run(sql`delete from lease where name = ${name} and holder = ${holder}`);
    },
  };
}

/** Expired, or so far ahead that the clock was set back: no lease lasts longer than `lastsMs`. */
export function hasExpired(store: Pick<Store, 'clock'>, until: Sql, lastsMs: number): Sql {
  return sql`(${until} < ${store.clock()} or ${until} > ${store.clock()} + ${lastsMs})`;
}
