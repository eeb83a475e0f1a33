// Runs the deep ranker in threads, which are started by the first question, stop when there are no questions for a while, and never keep the
// process running. Without the model file, or after a failure, there are no scores.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { findAsset } from '../../../core/asset.ts';
import { findThread } from '../../../core/program-file.ts';
import type { DeepPair } from './input.ts';
import type { DeepHeader } from './model-file.ts';

/** To the threads. They write the scores into the shared memory, which begins with the number of texts that were taken. */
export interface DeepQuestion {
  number: number;
  question: string;
  pairs: readonly DeepPair[];
  shared: SharedArrayBuffer;
  /** No text is started after this time. */
  until: number;
}

type Trained = Pick<DeepHeader, 'fusion'>;

/** From a thread: it is ready, or has finished a question. */
export type DeepReply = Trained | { number: number };

export interface DeepScores extends Trained {
  /** For each text in turn; NaN if there was no time for it, `unknownLanguage` if it cannot be judged. */
  scores: Float32Array;
  /** The logarithm of the odds that each of these texts helps with the question, if it is a prompt. */
  relevance: Float32Array;
}

export interface DeepThreads {
  /** Whether a question need not wait for the model. */
  readonly isReady: boolean;
  /** Loads the model. */
  start(): void;
  /** The best texts come first; undefined if the model is not available. */
  score(question: string, pairs: readonly DeepPair[], budgetMs: number): Promise<DeepScores | undefined>;
  close(): Promise<void>;
}

export const unknownLanguage = Number.POSITIVE_INFINITY;

/** Both scores of each text, in the memory that the threads share. */
export function splitScores(shared: SharedArrayBuffer, texts: number): [scores: Float32Array, relevance: Float32Array] {
  return [new Float32Array(shared, 4, texts), new Float32Array(shared, 4 + texts * 4, texts)];
}

const mostThreads = 2;
const idleMs = 300_000;

interface Running {
  workers: Worker[];
  ready: Promise<Trained | Error>;
  trained?: Trained;
  /** How each open question ends, and how many threads still work on it. */
  open: Map<number, { left: number; end(): void }>;
}

export function createDeepThreads(path = findAsset('ranker.bin')): DeepThreads {
  let running: Running | undefined;
  let failure: Error | undefined;
  let questions = 0;
  let idle: NodeJS.Timeout | undefined;

  async function stop(): Promise<void> {
    clearTimeout(idle);
    idle = undefined;
    const stopped = running;
    running = undefined;
    for (const { end } of stopped?.open.values() ?? []) end();
    await Promise.all((stopped?.workers ?? []).map((worker) => worker.terminate()));
  }

  function start(): Running {
    const started: Running = { workers: [], open: new Map(), ready: Promise.resolve(new Error()) };
    running = started;
    started.ready = new Promise((resolve) => {
      let left = Math.min(mostThreads, availableParallelism());
      const fail = (error: Error) => {
        resolve(error);
        if (running !== started) return;
        failure = error;
        void stop();
      };
      try {
        const file = findThread('rank', 'rank results by the deep ranker');
        for (let at = left; at > 0; at--) {
          const worker = new Worker(file, { workerData: { path } });
          started.workers.push(worker);
          worker.unref();
          worker.on('error', fail);
          worker.on('exit', () => fail(new Error('A thread of the deep ranker ended')));
          worker.on('message', (reply: DeepReply) => {
            if (!('number' in reply)) {
              if (--left > 0) return;
              started.trained = reply;
              resolve(reply);
              return;
            }
            const question = started.open.get(reply.number);
            if (question && --question.left === 0) question.end();
          });
        }
      } catch (error) {
        fail(error as Error);
      }
    });
    return started;
  }

  function open(): Running {
    const opened = running ?? start();
    idle ??= setTimeout(() => void stop(), idleMs).unref();
    idle.refresh();
    return opened;
  }

  return {
    get isReady() {
      return running?.trained !== undefined && failure === undefined;
    },
    start() {
      if (!failure) open();
    },
    async score(question, pairs, budgetMs) {
      if (failure) return undefined;
      const { workers, ready, open: pending } = open();
      // The reply would not keep the process running.
      const alive = setInterval(() => {}, budgetMs + 60_000);
      try {
        const trained = await ready;
        // It may have been closed meanwhile.
        if (trained instanceof Error || running?.workers !== workers) return undefined;
        const shared = new SharedArrayBuffer(4 + pairs.length * 8);
        const [scores, relevance] = splitScores(shared, pairs.length);
        scores.fill(Number.NaN);
        const number = questions++;
        await new Promise<void>((resolve) => {
          pending.set(number, { left: workers.length, end: resolve });
          const asked: DeepQuestion = { number, question, pairs, shared, until: Date.now() + budgetMs };
          for (const worker of workers) worker.postMessage(asked);
        });
        pending.delete(number);
        return { ...trained, scores: scores.slice(), relevance: relevance.slice() };
      } finally {
        clearInterval(alive);
      }
    },
    close: stop,
  };
}
