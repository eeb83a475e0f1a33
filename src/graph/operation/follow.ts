// Follows an operation by polling, because another process may run it.
import { setTimeout as pause } from 'node:timers/promises';
import type { Call } from '../../core/call.ts';
import { LoreError } from '../../core/error.ts';
import type { OpenGraph } from '../open.ts';
import type { Operation } from './operation.ts';

const lookEveryMs = 50;
/** How long a call waits, in ms; after that, the client polls by operation id. */
const timeoutMs = 8_000;

export function isOver({ state }: Operation): boolean {
  return state !== 'queued' && state !== 'running';
}

/** Reports each state until the operation ends or the time is up; returns the last state. */
export async function followOperation(
  { operations, worker }: OpenGraph,
  id: string,
  report: (operation: Operation) => void,
  { forMs = Number.POSITIVE_INFINITY, signal }: { forMs?: number; signal?: AbortSignal } = {},
): Promise<Operation> {
  worker.wake();
  for (const until = performance.now() + forMs; ; ) {
    const operation = await operations.get(id);
    if (!operation) throw new LoreError('not_found', `Cannot follow "${id}": there is no such operation`);
    report(operation);
    if (isOver(operation) || performance.now() >= until) return operation;
    await pause(lookEveryMs, undefined, signal && { signal });
  }
}

/**
 * Waits briefly for an operation that the call started, and reports progress; clients that support tasks get one and wait
 * to the end. Cancelling the call cancels the operation.
 */
export function attendOperation<T>(
  opened: OpenGraph,
  id: string,
  call: Call,
  answer: (operation: Operation) => T,
): Promise<T> {
  return call.background(async (here) => {
    const report = ({ done, total, message }: Operation) => here.progress(done, total, message);
    try {
      const forMs = here === call ? timeoutMs : Number.POSITIVE_INFINITY;
      return answer(await followOperation(opened, id, report, { forMs, signal: here.signal }));
    } catch (error) {
      if (here.signal.aborted) await opened.operations.cancel(id);
      throw error;
    }
  });
}
