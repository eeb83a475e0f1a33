// Serves large messages one after another, with a pause as long as each took: parsing one blocks the event loop, and this
// leaves at least half of it to other clients.

import type { Soon } from '../core/attempt.ts';

const waiting: (() => Soon<void>)[] = [];

export function serveInLane(work: () => Soon<void>): void {
  waiting.push(work);
  if (waiting.length === 1) setImmediate(serveNext);
}

async function serveNext(): Promise<void> {
  const started = performance.now();
  try {
    await waiting[0]?.();
  } finally {
    // After one turn of the event loop, the immediate consequences of the work are done.
    setImmediate(() => {
      waiting.shift();
      if (waiting.length > 0) setTimeout(serveNext, performance.now() - started);
    });
  }
}
