// Which server of a database holds a session or a task, so that the others can pass requests on to it, and what is needed to
// continue a session when that server is gone.
import { hashHex } from '../core/crypto.ts';
import type { Migration } from '../core/migration.ts';
import { sql } from './sql.ts';
import type { Store } from './store.ts';

export const homeMigration: Migration = {
  id: 'store/4-home',
  up: () => [
    sql`create table home (id text primary key, server text not null, state text not null, until bigint not null)`,
  ],
};

export interface Home {
  /** The address of the server that holds it. */
  server: string;
  state: unknown;
}

export interface Homes {
  /** Records that this server holds it, in this state. */
  settle(id: string, state: unknown): Promise<void>;
  find(id: string): Promise<Home | undefined>;
  /** Takes it over from a server that does not answer, unless another one did. */
  adopt(id: string, from: string): Promise<void>;
  /** It is still used. */
  touch(id: string): Promise<void>;
  leave(id: string): Promise<void>;
}

/** An entry that is not touched for `lastsMs` is deleted. */
export function createHomes(open: () => Promise<Store>, server: string, lastsMs: number): Homes {
  const key = (id: string) => hashHex(id);
  return {
    async settle(id, state) {
      const store = await open();
      const text = JSON.stringify(state);
      await store.run(
        sql`insert into home (id, server, state, until) values (${key(id)}, ${server}, ${text}, ${store.clock()} + ${lastsMs})
            on conflict (id) do update set server = excluded.server, state = excluded.state, until = excluded.until`,
      );
    },
    async find(id) {
      const store = await open();
      const row = await store.one<{ server: string; state: string }>(
        sql`select server, state from home where id = ${key(id)} and until > ${store.clock()}`,
      );
      return row && { server: row.server, state: JSON.parse(row.state) };
    },
    async adopt(id, from) {
      const store = await open();
      await store.run(sql`update home set server = ${server} where id = ${key(id)} and server = ${from}`);
    },
    async touch(id) {
      const store = await open();
      await store.run(sql`update home set until = ${store.clock()} + ${lastsMs} where id = ${key(id)}`);
      await store.run(sql`delete from home where until < ${store.clock()}`);
    },
    async leave(id) {
      const store = await open();
      await store.run(sql`delete from home where id = ${key(id)} and server = ${server}`);
    },
  };
}
