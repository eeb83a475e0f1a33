// A pool of parsing threads: started on demand, ended when idle, never keeping the process alive. If a thread dies, its files are
// retried one by one, and a file that kills a thread again is skipped.
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { LoreError } from '../../../../core/error.ts';
import { startThread } from '../../thread-file.ts';
import type { ParseAnswer, ParseJob, ParseResult } from './job.ts';

export type Task = Omit<ParseJob, 'number'>;

export interface ParsePool {
  /** Threads that can work at once. */
  readonly width: number;
  parse(task: Task): Promise<ParseResult[]>;
  close(): Promise<void>;
}

const idleMs = 20_000;
/** A file that takes longer than all bounds inside a thread allow. */
const longestMs = 20_000;

interface Thread {
  worker: Worker;
  /** Taken, whether or not it has begun. */
  isTaken: boolean;
  busy: { number: number; settle(results: ParseResult[] | undefined): void } | undefined;
  idle: NodeJS.Timeout | undefined;
}

export function createParsePool(width = Math.max(1, Math.min(3, availableParallelism()))): ParsePool {
  const threads = new Set<Thread>();
  const waiting: ((thread: Thread) => void)[] = [];
  let count = 0;
  let closed = false;

  function open(): Thread {
    const worker = startThread('parse', 'index', {
      resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 12 },
      stdout: true,
      stderr: true,
    });
    worker.unref();
    const thread: Thread = { worker, isTaken: true, busy: undefined, idle: undefined };
    worker.on('message', ({ number, results }: ParseAnswer) => {
      const { busy } = thread;
      if (busy?.number !== number) return;
      thread.busy = undefined;
      busy.settle(results);
      pass(thread);
    });
    // The event `exit` reports its end; the cause is in the file.
    worker.on('error', () => {});
    worker.on('exit', () => {
      threads.delete(thread);
      clearTimeout(thread.idle);
      thread.busy?.settle(undefined);
      if (!closed && waiting.length > 0) waiting.shift()?.(open());
    });
    threads.add(thread);
    return thread;
  }

  /** To a waiting caller, or to the idle threads. */
  function pass(thread: Thread): void {
    const next = waiting.shift();
    if (next) return next(thread);
    thread.isTaken = false;
    thread.idle = setTimeout(() => void thread.worker.terminate(), idleMs).unref();
  }

  function take(): Thread | Promise<Thread> {
    const free = [...threads].find(({ isTaken }) => !isTaken);
    if (free) {
      free.isTaken = true;
      clearTimeout(free.idle);
      return free;
    }
    return threads.size < width ? open() : new Promise((resolve) => waiting.push(resolve));
  }

  async function run(task: Task): Promise<ParseResult[] | undefined> {
    const thread = await take();
    const number = ++count;
    return new Promise((resolve) => {
      const timer = setTimeout(() => void thread.worker.terminate(), longestMs).unref();
      thread.busy = {
        number,
        settle(results) {
          clearTimeout(timer);
          resolve(results);
        },
      };
      thread.worker.postMessage({ ...task, number } satisfies ParseJob);
    });
  }

  return {
    width,
    async parse(task) {
      const results = closed ? undefined : await run(task);
      if (closed) throw new LoreError('unavailable', 'Cannot parse files: the indexer has been stopped');
      if (results) return results;
      const each: ParseResult[] = [];
      for (const file of task.files) {
        const path = file[0];
        each.push(...((await run({ ...task, files: [file] })) ?? [{ path, skip: 'unreadable' as const }]));
      }
      return each;
    },
    async close() {
      closed = true;
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
