// Which versions of files for review were read, and the memories of a project as they are exported to files.
import { list, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import type { Scope } from '../project/scope.ts';

/** Beside the batches of the two shared levels. */
const level = 'review';

/** As `path@blob`. */
export async function listReviewed(store: Pick<Store, 'all'>, project: string): Promise<string[]> {
  const rows = await store.all<{ name: string }>(
    sql`select name from shared_batch where project = ${project} and level = ${level}`,
  );
  return rows.map(({ name }) => name);
}

export async function noteReviewed(store: Pick<Store, 'run'>, project: string, name: string): Promise<void> {
  await store.run(
    sql`insert into shared_batch (project, level, name, problem) values (${project}, ${level}, ${name}, '')
        on conflict (project, level, name) do nothing`,
  );
}

export async function listMemories({ opened, projects }: Scope): Promise<string[]> {
  const rows = await opened.store.all<{ id: string }>(
    sql`select id from node where project in ${list(projects)} and kind = 'memory' and forgotten_at is null
        and superseded_by is null order by id`,
  );
  return rows.map(({ id }) => id);
}
