// Search results without their texts, for ranking. Reading texts is the largest cost of a search, and of many ranked results
// few are shown.
import type { FusedHit } from '../search/fuse.ts';
import type { Weighed } from '../search/search-index.ts';
import { list, sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import type { Node, NodePosition, NodeRow } from './node.ts';
import { byTime, isCurrentSql, isEarlierSql, readEach } from './statement.ts';

export type NodeFacts = Pick<
  Node,
  'id' | 'project' | 'kind' | 'data' | 'createdAt' | 'validFrom' | 'validTo' | 'supersededBy' | 'forgottenAt'
>;

export { relevantFrom } from '../search/fuse.ts';

export interface SurveyHit extends Omit<FusedHit, 'number'> {
  node: NodeFacts;
}

/** Whether the results read so far make reading others unnecessary. */
export type IsEnough = (seen: readonly SurveyHit[]) => boolean;

/** Nodes read first if they may be enough, and most nodes read at once. */
const readFirst = 100;
const mostAtOnce = 500;

/** The first `limit` permitted results, or fewer if they are enough. If many are filtered out, the batches grow. */
export async function surveyHits(
  store: Store,
  hits: readonly FusedHit[],
  allows: (node: NodeFacts) => boolean,
  limit: number,
  isEnough?: IsEnough,
): Promise<SurveyHit[]> {
  const seen: SurveyHit[] = [];
  let atOnce = Math.min(limit, isEnough ? readFirst : limit) + 4;
  for (let at = 0; at < hits.length && seen.length < limit && !isEnough?.(seen); ) {
    const some = hits.slice(at, at + atOnce);
    at += some.length;
    atOnce = Math.max(atOnce, Math.min(atOnce * 2, mostAtOnce));
    const facts = await readFacts(
      store,
      some.map(({ number }) => number),
    );
    for (const { number, ...hit } of some) {
      const node = facts.get(number);
      if (node && allows(node)) seen.push({ node, ...hit });
    }
  }
  return seen.slice(0, limit);
}

/** Results of a weighted search, without stale copies. */
export interface WeighedNode extends Omit<Weighed, 'number'> {
  data: Node['data'];
}

const weighedAtOnce = 500;

export async function surveyWeighed(store: Store, found: readonly Weighed[]): Promise<WeighedNode[]> {
  const known = new Map<number, string>();
  for (let at = 0; at < found.length; at += weighedAtOnce) {
    const numbers = list(found.slice(at, at + weighedAtOnce).map(({ number }) => number));
    const rows = await store.all<{ number: number; data: string }>(
      sql`select document.number, node.data from document join node on node.id = document.node_id
          where document.number in ${numbers}`,
    );
    for (const { number, data } of rows) known.set(number, data);
  }
  return found.flatMap(({ number, ...weighed }) => {
    const data = known.get(number);
    return data === undefined ? [] : [{ data: JSON.parse(data), ...weighed }];
  });
}

type FactsRow = Pick<
  NodeRow,
  'id' | 'project' | 'kind' | 'data' | 'created_at' | 'valid_from' | 'valid_to' | 'superseded_by' | 'forgotten_at'
>;

export type Titled = NodeFacts & Pick<Node, 'title'>;

/** The newest valid nodes of a kind, in order of creation. */
export async function listTitled(
  store: Store,
  {
    projects,
    kind,
    limit,
    now,
    before,
  }: { projects: readonly string[]; kind: string; limit: number; now: number; before?: NodePosition | undefined },
): Promise<Titled[]> {
  const rows = await readEach(projects, (project) =>
    store.all<FactsRow & Pick<NodeRow, 'title'>>(
      sql`select id, project, kind, title, data, created_at, valid_from, valid_to, superseded_by, forgotten_at from node
          where project = ${project} and kind = ${kind} ${isCurrentSql(now)} ${isEarlierSql(before)}
          order by created_at desc, id desc limit ${limit}`,
    ),
  );
  const newest = rows.sort(byTime).slice(0, limit);
  return newest.map((row) => ({ ...readRow(row), title: row.title }));
}

/** By document number. Stale copies have none. */
async function readFacts(store: Store, numbers: readonly number[]): Promise<Map<number, NodeFacts>> {
  const rows = await store.all<FactsRow & { number: number }>(
    sql`select document.number, node.id, node.project, node.kind, node.data, node.created_at, node.valid_from,
          node.valid_to, node.superseded_by, node.forgotten_at
        from document join node on node.id = document.node_id where document.number in ${list(numbers)}`,
  );
  return new Map(rows.map((row) => [row.number, readRow(row)]));
}

function readRow(row: FactsRow): NodeFacts {
  return {
    id: row.id,
    project: row.project,
    kind: row.kind,
    data: JSON.parse(row.data),
    createdAt: row.created_at,
    validFrom: row.valid_from,
    validTo: row.valid_to ?? undefined,
    supersededBy: row.superseded_by ?? undefined,
    forgottenAt: row.forgotten_at ?? undefined,
  };
}
