// Reports nodes that other processes store to subscribers in this one. While there are subscribers, it looks at the table of
// changes: when the database wakes it, and from time to time, because wake-ups can be lost; without them often.
import { coalesce } from '../core/coalesce.ts';
import { sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { isOwnChange, nameChange } from './change-id.ts';
import { purgeKind } from './purge/job.ts';

export interface ChangedNode {
  id: string;
  kind: string;
  data: { readonly [key: string]: unknown };
}

export interface ChangeFeed {
  /** Called with nodes that another process stored or changed, or that were reported. */
  listen(listener: (nodes: readonly ChangedNode[]) => void): void;
  /** For tools that change nodes of any service. */
  report(...nodes: readonly ChangedNode[]): void;
  /** Starts or stops. */
  follow(wanted: boolean): void;
  close(): Promise<void>;
}

const lookEveryMs = 400;
/** The same if the database wakes us. */
const lookWokenMs = 5_000;
/** Time between two looks after wake-ups, which may be many. */
const apartMs = 50;
/** Longest time between a change's timestamp and its commit, in ms. */
const windowMs = 30_000;
/** A wake-up is about a change of just now; the rest is left to the next look without one. */
const wokenWindowMs = 3_000;
/** Of more changes than this, only the newest are reported. */
const mostAtOnce = 1_000;

export function createChangeFeed(
  store: Pick<Store, 'all' | 'dataVersion' | 'now' | 'onWake'>,
  { isOwn = isOwnChange, everyMs = store.onWake ? lookSlowlyMs : lookEveryMs } = {},
): ChangeFeed {
  const listeners: ((nodes: readonly ChangedNode[]) => void)[] = [];
  /** Changes already reported, or older than the first subscription. */
  let seen = new Set<string>();
  let since = '';
  let version: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let unlisten: (() => void) | undefined;

  async function look(backMs: number): Promise<void> {
    const current = await store.dataVersion();
    if (current !== undefined && current === version) return;
    const rows = await listChanges(store, backMs);
    version = current;
    const news = rows.filter(({ change }) => change >= since && !seen.has(change) && !isOwn(change));
    const before = backMs < windowMs ? seen : [];
    seen = new Set([...before, ...rows.map(({ change }) => change)]);
    if (news.length === 0 || !timer) return;
    report(...new Map(news.flatMap(toNodes).map((node) => [node.id, node])).values());
  }

  function report(...nodes: readonly ChangedNode[]): void {
    for (const listener of listeners) listener(nodes);
  }

  function follow(wanted: boolean): void {
    if (wanted === (timer !== undefined)) return;
    clearInterval(timer);
    woken.cancel();
    unlisten?.();
    [timer, unlisten] = [undefined, undefined];
    if (!wanted) return;
    since = nameChange(store.now());
    seen = new Set();
    timer = setInterval(() => void lookOnce(windowMs), everyMs).unref();
    unlisten = store.onWake?.(woken.request);
  }

  /** If the database is unavailable, the next round retries. */
  function lookOnce(backMs: number): Promise<void> {
    looking ??= look(backMs)
      .catch(() => {})
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  const woken = coalesce(async () => {
    // It may have missed the change.
    await looking;
    if (timer) await lookOnce(wokenWindowMs);
  }, apartMs);

  async function close(): Promise<void> {
    follow(false);
    await looking;
  }

  return { listen: (listener) => void listeners.push(listener), report, follow, close };
}

interface ChangeRow {
  change: string;
  id: string;
  kind: string;
  /** The node's, or the result of a purge. */
  data: string | null;
  /** When the purge ended. Purged nodes have no history; only the finished job lists them. */
  purged_at: number | null;
}

/** The newest, oldest first, in one query, because busy servers look often. */
async function listChanges(store: Pick<Store, 'all' | 'now'>, backMs: number): Promise<ChangeRow[]> {
  const now = store.now();
  const rows = await store.all<ChangeRow>(
    sql`select id, id as change, kind, result as data, updated_at as purged_at from operation
          where state = 'done' and kind = ${purgeKind} and updated_at > ${now - backMs}
        union all
        select * from (
          select node.id, change.id as change, node.kind, node.data, cast(null as bigint) as purged_at
          from change join node on node.id = change.node_id
          where change.id > ${nameChange(now - backMs)} and change.id < ${nameChange(now + windowMs)}
          order by change.id desc limit ${mostAtOnce}
        ) as newest order by change desc`,
  );
  return rows.reverse().map((row) => (isPurge(row) ? { ...row, change: nameChange(row.purged_at) + row.id } : row));
}

function isPurge(row: ChangeRow): row is ChangeRow & { purged_at: number } {
  return row.purged_at !== null;
}

function toNodes(row: ChangeRow): ChangedNode[] {
  const data = JSON.parse(row.data ?? '{}');
  if (!isPurge(row)) return [{ id: row.id, kind: row.kind, data }];
  const { ids = [] } = data as { ids?: string[] };
  return ids.map((id) => ({ id, kind: id.startsWith('cp_') ? 'checkpoint' : 'memory', data: {} }));
}
