// The paths of a project's files, held while they stay the same: a search needs all of them, and few searches see a change.
import { keepRecent } from '../core/recent.ts';
import { createHeld, type Held } from '../store/held.ts';
import { sql } from '../store/sql.ts';
import type { OpenGraph } from './open.ts';

interface Kept {
  held: Held;
  /** Made of a state that most changes of the database leave as it is. */
  made: Map<string, { state: string; made: unknown }>;
}

const kept = new WeakMap<OpenGraph, Kept>();
const mostProjects = 8;

/** What `make` makes of them, made again when files have come or gone. */
export async function withPaths<T>(
  opened: OpenGraph,
  project: string,
  make: (paths: readonly string[]) => T,
): Promise<T> {
  const own = kept.get(opened) ?? { held: createHeld(opened.store), made: new Map() };
  kept.set(opened, own);
  return own.held.get(project, async () => {
    const state = await readState(opened, project);
    const known = own.made.get(project);
    if (known?.state === state) return known.made as T;
    const rows = await opened.store.all<{ path: string }>(
      sql`select path from derived where project = ${project} order by path`,
    );
    const made = make(rows.map(({ path }) => path));
    keepRecent(own.made, project, { state, made }, mostProjects);
    return made;
  });
}

async function readState({ store }: OpenGraph, project: string): Promise<string> {
  const row = await store.one(
    sql`select count(*) as n, sum(length(path)) as letters, min(path) as first, max(path) as last
        from derived where project = ${project}`,
  );
  // Renamed to a name as long, a file is known by its old name for a minute at most.
  return JSON.stringify([row, Math.floor(Date.now() / 60_000)]);
}
