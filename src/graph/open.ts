// Opens the graph: the store at a location, migrated, with the embedder of the settings, and background compaction of the index.
import type { Log } from '../core/log.ts';
import { nameMachine } from '../core/machine.ts';
import type { Migration } from '../core/migration.ts';
import { runSoon } from '../core/steps.ts';
import { compactIndex } from '../search/compact.ts';
import { createStaticEmbedder } from '../search/embed.ts';
import { createRemoteEmbedder, type RemoteOptions } from '../search/embed-remote.ts';
import { createDeepRanker, type RankSettings } from '../search/rank/deep/ranker.ts';
import { migrate } from '../store/migrate.ts';
import { openStore } from '../store/open.ts';
import { sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { type ChangeFeed, createChangeFeed } from './change-feed.ts';
import { derivedKinds } from './derived/tables.ts';
import { createEmbedding, type Embedding, type OwnEmbedder } from './embedding/embedding.ts';
import { Graph } from './graph.ts';
import { Operations } from './operation/operation.ts';
import { createWorker, type Worker } from './operation/worker.ts';
import { identifyUser } from './project/user.ts';
import { graphMigrations } from './tables.ts';

export interface GraphSettings {
  /** The embeddings endpoint; by default the built-in table is used. */
  endpoint?: Omit<RemoteOptions, 'log' | 'now'> | undefined;
  log?: Log | undefined;
  /** The setting of the ranking; it may change. */
  rank?: (() => RankSettings) | undefined;
  /** Busy timeout: how long to wait for a locked or unavailable database. */
  timeoutMs?: number | undefined;
  /** False for a process that runs one command: it leaves queued operations and file watching to others. */
  stays?: boolean | undefined;
  /** Tables of services, besides the graph's own. */
  migrations?: (() => readonly Migration[]) | undefined;
  /** A clock for validity, instead of the machine's. */
  now?: (() => number) | undefined;
}

export interface OpenGraph {
  readonly graph: Graph;
  readonly store: Store;
  readonly operations: Operations;
  readonly worker: Worker;
  /** Changes by other processes. */
  readonly changes: ChangeFeed;
  /** Separates the folders of machines that share a database; empty if there is only one. */
  readonly machine: string;
  /** Whether this process continues after its first results. */
  readonly stays: boolean;
  /** The id of the user's own project, which applies in every folder; each member of a team has one. */
  readonly user: string;
  /** The current embedder, and the number of documents that wait for it. */
  readonly embedding: Omit<Embedding, 'embedder' | 'close'>;
  countNodes(): Promise<number>;
  close(): Promise<void>;
}

const gatherEveryMs = 5_000;

export async function openGraph(location: string, settings: GraphSettings = {}): Promise<OpenGraph> {
  const store = await openStore(location, { timeoutMs: settings.timeoutMs });
  return openGraphOn(store, { ...settings, machine: nameMachine(location) });
}

/** Uses an open store, which is closed with the graph. */
export async function openGraphOn(
  store: Store,
  { endpoint, log, rank, stays = true, now, migrations, machine = '' }: GraphSettings & { machine?: string } = {},
): Promise<OpenGraph> {
  const own = endpoint ? createRemoteEmbedder({ ...endpoint, log }) : createOwnEmbedder();
  try {
    await migrate(store, [...graphMigrations, ...(migrations?.() ?? [])]);
  } catch (error) {
    await store.close();
    throw error;
  }
  const embedding = createEmbedding({ store, own, log });
  const ranker = createDeepRanker({ settings: rank, stays });
  const graph = new Graph({ store, embedder: embedding.embedder, openDeep: ranker.open, ...(now && { now }) });
  const operations = new Operations(store);
  const worker = createWorker(operations, { stays, ...(log && { log }) });
  const changes = createChangeFeed(store);
  const stopGathering = keepGathering(store);
  return {
    graph,
    store,
    operations,
    worker,
    changes,
    machine,
    stays,
    user: identifyUser(),
    embedding,
    async countNodes() {
      return Number((await store.one<{ n: number }>(sql`select count(*) as n from node`))?.n ?? 0);
    },
    async close() {
      await Promise.all([changes.close(), worker.stop(), stopGathering(), embedding.close(), ranker.close()]);
      await store.close();
    },
  };
}

function createOwnEmbedder(): OwnEmbedder {
  const table = createStaticEmbedder();
  return {
    get id() {
      return table.id;
    },
    embed: (texts) => runSoon(table.embedInSteps(texts)),
  };
}

/**
 * Every process with an open graph helps to compact its index. A failed round is retried in the next one. Derived nodes
 * are compacted by the thread that writes them, because there are many.
 */
function keepGathering(store: Store): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running
      .then(() => compactIndex(store, { signal: stopping.signal, except: derivedKinds }))
      .catch(() => {});
  }, gatherEveryMs).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
