// Records copies of the database that commands made, because a purge must find the text in each.
import { resolve } from 'node:path';
import type { Migration } from '../../core/migration.ts';
import { sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';

export interface Copy {
  path: string;
  /** A backup can be opened and cleaned; an export is text. */
  kind: 'backup' | 'export';
}

export const copyMigration: Migration = {
  id: 'graph/7-copy',
  up: () => [sql`create table copy (path text primary key, kind text not null, made_at bigint not null)`],
};

/** Recorded before it is created: an unrecorded copy would be worse than a missing one. */
export async function recordCopy(store: Store, file: string, kind: Copy['kind']): Promise<void> {
  await store.run(
    sql`insert into copy (path, kind, made_at) values (${resolve(file)}, ${kind}, ${Date.now()})
        on conflict (path) do update set kind = excluded.kind, made_at = excluded.made_at`,
  );
}

/** The copy is gone, so it is reported only once. */
export async function forgetCopy(store: Store, path: string): Promise<void> {
  await store.run(sql`delete from copy where path = ${path}`);
}

export function listCopies(store: Store): Promise<Copy[]> {
  return store.all<Copy>(sql`select path, kind from copy order by made_at, path`);
}
