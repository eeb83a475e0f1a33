// Runs queued operations, one at a time in each process. If the process ends, another one continues.
import { LoreError, toLoreError } from '../../core/error.ts';
import { createId } from '../../core/id.ts';
import { describeError, type Log } from '../../core/log.ts';
import { holdMs, type Operations, type WholeOperation } from './operation.ts';

export interface Work {
  readonly operation: WholeOperation;
  /** Aborts when the operation is cancelled or the process stops. */
  readonly signal: AbortSignal;
  report(done: number, total?: number, message?: string): Promise<void>;
}

/** Does the work of one kind. It must be idempotent, because it may resume work that was started before. */
type Handler = (work: Work) => Promise<unknown>;

export interface Worker {
  handle(kind: string, handler: Handler): void;
  /** Call when there may be something to do. */
  wake(): void;
  /** Resolves when no operation waits that this process could run. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

const lookEveryMs = 2_000;

/** A short-lived process starts only when woken: it could not finish work that it takes up by itself. */
export function createWorker(
  operations: Operations,
  { log, stays = true }: { log?: Log; stays?: boolean } = {},
): Worker {
  const handlers = new Map<string, Handler>();
  const holder = createId('own');
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** An operation was added during the last check. */
  let again = false;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted && handlers.size > 0) {
      again = false;
      const operation = await operations.claim([...handlers.keys()], holder);
      if (operation) await perform(operation);
      else if (!again) return;
    }
  }

  async function perform(operation: WholeOperation): Promise<void> {
    const { id } = operation;
    const left = new AbortController();
    const leave = () => left.abort(stopping.signal.reason);
    stopping.signal.addEventListener('abort', leave, { once: true });
    let progress: { done: number; total?: number; message?: string } = { done: operation.done };
    const report = async () => {
      if (!(await operations.report(id, holder, progress)))
        left.abort(new LoreError('conflict', `"${id}" was cancelled`));
    };
    const beat = setInterval(() => void report().catch(() => {}), holdMs / 3).unref();
    try {
      const handler = handlers.get(operation.kind) as Handler;
      const result = await handler({
        operation,
        signal: left.signal,
        async report(done, total, message) {
          progress = { done, ...(total !== undefined && { total }), ...(message !== undefined && { message }) };
          await report();
        },
      });
      await operations.finish(id, holder, result);
    } catch (error) {
      if (left.signal.aborted) await operations.release(id, holder);
      else {
        const { message, hint, details } = toLoreError(error, `complete operation "${id}"`);
        log?.error('operation_failed', {
          operation: id,
          kind: operation.kind,
          id: details?.id,
          ...describeError(error),
        });
        await operations.fail(id, holder, [message + codeOf(error), hint].filter(Boolean).join('. '));
      }
    } finally {
      clearInterval(beat);
      stopping.signal.removeEventListener('abort', leave);
    }
  }

  function wake(): void {
    if (stopping.signal.aborted) return;
    timer ??= setInterval(wake, lookEveryMs).unref();
    again = true;
    running ??= run()
      // If the database is unavailable, the next check finds the work.
      .catch((error: unknown) => log?.error('operations_unreadable', describeError(error)))
      .finally(() => {
        running = undefined;
      });
  }

  return {
    handle(kind, handler) {
      handlers.set(kind, handler);
      if (stays) wake();
    },
    wake,
    async idle() {
      wake();
      await running;
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}

/** A system error's code, such as ENOSPC, is safe to show and often enough to know what to do. */
function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^E[A-Z0-9]{2,20}$/.test(code) ? ` (${code})` : '';
}
