// Counts how often agents were given memories, how many tokens these had, and whether fixes helped, by project, day, agent and
// action. It has no ids and no texts; rows are added in batches, beside the note that a memory was used.
import type { Migration } from '../core/migration.ts';
import { redact } from '../core/secret/redact.ts';
import { list, sql } from '../store/sql.ts';
import type { OpenGraph } from './open.ts';
import { dayMs } from './timeline.ts';

/** Memories returned by a search, memories added to a prompt, the tokens of both, and votes on fixes. */
export const useActions = [
  'recalled',
  'recalled_tokens',
  'injected',
  'injected_tokens',
  'helped',
  'did_not_help',
] as const;
export type UseAction = (typeof useActions)[number];

export interface Use {
  project: string;
  actor: string;
  action: UseAction;
  count: number;
}

export const usageMigration: Migration = {
  id: 'graph/9-usage',
  up: () => [
    sql`create table usage_count (
      project text not null, day bigint not null, actor text not null, action text not null, uses bigint not null,
      primary key (project, day, actor, action))`,
  ],
};

/** On a best-effort basis: after an unknown outcome, it is not repeated. */
export async function addUses({ store, graph }: Pick<OpenGraph, 'store' | 'graph'>, uses: readonly Use[]) {
  const day = Math.floor(graph.now() / dayMs);
  for (const { project, actor, action, count } of uses) {
    await store.run(
      sql`insert into usage_count (project, day, actor, action, uses)
          values (${project}, ${day}, ${redact(actor).text}, ${action}, ${count})
          on conflict (project, day, actor, action) do update set uses = usage_count.uses + excluded.uses`,
    );
  }
}

export interface UseCount extends Omit<Use, 'project'> {
  /** The start of the day in UTC. */
  day: number;
}

/** Oldest first. */
export async function countUses({ store }: OpenGraph, projects: readonly string[], since: number): Promise<UseCount[]> {
  const rows = await store.all<{ day: number; actor: string; action: UseAction; n: number }>(
    sql`select day, actor, action, sum(uses) as n from usage_count
        where project in ${list(projects)} and day >= ${Math.floor(since / dayMs)}
        group by 1, 2, 3 order by 1, 2, 3`,
  );
  return rows.map(({ day, n, ...rest }) => ({ ...rest, day: Number(day) * dayMs, count: Number(n) }));
}
