// The index as tables, the same on both databases. Putting a document gives it a number that no other ever has; it lies in
// `fresh` until it is gathered with others of its project and kind into a segment, or goes there at once with many others. A
// segment never changes again: whatever is read of one can be kept. A number that is not in `document` is a copy out of date.
import type { Migration } from '../core/migration.ts';
import { nothing, sql } from '../store/sql.ts';

export const searchMigrations: readonly Migration[] = [
  {
    id: 'search/1',
    up: (dialect) => {
      const blob = dialect === 'sqlite' ? sql`blob` : sql`bytea`;
      // Found by their key alone, rows lie best in its tree.
      const narrow = dialect === 'sqlite' ? sql`without rowid` : nothing;
      const serial =
        dialect === 'sqlite'
          ? sql`integer primary key autoincrement`
          : sql`bigint generated always as identity primary key`;
      return [
        sql`create table document (
          number ${serial}, node_id text not null unique, project text not null, kind text not null,
          model text not null)`,
        sql`create index document_model on document (model, number)`,
        sql`create table fresh (
          number bigint primary key, project text not null, kind text not null, model text not null,
          length bigint not null, terms text not null, vector ${blob})`,
        sql`create index fresh_scope on fresh (project, kind, model)`,
        sql`create table segment (
          id text primary key, project text not null, kind text not null, model text not null,
          documents bigint not null, total_length bigint not null, first_number bigint not null,
          last_number bigint not null, stale bigint not null, dead_at bigint)`,
        sql`create index segment_scope on segment (project, kind)`,
        sql`create table segment_block (
          segment_id text not null, number bigint not null, numbers ${blob} not null, lengths ${blob} not null,
          vectors ${blob}, primary key (segment_id, number))`,
        sql`create table posting (
          segment_id text not null, term text not null, documents bigint not null, body ${blob} not null,
          primary key (segment_id, term)) ${narrow}`,
      ];
    },
  },
];

/** Documents in one block: the unit in which numbers, lengths and vectors are read. */
export const blockSize = 1_024;

/** A segment that is being made, or has been merged into another, is dead; after this long it is removed. */
export const graceMs = 5 * 60_000;
