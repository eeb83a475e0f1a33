// The paths of a project's files, held while they stay the same: a search needs all of them, and few searches see a change.
import { sql } from '../store/sql.ts';
import type { OpenGraph } from './open.ts';

interface Held<T> {
  edition: number | undefined;
  state: string;
  made: T;
}

const held = new WeakMap<OpenGraph, Map<string, Held<unknown>>>();
const mostProjects = 8;

/** What `make` makes of them, made again when files have come or gone. */
export async function withPaths<T>(
  opened: OpenGraph,
  project: string,
  make: (paths: readonly string[]) => T,
): Promise<T> {
  const own = held.get(opened) ?? new Map<string, Held<unknown>>();
  held.set(opened, own);
  const known = own.get(project);
  const edition = await opened.store.edition();
  if (known && edition !== undefined && known.edition === edition) return known.made as T;
  const row = await opened.store.one<{ n: number; letters: number | null; first: string; last: string }>(
    sql`select count(*) as n, sum(length(path)) as letters, min(path) as first, max(path) as last
        from derived where project = ${project}`,
  );
  // Renamed to a name as long, a file is known by its old name for a minute at most.
  const state = JSON.stringify([row, Math.floor(Date.now() / 60_000)]);
  if (known?.state === state) {
    known.edition = edition;
    return known.made as T;
  }
  const rows = await opened.store.all<{ path: string }>(
    sql`select path from derived where project = ${project} order by path`,
  );
  const made = make(rows.map(({ path }) => path));
  own.delete(project);
  own.set(project, { edition, state, made });
  for (const oldest of own.keys()) {
    if (own.size <= mostProjects) break;
    own.delete(oldest);
  }
  return made;
}
