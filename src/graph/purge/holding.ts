// Finds entries that contain a text word for word: in their text, title, data or key, or in an earlier version. It reads every
// entry, valid or not, because a purge must not miss any.
import { keyPrefix } from '../../core/id.ts';
import { list, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { derivedKinds } from '../derived/tables.ts';
import { keyEdge } from '../key-edge.ts';

export interface ContainingEntry {
  id: string;
  kind: string;
  title: string;
  text: string;
  /** Only an earlier version contains it. */
  earlier: boolean;
}

const pageSize = 500;
/** Derived from others, and named by what they mention. */
const passedOver = [...derivedKinds, 'entity', 'session', 'project'];

export async function findContaining(
  store: Pick<Store, 'all'>,
  projects: readonly string[],
  texts: readonly string[],
  { limit, kinds }: { limit: number; kinds?: readonly string[] | undefined },
): Promise<ContainingEntry[]> {
  const wanted = texts.map(fold).filter((text) => text !== '');
  const holds = (text: string) => {
    const folded = fold(text);
    return wanted.some((one) => folded.includes(one));
  };
  const found: ContainingEntry[] = [];
  for (let last = ''; found.length < limit; ) {
    const rows = await store.all<{ id: string; kind: string; title: string; text: string; data: string }>(
      sql`select id, kind, title, text, data from node where coalesce(project, '') in ${list(projects)}
          and ${kinds ? sql`kind in ${list(kinds)}` : sql`kind not in ${list(passedOver)}`}
          and id > ${last} order by id limit ${pageSize}`,
    );
    const [past, keys] = [await readPast(store, rows), await readKeys(store, rows)];
    for (const { data, ...row } of rows) {
      const now = [row.title, row.text, keys.get(row.id) ?? '', ...stringsOf(JSON.parse(data))].some(holds);
      if (now || past.get(row.id)?.some(holds)) found.push({ ...row, earlier: !now });
    }
    if (rows.length < pageSize) break;
    last = rows.at(-1)?.id as string;
  }
  return found.slice(0, limit);
}

/** As callers write them. */
async function readKeys(store: Pick<Store, 'all'>, nodes: readonly { id: string }[]): Promise<Map<string, string>> {
  const rows = await store.all<{ id: string; key: string }>(
    sql`select edge.from_id as id, node.title as key from edge join node on node.id = edge.to_id
        where edge.kind = ${keyEdge} and edge.from_id in ${list(nodes.map(({ id }) => id))}`,
  );
  return new Map(rows.map(({ id, key }) => [id, keyPrefix + key]));
}

async function readPast(store: Pick<Store, 'all'>, nodes: readonly { id: string }[]): Promise<Map<string, string[]>> {
  const past = new Map<string, string[]>();
  if (nodes.length === 0) return past;
  const rows = await store.all<{ node_id: string; before: string }>(
    sql`select node_id, before from change where action = 'edit' and node_id in ${list(nodes.map(({ id }) => id))}`,
  );
  for (const { node_id, before } of rows) {
    past.set(node_id, [...(past.get(node_id) ?? []), ...stringsOf(JSON.parse(before))]);
  }
  return past;
}

export function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/** Ignores case, width and spacing. */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}
