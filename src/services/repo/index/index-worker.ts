// The program of an indexing thread: indexes one tree into the database, through connections of its own.
import { parentPort, workerData } from 'node:worker_threads';
import { LoreError } from '../../../core/error.ts';
import { compactDerived } from '../../../graph/derived/maintain.ts';
import { openBeside } from '../../../graph/derived/open.ts';
import { indexTree } from './indexing.ts';
import { createParsePool } from './parse/pool.ts';
import type { FromThread, ThreadStart, ToThread } from './thread-message.ts';

const { file, project, model, now, input } = workerData as ThreadStart;
const stopping = new AbortController();
const send = (message: FromThread) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToThread) => {
  if (message === 'stop') stopping.abort();
});

async function run(): Promise<void> {
  const pool = createParsePool();
  let store: Awaited<ReturnType<typeof openBeside>> | undefined;
  try {
    store = await openBeside(file);
    const report = async (done: number, total?: number, message?: string) => send({ done, total, message });
    const deriving = { store, project, model, now };
    send({ indexed: await indexTree({ deriving, pool, signal: stopping.signal, report }, input) });
    // Everything can be found already; fewer segments make it faster, and no caller waits for this.
    await pool.close();
    await compactDerived(store, stopping.signal);
  } catch (error) {
    const word = error instanceof LoreError ? error.word : 'internal';
    send({ problem: { word, message: error instanceof Error ? error.message : String(error) } });
  } finally {
    await pool.close();
    await store?.close();
    parentPort?.close();
  }
}

void run();
