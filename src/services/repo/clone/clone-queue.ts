// Limits how many clones run at a time in this process: each needs several programs and a connection, and callers may name any
// number of addresses. The others wait. A clone never waits for another clone, so there is no deadlock.
import { LoreError } from '../../../core/error.ts';

const mostRunning = 2;
const mostWaiting = 30;

let running = 0;
const waiting: (() => void)[] = [];

export async function takeTurn<T>(url: string, work: () => Promise<T>): Promise<T> {
  if (waiting.length >= mostWaiting) {
    throw new LoreError('limit_exceeded', `Cannot clone "${url}": ${mostWaiting} other clones are waiting`, {
      hint: 'Try again in a minute.',
    });
  }
  if (running >= mostRunning) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    // Passes its slot to the next waiting clone.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
