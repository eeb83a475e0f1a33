// What sync needs in the database: the level of each node, and the log of operations on shared ones. Private nodes have no rows
// in the log, so a mistake in the transport cannot send what it does not have.
import type { Migration } from '../../core/migration.ts';
import { sql } from '../../store/sql.ts';

export const levelMigration: Migration = {
  id: 'graph/share-1-level',
  up: () => [
    sql`alter table node add column level text not null default 'private'`,
    sql`create index node_shared on node (project, level) where level <> 'private'`,
  ],
};

export const shareMigration: Migration = {
  id: 'graph/share-2-log',
  up: () => [
    // One row for each operation of any device. `batch` is the file that has it in the remote, empty until it is sent.
    sql`create table shared_op (
      project text not null, level text not null, node_id text not null, at text not null, dev text not null,
      hash text not null, target text not null, op text not null, batch text not null,
      primary key (project, level, node_id, at, dev, hash))`,
    sql`create index shared_op_target on shared_op (project, level, target) where target <> ''`,
    sql`create index shared_op_batch on shared_op (project, level, batch, dev)`,
    // Files that were read, so that a pull reads only new ones.
    sql`create table shared_batch (
      project text not null, level text not null, name text not null, problem text not null,
      primary key (project, level, name))`,
    // One for each machine: a copied database becomes another device.
    sql`create table shared_device (machine text primary key, id text not null)`,
    sql`create table shared_remote (
      project text not null, level text not null, remote text not null, tip text not null, synced_at bigint not null,
      primary key (project, level))`,
  ],
};

export const guardMigration: Migration = {
  id: 'graph/share-3-guard',
  up: () => [
    // How each file is protected, and by which rules those of the remote were last read.
    sql`alter table shared_batch add column mark text not null default ''`,
    sql`alter table shared_remote add column guard text not null default ''`,
  ],
};

/** A sync looks for what changed and for what was retracted; both are few, however long the log is. */
export const shareIndexMigration: Migration = {
  id: 'graph/share-4-indexes',
  up: () => [
    sql`drop index node_shared`,
    sql`create index node_shared on node (project, level, updated_at) where level <> 'private'`,
    sql`create index shared_op_ended on shared_op (project, level, batch, hash) where op = ''`,
  ],
};

export const reviewedMigration: Migration = {
  id: 'graph/share-5-reviewed',
  up: () => [
    // The last version of a reviewed file that was read, by the memory it describes. `proposed` is the hash of a memory that a person
    // proposed here, until the file is merged.
    sql`create table reviewed_file (
      project text not null, node_id text not null, blob text not null, proposed text not null,
      primary key (project, node_id))`,
    sql`delete from shared_batch where level = 'review'`,
  ],
};

export const proofMigration: Migration = {
  id: 'graph/share-6-proof',
  up: () => [
    // Anybody can write a file for any device. So each operation has: whether it was written in this database, which keys are
    // known to have signed it, and whose they are by the rules.
    sql`alter table shared_op add column own integer not null default 0`,
    sql`alter table shared_op add column keys text not null default ''`,
    sql`alter table shared_op add column signer text not null default ''`,
    sql`update shared_op set own = 1 where dev in (select id from shared_device)`,
    // The content of each file when it was read. They are read again, for their keys.
    sql`alter table shared_batch add column blob text not null default ''`,
    sql`delete from shared_batch`,
  ],
};
