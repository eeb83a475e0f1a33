// Serves large messages one after another, with a pause as long as each took: parsing one blocks the event loop, and this
// leaves at least half of it to other clients.

const waiting: (() => void)[] = [];

export function serveInLane(work: () => void): void {
  waiting.push(work);
  if (waiting.length === 1) setImmediate(serveNext);
}

function serveNext(): void {
  const started = performance.now();
  // In the next turn of the event loop, everything that the work has caused at once is done.
  setImmediate(() => {
    waiting.shift();
    if (waiting.length > 0) setTimeout(serveNext, performance.now() - started);
  });
  waiting[0]?.();
}
