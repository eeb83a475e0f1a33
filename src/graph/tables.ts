// The graph as tables, the same on both databases: text ids that sort by time, milliseconds, JSON as text.

import type { Migration } from '../core/migration.ts';
import { searchMigrations } from '../search/tables.ts';
import { auditRecordMigration } from '../store/audit/record.ts';
import { homeMigration } from '../store/home.ts';
import { leaseMigration } from '../store/lease.ts';
import { sharedKeyMigration } from '../store/shared-key.ts';
import { nothing, sql } from '../store/sql.ts';
import { derivedMigration, derivedPathsMigration, derivedTreeMigration } from './derived/tables.ts';
import { embedderMigration } from './embedding/embedder-choice.ts';
import { inferredMigration } from './inferred-migration.ts';
import { operationMigration } from './operation/operation.ts';
import { grantMigration, projectMigration } from './project/table.ts';
import { copyMigration } from './purge/copy.ts';
import {
  guardMigration,
  levelMigration,
  proofMigration,
  reviewedMigration,
  shareIndexMigration,
  shareMigration,
} from './share/tables.ts';
import { usageMigration } from './usage.ts';

const graph: Migration = {
  id: 'graph/1',
  up: (dialect) => [
    sql`create table node (
      id text primary key, project text not null, kind text not null, title text not null, text text not null,
      data text not null, importance double precision not null, confidence double precision not null,
      source text not null, created_at bigint not null, updated_at bigint not null, accessed_at bigint not null,
      valid_from bigint not null, valid_to bigint, superseded_by text, forgotten_at bigint, hash text not null)`,
    sql`create index node_recent on node (project, kind, created_at)`,
    sql`create index node_important on node (project, kind, importance, created_at)`,
    sql`create index node_hash on node (project, hash)`,
    sql`create table edge (
      from_id text not null, kind text not null, to_id text not null, project text not null,
      weight double precision not null, data text not null, created_at bigint not null,
      primary key (from_id, kind, to_id)) ${dialect === 'sqlite' ? sql`without rowid` : nothing}`,
    sql`create index edge_back on edge (to_id, kind)`,
    sql`create table change (
      id text primary key, node_id text not null, project text not null, at bigint not null, actor text not null,
      action text not null, before text)`,
    sql`create index change_of on change (node_id, id)`,
  ],
};

/** Compares bytes, for prefixes of ids; SQLite's index does so by default. */
const prefix: Migration = {
  id: 'graph/6-id-prefix',
  up: (dialect) => (dialect === 'postgres' ? [sql`create index node_prefix on node (id collate "C")`] : []),
};

/** Few nodes are forgotten; without it, counting the others reads every node. */
const forgotten: Migration = {
  id: 'graph/10-forgotten',
  up: () => [sql`create index node_forgotten on node (project, kind) where forgotten_at is not null`],
};

export const graphMigrations: readonly Migration[] = [
  leaseMigration,
  graph,
  operationMigration,
  ...searchMigrations,
  embedderMigration,
  derivedMigration,
  derivedTreeMigration,
  prefix,
  projectMigration,
  grantMigration,
  copyMigration,
  inferredMigration,
  auditRecordMigration,
  derivedPathsMigration,
  sharedKeyMigration,
  usageMigration,
  levelMigration,
  shareMigration,
  guardMigration,
  homeMigration,
  forgotten,
  shareIndexMigration,
  reviewedMigration,
  proofMigration,
];
