// Purges known copies of the database: backups are cleaned like the database; others are reported to the user.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { LoreError } from '../../core/error.ts';
import { sql } from '../../store/sql.ts';
import { openSqlite } from '../../store/sqlite/sqlite.ts';
import type { Store } from '../../store/store.ts';
import { type Copy, forgetCopy, listCopies } from './copy.ts';
import type { Purge } from './job.ts';
import { purge } from './purge.ts';

export interface CopyState {
  path: string;
  cleaned: boolean;
  /** Why it was not cleaned. */
  problem?: string;
}

/** Timeout for a backup that another program has open, in ms; shorter than for the database. */
const timeoutMs = 5_000;

export async function purgeCopies(store: Store, what: Purge): Promise<CopyState[]> {
  const states: CopyState[] = [];
  for (const copy of await listCopies(store)) {
    const problem = await clean(copy, what);
    // It may be on a disk that is not mounted now.
    if (!existsSync(copy.path) && existsSync(dirname(copy.path))) await forgetCopy(store, copy.path);
    states.push({ path: copy.path, cleaned: problem === undefined, ...(problem !== undefined && { problem }) });
  }
  return states;
}

async function clean({ path, kind }: Copy, what: Purge): Promise<string | undefined> {
  if (!existsSync(path)) return 'it no longer exists; if it was moved, delete it';
  if (kind === 'export') return 'it is an export; delete it, or export again';
  try {
    const copy = await openSqlite(path, { timeoutMs });
    try {
      const has = async (name: string) =>
        Boolean(await copy.one(sql`select name from sqlite_schema where name = ${name}`));
      if (!(await has('node'))) return 'it is no longer a backup';
      return (await purge(copy, what, { isShared: await has('shared_op') }))
        ? undefined
        : 'another process has it open';
    } finally {
      await copy.close();
    }
  } catch (error) {
    return error instanceof LoreError ? error.message : 'it cannot be changed';
  }
}
