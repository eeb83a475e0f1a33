// Projects in the database: an id that never changes, and the folders where the project has been seen, with everything that
// may identify the project again later.
import type { Migration } from '../../core/migration.ts';
import { join, list, sql } from '../../store/sql.ts';
import type { Store, Transaction } from '../../store/store.ts';

export const projectMigration: Migration = {
  id: 'graph/project-1',
  up: () => [
    sql`create table project (
      id text primary key, name text not null, merged_into text not null, changed_by text not null,
      changed_at bigint not null)`,
    sql`create table project_place (
      place text primary key, project text not null, path text not null, stamp text not null, keys text not null,
      history text not null, related text not null, settled bigint not null, seen_at bigint not null)`,
    sql`create index project_place_of on project_place (project)`,
    sql`create index project_place_stamp on project_place (stamp)`,
  ],
};

export const grantMigration: Migration = {
  id: 'graph/project-2-granted',
  up: () => [sql`alter table project_place add column granted bigint not null default 1`],
};

/** One folder, with all its worktrees. */
export interface ProjectFolder {
  /** From the machine and the path. */
  readonly place: string;
  readonly project: string;
  readonly path: string;
  readonly stamp: string;
  /** Current and former remotes, and its own `repo:` id, by which its clones know it. */
  readonly keys: readonly string[];
  /** Its first commit; empty before there is one, `-` if it cannot be read. */
  readonly history: string;
  /** Projects that it may belong to, if the user confirms. */
  readonly related: readonly string[];
  /** The user has decided, and is not asked again. */
  readonly settled: boolean;
  /** Someone has worked in it. A folder that was only named loses its grant with the setting that granted it. */
  readonly granted: boolean;
}

interface PlaceRow extends Omit<ProjectFolder, 'keys' | 'related' | 'settled' | 'granted'> {
  keys: string;
  related: string;
  settled: number;
  granted: number;
}

type Reading = Pick<Store, 'all'>;

export async function findPlaces(store: Reading, place: string, stamp: string): Promise<ProjectFolder[]> {
  const same = stamp === '' ? sql`1 = 0` : sql`stamp = ${stamp}`;
  const rows = await store.all<PlaceRow>(sql`select * from project_place where place = ${place} or ${same}`);
  return rows.map(readPlace);
}

/** All records that have something in common with a folder. */
export async function findAlike(
  tx: Pick<Transaction, 'all'>,
  seen: Pick<ProjectFolder, 'place' | 'stamp' | 'keys' | 'history'> & { ids: readonly string[] },
): Promise<ProjectFolder[]> {
  const { place, stamp, keys, history, ids } = seen;
  // A key is JSON in the list; additional matches of the pattern have no effect.
  const alike = keys.map((key) => sql`keys like ${`%${JSON.stringify(key)}%`}`);
  const conditions = [
    sql`place = ${place}`,
    sql`(stamp <> '' and stamp = ${stamp})`,
    sql`project in ${list(ids)}`,
    sql`(history not in ('', '-') and history = ${history})`,
    ...alike,
  ];
  const rows = await tx.all<PlaceRow>(
    sql`select * from project_place where project <> '' and (${join(conditions, ' or ')}) order by seen_at, place`,
  );
  return rows.map(readPlace);
}

export async function listPlaces(store: Reading): Promise<ProjectFolder[]> {
  return (await store.all<PlaceRow>(sql`select * from project_place order by seen_at, place`)).map(readPlace);
}

export async function writePlace(tx: Pick<Transaction, 'run'>, place: ProjectFolder, now: number): Promise<void> {
  const { place: id, project, path, stamp, keys, history, related, settled, granted } = place;
  await tx.run(
    sql`insert into project_place (place, project, path, stamp, keys, history, related, settled, granted, seen_at)
        values (${id}, ${project}, ${path}, ${stamp}, ${JSON.stringify(keys)}, ${history}, ${JSON.stringify(related)},
          ${settled ? 1 : 0}, ${granted ? 1 : 0}, ${now})
        on conflict (place) do update set project = excluded.project, path = excluded.path, stamp = excluded.stamp,
          keys = excluded.keys, history = excluded.history, related = excluded.related, settled = excluded.settled,
          granted = excluded.granted`,
  );
}

export async function deletePlace(tx: Pick<Transaction, 'run'>, place: string): Promise<void> {
  await tx.run(sql`delete from project_place where place = ${place}`);
}

function readPlace({ keys, related, settled, granted, ...row }: PlaceRow): ProjectFolder {
  return {
    ...row,
    keys: JSON.parse(keys),
    related: JSON.parse(related),
    settled: Number(settled) === 1,
    granted: Number(granted) === 1,
  };
}

/** The records among these that belong to a project. Records nothing. */
export async function readPlaces(store: Reading, places: readonly string[]): Promise<ProjectFolder[]> {
  if (places.length === 0) return [];
  const rows = await store.all<PlaceRow>(
    sql`select * from project_place where place in ${list(places)} and project <> ''`,
  );
  return rows.map(readPlace);
}

/** Decisions of users: names, and merged projects. */
export interface Decision {
  readonly id: string;
  readonly name: string;
  readonly merged_into: string;
}

export async function listDecisions(store: Reading): Promise<Decision[]> {
  return store.all<Decision>(sql`select id, name, merged_into from project where merged_into <> '' or name <> ''`);
}

/** Whether the id is new. */
export async function claimId(tx: Pick<Transaction, 'run'>, id: string, by: string, now: number): Promise<boolean> {
  const added = await tx.run(
    sql`insert into project (id, name, merged_into, changed_by, changed_at) values (${id}, '', '', ${by}, ${now})
        on conflict (id) do nothing`,
  );
  return added > 0;
}

export async function mergeProject(
  tx: Pick<Transaction, 'run'>,
  { id, into, by, now }: { id: string; into: string; by: string; now: number },
): Promise<void> {
  await tx.run(
    sql`insert into project (id, name, merged_into, changed_by, changed_at) values (${id}, '', ${into}, ${by}, ${now})
        on conflict (id) do update set merged_into = excluded.merged_into, changed_by = excluded.changed_by,
          changed_at = excluded.changed_at`,
  );
}

export async function nameProject(
  tx: Pick<Transaction, 'run'>,
  { id, name, by, now }: { id: string; name: string; by: string; now: number },
): Promise<void> {
  await tx.run(
    sql`insert into project (id, name, merged_into, changed_by, changed_at) values (${id}, ${name}, '', ${by}, ${now})
        on conflict (id) do update set name = excluded.name, changed_by = excluded.changed_by,
          changed_at = excluded.changed_at`,
  );
}

/** The final target of a merged project. */
export function followMerges(decisions: readonly Decision[], id: string): string {
  const into = new Map(decisions.map((one) => [one.id, one.merged_into]));
  const passed = [id];
  for (;;) {
    const next = into.get(passed.at(-1) as string) ?? '';
    if (next === '') return passed.at(-1) as string;
    // Two concurrent merges may create a cycle: then one of them counts, the same in every process.
    if (passed.includes(next)) return [...passed.slice(passed.indexOf(next))].sort()[0] as string;
    passed.push(next);
  }
}

/** A project's own id first, then those of all projects merged into it. */
export function listMembers(decisions: readonly Decision[], id: string): string[] {
  const parts = decisions.filter((one) => one.id !== id && followMerges(decisions, one.id) === id);
  return [id, ...parts.map((one) => one.id)];
}
