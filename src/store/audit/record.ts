// The end of the audit log's chain, recorded in the database. A program that can only delete, truncate or replace the log's
// files cannot change this record. It may be some lines behind the log, never ahead of it.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AuditHead } from '../../core/audit/chain.ts';
import { findHash } from '../../core/audit/verify.ts';
import type { Migration } from '../../core/migration.ts';
import { sql } from '../sql.ts';
import type { Store } from '../store.ts';

export type AuditRecord = Pick<AuditHead, 'seq' | 'hash'>;

export const auditRecordMigration: Migration = {
  id: 'store/2-audit',
  up: () => [
    sql`create table audit_record (place text primary key, seq bigint not null, hash text not null, at bigint not null)`,
  ],
};

/** A copied or shared database has one log on each machine. */
export function nameAuditPlace(folder: string, machine: string): string {
  const path = resolve(folder);
  try {
    return `${machine} ${realpathSync.native(path)}`;
  } catch {
    return `${machine} ${path}`;
  }
}

export function readAuditRecord(store: Pick<Store, 'one'>, place: string): Promise<AuditRecord | undefined> {
  return store.one<AuditRecord>(sql`select seq, hash from audit_record where place = ${place}`);
}

/** Whether the log continues the recorded chain. If it does not, the record stays unchanged, as evidence. */
export async function advanceAuditRecord(
  store: Pick<Store, 'one' | 'run' | 'clock'>,
  { folder, place, head }: { folder: string; place: string; head: AuditRecord },
): Promise<boolean> {
  const last = await readAuditRecord(store, place);
  const { seq, hash } = head;
  if (!last) {
    const insert = sql`insert into audit_record (place, seq, hash, at) values (${place}, ${seq}, ${hash}, ${store.clock()})
      on conflict (place) do nothing`;
    return (await store.run(insert)) > 0 || advanceAuditRecord(store, { folder, place, head });
  }
  if (last.seq >= seq) return last.seq > seq || last.hash === hash;
  if ((await findHash(folder, last.seq)) !== last.hash) return false;
  await store.run(
    sql`update audit_record set seq = ${seq}, hash = ${hash}, at = ${store.clock()}
        where place = ${place} and seq = ${last.seq} and hash = ${last.hash}`,
  );
  return true;
}
