// The program of an indexing thread: indexes trees into databases, one after another, through connections of its own. Its parsing
// threads and their grammars serve the next tree, too.
import { parentPort } from 'node:worker_threads';
import { LoreError } from '../../../core/error.ts';
import { compactDerived } from '../../../graph/derived/maintain.ts';
import { openBeside } from '../../../graph/derived/open.ts';
import { indexTree } from './indexing.ts';
import { createParsePool } from './parse/pool.ts';
import type { FromThread, ThreadStart, ToThread } from './thread-message.ts';

const pool = createParsePool();
let stopping = new AbortController();
const send = (message: FromThread) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToThread) => {
  if (message === 'stop') stopping.abort();
  else void run(message);
});

async function run({ file, project, model, now, input }: ThreadStart): Promise<void> {
  stopping = new AbortController();
  const { signal } = stopping;
  let store: Awaited<ReturnType<typeof openBeside>> | undefined;
  try {
    store = await openBeside(file);
    const report = async (done: number, total?: number, message?: string) => send({ done, total, message });
    const deriving = { store, project, model, now };
    send({ indexed: await indexTree({ deriving, pool, signal, report }, input) });
    // Everything can be found already; fewer segments make it faster, and no caller waits for this.
    await compactDerived(store, signal);
  } catch (error) {
    const word = error instanceof LoreError ? error.word : 'internal';
    send({ problem: { word, message: error instanceof Error ? error.message : String(error) } });
  } finally {
    await store?.close();
    send('ended');
  }
}
