// Tables for data derived from a project's files: the state in which a file was read, its links to others, and the names it
// defines, which are found without a search.
import type { Migration } from '../../core/migration.ts';
import { nothing, sql } from '../../store/sql.ts';

export const derivedMigration: Migration = {
  id: 'graph/4-derived',
  up: (dialect) => {
    const narrow = dialect === 'sqlite' ? sql`without rowid` : nothing;
    return [
      // `nodes` lists its nodes with a hash of each document; `links` is private to the service.
      sql`create table derived (
        id text primary key, project text not null, path text not null, language text not null, size bigint not null,
        modified double precision not null, hash text not null, nodes text not null, links text not null,
        linked bigint not null)`,
      sql`create index derived_of on derived (project, path)`,
      sql`create index derived_unlinked on derived (project, linked)`,
      sql`create table derived_name (
        project text not null, folded text not null, id text not null, name text not null, qualified text not null,
        path text not null, kind text not null, family text not null, primary key (project, folded, id)) ${narrow}`,
    ];
  },
};

export const derivedTreeMigration: Migration = {
  id: 'graph/5-derived-tree',
  up: () => [
    sql`create table derived_tree (
      tree text primary key, project text not null, root text not null, wishes text not null, operation text not null)`,
    sql`create index derived_tree_of on derived_tree (project)`,
  ],
};

/** Counts added and removed files of a tree: data computed from its paths is recomputed when it changes. */
export const derivedPathsMigration: Migration = {
  id: 'graph/8-derived-paths',
  up: () => [sql`create table derived_paths (tree text primary key, revision bigint not null)`],
};

/** Edges between derived nodes. Targets of all other edges are never deleted permanently. */
export const derivedEdges = [
  'contains',
  'imports',
  'calls',
  'references',
  'tests',
  'documented-in',
  'changed-with',
  'is',
] as const;

export type DerivedEdge = (typeof derivedEdges)[number];

/** Kinds of derived nodes. */
export const derivedKinds = ['file', 'symbol'] as const;
