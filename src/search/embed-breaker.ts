// A breaker: after a failure nobody tries for a while, then one does for all. Whoever asks meanwhile hears at once that
// there is nothing to be had, instead of waiting for the same failure.

export interface Breaker {
  /** Whether to try now. Who is told to must report what came of it. */
  mayTry(): boolean;
  succeed(): void;
  fail(): void;
  /** Tried, and left without finding out. */
  leave(): void;
}

const firstRestMs = 5_000;
const longestRestMs = 60_000;

export function createBreaker(now: () => number = Date.now): Breaker {
  let failures = 0;
  let restUntil = 0;
  let trying = false;
  return {
    mayTry() {
      if (failures === 0) return true;
      if (trying || now() < restUntil) return false;
      trying = true;
      return true;
    },
    succeed() {
      failures = 0;
      trying = false;
    },
    fail() {
      // Several that were under way together fail as one.
      if (failures === 0 || trying || now() >= restUntil) {
        restUntil = now() + Math.min(firstRestMs * 2 ** failures, longestRestMs);
        failures++;
      }
      trying = false;
    },
    leave() {
      trying = false;
    },
  };
}
