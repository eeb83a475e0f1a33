// The entries and changes of projects over time, whatever their state, for a person who looks back.
import { list, nothing, type Sql, sql } from '../store/sql.ts';
import { type Node, type NodePosition, type NodeRow, readNode } from './node.ts';
import type { OpenGraph } from './open.ts';
import { isEarlierSql } from './statement.ts';

export const entryStates = ['current', 'superseded', 'forgotten', 'all'] as const;
export type EntryState = (typeof entryStates)[number];

interface Listed {
  projects: readonly string[];
  kinds: readonly string[];
  state: EntryState;
  limit: number;
  before?: NodePosition | undefined;
}

const stateSql: Record<EntryState, Sql> = {
  current: sql`and forgotten_at is null and superseded_by is null`,
  superseded: sql`and forgotten_at is null and superseded_by is not null`,
  forgotten: sql`and forgotten_at is not null`,
  all: nothing,
};

/** Newest first. */
export async function listEntries({ store }: OpenGraph, asked: Listed): Promise<Node[]> {
  const rows = await store.all<NodeRow>(
    sql`select * from node where project in ${list(asked.projects)} and kind in ${list(asked.kinds)}
        ${stateSql[asked.state]} ${isEarlierSql(asked.before)} order by created_at desc, id desc limit ${asked.limit}`,
  );
  return rows.map(readNode);
}

export interface ChangeCount {
  /** The start of the day in UTC. */
  day: number;
  actor: string;
  action: string;
  count: number;
}

export const dayMs = 86_400_000;

/** Changes by day, actor and action, oldest first. */
export async function countChanges(
  { store }: OpenGraph,
  projects: readonly string[],
  since: number,
): Promise<ChangeCount[]> {
  const rows = await store.all<{ day: number; actor: string; action: string; n: number }>(
    sql`select at / ${dayMs} as day, actor, action, count(*) as n from change
        where project in ${list(projects)} and at >= ${since}
        group by 1, 2, 3 order by 1, 2, 3`,
  );
  return rows.map(({ day, actor, action, n }) => ({ day: Number(day) * dayMs, actor, action, count: Number(n) }));
}
