// A circuit breaker: after a failure there are no attempts for a while, then one. Callers fail at once in the meantime,
// instead of waiting for the same failure.

export interface Breaker {
  /** Whether to try now. A caller that gets true must report the outcome. */
  mayTry(): boolean;
  succeed(): void;
  fail(): void;
  /** The attempt was cancelled; its outcome is unknown. */
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
      // Concurrent failures count as one.
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
