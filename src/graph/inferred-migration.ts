// Restores memories that earlier versions hid by inference: those that expired because of their kind, and those superseded by
// a contradicting one. Callers could request neither, except for `expires` with the default duration of the kind.
import type { Dialect, Migration } from '../core/migration.ts';
import { list, nothing, type Sql, sql } from '../store/sql.ts';

const hour = 3_600_000;
/** Longest time between reading the clock and storing the memory, in ms. */
const tolerance = 60_000;

export const inferredMigration: Migration = {
  id: 'memory/1-inferred',
  up: (dialect) => restoreInferred(dialect),
};

/** Of all memories, or of those that an export of an earlier version has added. */
export function restoreInferred(dialect: Dialect, ids?: readonly string[]): Sql[] {
  const only = ids === undefined ? nothing : sql`and id in ${list(ids)}`;
  const now = Date.now();
  const was = member(dialect, sql`before`, 'validTo');
  const kind = member(dialect, sql`data`, 'kind');
  const statedAt = sql`coalesce(cast(${member(dialect, sql`data`, 'said')} as bigint), created_at)`;
  const span = sql`cast(case ${kind} when 'episodic' then ${30 * 24 * hour} when 'working' then ${24 * hour}
    when 'sensory' then ${6 * hour} end as bigint)`;
  // An export is not trusted: the result must be JSON whatever it contains.
  const quoted = dialect === 'sqlite' ? sql`json_quote(superseded_by)` : sql`to_json(superseded_by)::text`;
  const superseded = sql`kind = 'memory' and superseded_by is not null ${only}`;
  const implied = sql`kind = 'memory' and superseded_by is null and valid_to is not null
    and valid_to - ${statedAt} <= ${span} and valid_to - ${statedAt} >= ${span} - cast(${tolerance} as bigint) ${only}`;
  const record = (step: number, which: Sql) => sql`
    insert into change (id, node_id, project, at, actor, action, before)
    select ${`chg_${now.toString(36)}-${step}_`} || id, id, project, cast(${now} as bigint), 'migration', 'restore',
      '{"validTo":' || coalesce(cast(valid_to as bigint), 0)
        || case when superseded_by is null then '' else ',"supersededBy":' || ${quoted} end || '}'
    from node where ${which}`;
  return [
    record(1, superseded),
    sql`update edge set kind = 'may_disagree' where kind = 'supersedes'
        and to_id in (select id from node where ${superseded})`,
    sql`update node set superseded_by = null,
          valid_to = (select cast(${was} as bigint) from change
            where node_id = node.id and action = 'supersede' order by change.id desc limit 1),
          valid_from = case when valid_from > 0 then valid_from else ${statedAt} end
        where ${superseded}`,
    record(2, implied),
    // Memories from `learn` rank lower after this time instead. Their data is never empty.
    sql`update node set valid_to = null, data = case when ${member(dialect, sql`data`, 'reason')} is null then data
          else '{"fades":' || valid_to || ',' || substr(ltrim(data, ${' \n\t\r'}), 2) end
        where ${implied}`,
  ];
}

/** PostgreSQL's `jsonb` rejects an escaped U+0000. */
function member(dialect: Dialect, column: Sql, name: string): Sql {
  return dialect === 'sqlite' ? sql`json_extract(${column}, ${`$.${name}`})` : sql`(${column}::json ->> ${name})`;
}
