// The graph's embedder: it embeds only while its model is the database's, never lets a write wait for an endpoint, and embeds
// the remaining documents in the background.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../core/log.ts';
import { compactIndex } from '../../search/compact.ts';
import { takeLease } from '../../store/lease.ts';
import { sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import type { Embedder } from '../graph.ts';
import { chooseModel, proposeModel, readChoice } from './embedder-choice.ts';
import { findOutdated, measureProgress, type Progress, reembed } from './reembed.ts';

/** Computes the vectors. */
export interface OwnEmbedder extends Embedder {
  /** Over a network: may be slow or unavailable, and has no id before its first response. */
  readonly remote?: boolean;
  close?(): void;
}

interface EmbeddingState extends Progress {
  /** The model of this process; empty for an endpoint that has not responded yet. */
  own: string;
  /** The model of the database's vectors. */
  chosen: string;
}

export interface Embedding {
  readonly embedder: Embedder;
  measure(): Promise<EmbeddingState>;
  /** Makes this process's embedder the database's again, and embeds all documents. */
  choose(onProgress?: (progress: Progress) => void): Promise<EmbeddingState>;
  close(): Promise<void>;
}

interface EmbeddingOptions {
  store: Store;
  own: OwnEmbedder;
  log?: Pick<Log, 'info' | 'warn'> | undefined;
  /** Interval between checks for documents to embed, in ms. */
  everyMs?: number;
}

/** Time for a write to be committed and for others to join its batch, in ms. */
const soonMs = 200;
/** Longer than a usual round, in ms; after that another process may repeat the work. */
const leaseMs = 30_000;
/** New vectors are among the fresh documents, which a search scans one by one. */
const gatherEvery = 2_048;

export function createEmbedding({ store, own, log, everyMs = 2_000 }: EmbeddingOptions): Embedding {
  const closing = new AbortController();
  const { signal } = closing;
  /** Unknown until this process has proposed its model. */
  let chosen: string | undefined;
  let warnedOf: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  let running: Promise<unknown> | undefined;

  const describeOwn = () => ({ model: own.id, remote: own.remote === true });

  async function isChosen(): Promise<boolean> {
    chosen ??= (await proposeModel(store, describeOwn())).model;
    if (chosen === own.id) return true;
    if (warnedOf !== chosen) log?.warn('embedder_not_used', { own: own.id, chosen, hint: 'lore embedding use' });
    warnedOf = chosen;
    return false;
  }

  function plan(afterMs: number): void {
    const at = performance.now() + afterMs;
    if (signal.aborted || at >= dueAt) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(() => {
      dueAt = Number.POSITIVE_INFINITY;
      running ??= catchUp()
        // Failures of an endpoint are already logged; everything else is retried next time.
        .catch(() => {})
        .finally(() => {
          running = undefined;
          plan(everyMs);
        });
    }, afterMs).unref();
  }

  /** Runs a round unless another process does. Does not load the bundled table without need. */
  async function catchUp(): Promise<void> {
    const current = await readChoice(store);
    if (chosen !== undefined && current) chosen = current.model;
    if (own.remote && own.id === '') await own.embed(['lorekeeper'], 'document');
    else if (chosen === undefined && own.remote) await isChosen();
    else if (!(await hasWork(current?.model))) return;
    if (await isChosen()) await embedAll();
  }

  async function hasWork(model: string | undefined): Promise<boolean> {
    if (model !== undefined) return (await findOutdated(store, model, 1)).length > 0;
    return (await store.one(sql`select number from document limit 1`)) !== undefined;
  }

  async function embedAll(onProgress?: (progress: Progress) => void): Promise<void> {
    if (!(await hasWork(own.id))) return;
    const lease = await takeLease(store, 'reembed', leaseMs);
    if (!lease) return;
    try {
      for (let done = 0, gathered = 0; ; ) {
        const begun = performance.now();
        const count = await reembed(store, own);
        if (count === 0) break;
        done += count;
        onProgress?.(await measureProgress(store, own.id));
        if (done - gathered >= gatherEvery) {
          await compactIndex(store, { signal });
          gathered = done;
        }
        // Leaves half of the time to other work.
        if (!own.remote) await sleep(performance.now() - begun, undefined, { signal });
        const current = await readChoice(store);
        if (signal.aborted || current?.model !== own.id || !(await lease.renew())) return;
      }
      log?.info('embedded', { model: own.id });
    } finally {
      await lease.release();
    }
  }

  async function measure(): Promise<EmbeddingState> {
    const current = await readChoice(store);
    const model = current?.model ?? own.id;
    return { own: own.id, chosen: model, ...(await measureProgress(store, model)) };
  }

  plan(everyMs);
  return {
    embedder: {
      get id() {
        return own.id;
      },
      async embed(texts, use) {
        if (own.remote && use === 'document') {
          plan(soonMs);
          return [];
        }
        if (own.id !== '' && !(await isChosen())) return [];
        const vectors = own.remote
          ? await Promise.resolve(own.embed(texts, use)).catch(() => [])
          : await own.embed(texts, use);
        return vectors.length > 0 && (await isChosen()) ? vectors : [];
      },
    },
    measure,
    async choose(onProgress) {
      if (own.id === '') await own.embed(['lorekeeper'], 'document');
      await chooseModel(store, describeOwn());
      chosen = own.id;
      for (;;) {
        await embedAll(onProgress);
        const state = await measure();
        if (state.remaining === 0 || state.chosen !== own.id) return state;
        // Another process does it.
        onProgress?.(state);
        await sleep(soonMs, undefined, { signal });
      }
    },
    async close() {
      closing.abort();
      clearTimeout(timer);
      own.close?.();
      await running;
    },
  };
}
