// Opening the graph: the store behind a location, brought to its shape, with the default embedder, and gathering its index
// in the background.
import { createStaticEmbedder } from '../search/embed.ts';
import { gather } from '../search/gather.ts';
import { migrate } from '../store/migrate.ts';
import { openStore } from '../store/open.ts';
import { sql } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { Graph } from './graph.ts';
import { graphMigrations } from './tables.ts';

export interface OpenGraph {
  readonly graph: Graph;
  readonly store: Store;
  countNodes(): Promise<number>;
  close(): Promise<void>;
}

const gatherEveryMs = 5_000;

export async function openGraph(location: string): Promise<OpenGraph> {
  const store = await openStore(location);
  try {
    await migrate(store, graphMigrations);
  } catch (error) {
    await store.close();
    throw error;
  }
  const graph = new Graph({ store, embedder: createStaticEmbedder() });
  const stopGathering = keepGathering(store);
  return {
    graph,
    store,
    async countNodes() {
      return Number((await store.one<{ n: number }>(sql`select count(*) as n from node`))?.n ?? 0);
    },
    async close() {
      await stopGathering();
      await store.close();
    },
  };
}

/** Whoever has the graph open helps to keep its index in shape. A round that fails is left to the next. */
function keepGathering(store: Store): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() => gather(store)).catch(() => {});
  }, gatherEveryMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
