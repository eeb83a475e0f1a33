// A lease: the right to do a piece of work that one process is to do at a time. It runs out by itself, so a process that
// dies holds nobody up for long.
import { createId } from '../core/id.ts';
import type { Migration } from './migrate.ts';
import { sql } from './sql.ts';
import type { Store } from './store.ts';

export interface Lease {
  /** Says whether it is still held. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

export const leaseMigration: Migration = {
  id: 'store/1-lease',
  up: () => [sql`create table lease (name text primary key, holder text not null, until bigint not null)`],
};

/** Nothing where another holds it. */
export async function takeLease(store: Store, name: string, lastsMs: number): Promise<Lease | undefined> {
  const holder = createId('own');
  const taken = await store.run(
    sql`insert into lease (name, holder, until) values (${name}, ${holder}, ${Date.now() + lastsMs})
        on conflict (name) do update set holder = excluded.holder, until = excluded.until
        where lease.until < ${Date.now()}`,
  );
  if (taken === 0) return undefined;
  return {
    async renew() {
      const renewed = await store.run(
        sql`update lease set until = ${Date.now() + lastsMs} where name = ${name} and holder = ${holder}`,
      );
      return renewed > 0;
    },
    async release() {
      await store.run(sql`delete from lease where name = ${name} and holder = ${holder}`);
    },
  };
}
