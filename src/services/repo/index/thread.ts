// Indexes in a thread of its own where the database is a file, so that callers are answered meanwhile; else right here.
import type { Worker } from 'node:worker_threads';
import { type ErrorWord, errorWords, LoreError } from '../../../core/error.ts';
import { passOwnFiles } from '../../../files/own.ts';
import { compactDerived } from '../../../graph/derived/maintain.ts';
import { fileOf } from '../../../graph/derived/open.ts';
import type { OpenGraph } from '../../../graph/open.ts';
import type { Work } from '../../../graph/operation/worker.ts';
import { startThread } from '../thread-file.ts';
import type { Indexed, IndexInput } from './indexing.ts';
import type { ParsePool } from './parse/pool.ts';
import type { FromThread, ThreadStart } from './thread-message.ts';

export interface Indexing extends Pick<Work, 'signal' | 'report'> {
  opened: OpenGraph;
  project: string;
  pool: () => Promise<ParsePool>;
  /** Called with the thread, which may continue to compact after its work is done. */
  onThread?(thread: Thread): void;
}

export interface Thread {
  stop(): void;
  ended: Promise<unknown>;
}

export async function runIndexing(indexing: Indexing, input: IndexInput): Promise<Indexed> {
  const { opened, project, signal, report } = indexing;
  const { store, graph } = opened;
  const { chosen: model } = await opened.embedding.measure();
  const now = graph.now();
  const file = fileOf(store);
  if (file !== undefined) return runThread({ file, project, model, now, input }, indexing);
  const { indexTree } = await import('./indexing.ts');
  const deriving = { store, project, model, now };
  const indexed = await indexTree({ deriving, pool: await indexing.pool(), signal, report }, input);
  await compactDerived(store, signal);
  return indexed;
}

/** An idle thread has its grammars loaded, so it begins sooner than a new one. */
let idle: { worker: Worker; own: unknown; timer: NodeJS.Timeout } | undefined;
const idleMs = 20_000;

function takeThread(own: unknown): Worker {
  const known = idle;
  idle = undefined;
  clearTimeout(known?.timer);
  if (known && known.own === own) return known.worker;
  void known?.worker.terminate();
  const worker = startThread('index', 'index', {
    resourceLimits: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 16 },
    stdout: true,
    stderr: true,
  });
  worker.unref();
  // Whoever uses it hears of its end.
  worker.on('error', () => {});
  worker.on('exit', () => {
    if (idle?.worker === worker) idle = undefined;
  });
  return worker;
}

function leaveThread(worker: Worker, own: unknown): void {
  if (idle) return void worker.terminate();
  const end = () => {
    // At once, because it takes a moment to end.
    idle = undefined;
    void worker.terminate();
  };
  idle = { worker, own, timer: setTimeout(end, idleMs).unref() };
}

async function runThread(start: ThreadStart, { opened, signal, report, onThread }: Indexing): Promise<Indexed> {
  signal.throwIfAborted();
  const own = passOwnFiles();
  const worker = takeThread(own);
  const stop = () => worker.postMessage('stop');
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise<Indexed>((resolve, reject) => {
      const ended = new Promise<void>((end) => {
        const listen = (message: FromThread) => {
          if (message === 'ended') leave(true);
          else if ('indexed' in message) resolve(message.indexed);
          else if ('problem' in message) reject(toError(message.problem));
          else void report(message.done, message.total, message.message).catch(() => {});
        };
        const exit = () => leave(false);
        const leave = (isIdle: boolean) => {
          worker.off('message', listen).off('error', reject).off('exit', exit);
          if (isIdle) leaveThread(worker, own);
          reject(new LoreError('internal', 'Cannot index: the thread ended early'));
          end();
        };
        worker.on('message', listen).on('error', reject).on('exit', exit);
      });
      opened.store.relieve(ended);
      onThread?.({ stop, ended });
      worker.postMessage(start);
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function toError({ word, message }: { word: string; message: string }): Error {
  const known = errorWords.find((one) => one === word) as ErrorWord | undefined;
  return known === undefined || known === 'internal' ? new Error(message) : new LoreError(known, message);
}
