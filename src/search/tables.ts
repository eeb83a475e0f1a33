// The index as tables, the same on both databases. Each added document gets a number that is never reused. It is in `fresh`
// until it is compacted into a segment with others of its project and kind; many at once go directly into a segment. Segments
// are immutable and can be cached. A number that is not in `document` is a stale copy.
import type { Migration } from '../core/migration.ts';
import { nothing, sql } from '../store/sql.ts';

export const searchMigrations: readonly Migration[] = [
  {
    id: 'search/1',
    up: (dialect) => {
      const blob = dialect === 'sqlite' ? sql`blob` : sql`bytea`;
      // Rows that are read by key only are stored in the key's tree.
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

/** Documents per block, the unit in which numbers, lengths and vectors are read. */
export const blockSize = 1_024;

/** A segment that is being written or was merged is dead; it is removed after this time, in ms. */
export const graceMs = 5 * 60_000;
