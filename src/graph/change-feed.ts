// Reports nodes that other processes store to subscribers in this one. While there are subscribers, it looks at the table of
// changes: when the database wakes it, and from time to time, because wake-ups can be lost; without them often.
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
  { isOwn = isOwnChange, everyMs = store.onWake ? lookWokenMs : lookEveryMs } = {},
): ChangeFeed {
  const listeners: ((nodes: readonly ChangedNode[]) => void)[] = [];
  /** Changes already reported, or older than the first subscription. */
  let seen = new Set<string>();
  let since = '';
  let version: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let woken: NodeJS.Timeout | undefined;
  let unlisten: (() => void) | undefined;

  async function look(backMs: number): Promise<void> {
    const current = await store.dataVersion();
    if (current !== undefined && current === version) return;
    const now = store.now();
    const rows = await store.all<{ change: string; id: string; kind: string; data: string }>(
      sql`select change.id as change, node.id, node.kind, node.data from change join node on node.id = change.node_id
          where change.id > ${nameChange(now - backMs)} and change.id < ${nameChange(now + windowMs)}
          order by change.id desc limit ${mostAtOnce}`,
    );
    version = current;
    const purges = await listPurges(store, now - backMs);
    // Oldest first.
    const news = rows.reverse().filter(({ change }) => change >= since && !seen.has(change) && !isOwn(change));
    const purged = purges.filter(({ change }) => change >= since && !seen.has(change)).flatMap(({ nodes }) => nodes);
    const before = backMs < windowMs ? seen : [];
    seen = new Set([...before, ...[...rows, ...purges].map(({ change }) => change)]);
    if (news.length + purged.length === 0 || !timer) return;
    const nodes = new Map(news.map(({ id, kind, data }) => [id, { id, kind, data: JSON.parse(data) }]));
    report(...nodes.values(), ...purged);
  }

  function report(...nodes: readonly ChangedNode[]): void {
    for (const listener of listeners) listener(nodes);
  }

  function follow(wanted: boolean): void {
    if (wanted === (timer !== undefined)) return;
    clearInterval(timer);
    clearTimeout(woken);
    unlisten?.();
    [timer, woken, unlisten] = [undefined, undefined, undefined];
    if (!wanted) return;
    since = nameChange(store.now());
    seen = new Set();
    timer = setInterval(() => void lookOnce(windowMs), everyMs).unref();
    unlisten = store.onWake?.(wake);
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

  /** Not at once, since the look that is running may have missed the change, and more may follow. */
  function wake(): void {
    woken ??= setTimeout(async () => {
      await looking;
      woken = undefined;
      if (timer) await lookOnce(wokenWindowMs);
    }, apartMs).unref();
  }

  async function close(): Promise<void> {
    follow(false);
    await looking;
  }

  return { listen: (listener) => void listeners.push(listener), report, follow, close };
}

/** Purged nodes have no history; only the finished job lists them. */
async function listPurges(store: Pick<Store, 'all'>, since: number) {
  const rows = await store.all<{ id: string; result: string | null; updated_at: number }>(
    sql`select id, result, updated_at from operation
        where state = 'done' and kind = ${purgeKind} and updated_at > ${since}`,
  );
  return rows.map(({ id, result, updated_at }) => {
    const { ids = [] } = JSON.parse(result ?? '{}') as { ids?: string[] };
    const nodes = ids.map((one): ChangedNode => ({ id: one, kind: kindOfPurged(one), data: {} }));
    return { change: nameChange(Number(updated_at)) + id, nodes };
  });
}

function kindOfPurged(id: string): string {
  return id.startsWith('cp_') ? 'checkpoint' : 'memory';
}
