// The index as tables, the same on both databases. A document lies in `fresh` until it is gathered with others of its
// project and kind into a segment, which never changes again: whatever is read of one can be kept.
import type { Migration } from '../store/migrate.ts';
import { sql } from '../store/sql.ts';

export const searchMigrations: readonly Migration[] = [
  {
    id: 'search/1',
    up: (dialect) => {
      const blob = dialect === 'sqlite' ? sql`blob` : sql`bytea`;
      return [
        sql`create table fresh (
          node_id text primary key, project text not null, kind text not null, length bigint not null,
          terms text not null, model text not null, vector ${blob})`,
        sql`create index fresh_scope on fresh (project, kind)`,
        sql`create table indexed (node_id text primary key, place text not null)`,
        sql`create index indexed_place on indexed (place)`,
        sql`create table segment (
          id text primary key, project text not null, kind text not null, model text not null,
          documents bigint not null, total_length bigint not null)`,
        sql`create index segment_scope on segment (project, kind)`,
        sql`create table segment_block (
          segment_id text not null, number bigint not null, ids text not null, lengths ${blob} not null,
          vectors ${blob}, primary key (segment_id, number))`,
        sql`create table posting (
          segment_id text not null, term text not null, documents bigint not null, body ${blob} not null,
          primary key (segment_id, term))`,
      ];
    },
  },
];

/** Where the current copy of a document lies, besides the id of a segment; copies elsewhere are out of date. */
export const freshPlace = 'fresh';

/** Documents in one block: the unit in which ids, lengths and vectors are read. */
export const blockSize = 1024;
