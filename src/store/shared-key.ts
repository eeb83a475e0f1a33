// A random key that all processes of one database share. The first process that needs it creates it.
import { loadCrypto } from '../core/crypto.ts';
import type { Migration } from '../core/migration.ts';
import { sql } from './sql.ts';
import type { Store } from './store.ts';

export const sharedKeyMigration: Migration = {
  id: 'store/3-shared-key',
  up: () => [sql`create table shared_key (name text primary key, value text not null)`],
};

export async function openSharedKey(store: Pick<Store, 'one' | 'run'>, name: string): Promise<Buffer> {
  const find = () => store.one<{ value: string }>(sql`select value from shared_key where name = ${name}`);
  let row = await find();
  if (!row) {
    const value = loadCrypto().randomBytes(32).toString('base64url');
    await store.run(sql`insert into shared_key (name, value) values (${name}, ${value}) on conflict (name) do nothing`);
    row = await find();
  }
  return Buffer.from(row?.value ?? '', 'base64url');
}
