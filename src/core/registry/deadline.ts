// The timeout of a call. It aborts the signal of the call, as a cancellation does, so that running code stops too.
import type { Call } from '../call.ts';
import { LoreError } from '../error.ts';

/** Unlimited if `ms` is Infinity. */
export function withDeadline<T>(work: Promise<T>, ms: number, call: Call, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const { signal } = call;
    let timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(expire, ms);
    function expire(): void {
      if (call.waiting) {
        timer = setTimeout(expire, ms);
        return;
      }
      const hint = 'Ask for less at once, or raise the setting call_timeout_ms.';
      call.cancel(new LoreError('timeout', `Cannot finish "${name}": it took longer than ${ms} ms`, { hint }));
    }
    const leave = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const onAbort = () => {
      leave();
      reject(signal.reason);
    };
    // After an abort the outcome is ignored.
    work.then(
      (value) => {
        leave();
        resolve(value);
      },
      (error) => {
        leave();
        reject(error);
      },
    );
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort);
  });
}
