// The paths of a project's files, cached while they do not change: a search needs all of them.
import { keepRecent } from '../../core/recent.ts';
import { sql } from '../../store/sql.ts';
import { createVersionedCache, type VersionedCache } from '../../store/versioned-cache.ts';
import type { OpenGraph } from '../open.ts';

interface Kept {
  cache: VersionedCache;
  /** Depends on a revision that most changes of the database do not touch. */
  made: Map<string, { revision: number; made: unknown }>;
}

const kept = new WeakMap<OpenGraph, Kept>();
const mostProjects = 8;

/** The result of `make`, recomputed when files are added or removed. */
export async function withPaths<T>(
  opened: OpenGraph,
  project: string,
  make: (paths: readonly string[]) => T,
): Promise<T> {
  const own = kept.get(opened) ?? { cache: createVersionedCache(opened.store), made: new Map() };
  kept.set(opened, own);
  return own.cache.get(project, async () => {
    const revision = await readRevision(opened, project);
    const known = own.made.get(project);
    if (known?.revision === revision) return known.made as T;
    const rows = await opened.store.all<{ path: string }>(
      sql`select path from derived where project = ${project} order by path`,
    );
    const made = make(rows.map(({ path }) => path));
    keepRecent(own.made, project, { revision, made }, mostProjects);
    return made;
  });
}

async function readRevision({ store }: OpenGraph, tree: string): Promise<number> {
  const row = await store.one<{ revision: number }>(sql`select revision from derived_paths where tree = ${tree}`);
  return row?.revision ?? 0;
}
