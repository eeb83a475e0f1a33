// Reports nodes that other processes store to subscribers in this one. While there are subscribers, it looks at the table of
// changes: when the database wakes it, and from time to time, because wake-ups can be lost; without them often.
import { type Coalesced, coalesce } from '../core/coalesce.ts';
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
  /** Starts, stops if nobody wants it, or changes the pace. */
  follow(pace: Pace | undefined): void;
  close(): Promise<void>;
}

/** For entries that somebody watches, or for lists, which rarely change and concern every session. */
export type Pace = 'fast' | 'slow';

const lookEveryMs = 400;
/** The same if the database wakes us, or if there is no hurry. */
const lookSlowlyMs = 5_000;
/** Time between two looks after wake-ups, which may be many. */
const apartMs: Record<Pace, number> = { fast: 50, slow: 1_000 };
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
  let followed: Pace | undefined;
  let timer: NodeJS.Timeout | undefined;
  let woken: Coalesced | undefined;
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
    if (news.length === 0 || !followed) return;
    report(...new Map(news.flatMap(toNodes).map((node) => [node.id, node])).values());
  }

  function report(...nodes: readonly ChangedNode[]): void {
    for (const listener of listeners) listener(nodes);
  }

  function follow(pace: Pace | undefined): void {
    if (pace === followed) return;
    clearInterval(timer);
    woken?.cancel();
    unlisten?.();
    if (followed === undefined) {
      since = nameChange(store.now());
      seen = new Set();
    }
    followed = pace;
    if (pace === undefined) return;
    timer = setInterval(
      () => void lookOnce(windowMs),
      pace === 'fast' ? everyMs : Math.max(everyMs, lookSlowlyMs),
    ).unref();
    woken = coalesce(lookAgain, apartMs[pace]);
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

  /** The look that is running may have missed the change. */
  async function lookAgain(): Promise<void> {
    await looking;
    if (followed) await lookOnce(wokenWindowMs);
  }

  async function close(): Promise<void> {
    follow(undefined);
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
