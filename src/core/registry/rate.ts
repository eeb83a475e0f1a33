// A token bucket per caller and tool, for tools that declare themselves expensive.
import { LoreError } from '../error.ts';

const maxBuckets = 10_000;

interface RateLimit {
  /** Takes one call from the caller's allowance, or throws `limit_exceeded` with the time to retry. */
  take(callerId: string, toolName: string): void;
}

export function createRateLimit(perMinute: () => number, now: () => number = Date.now): RateLimit {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take(callerId, toolName) {
      const limit = perMinute();
      const key = `${callerId}\n${toolName}`;
      const at = now();
      const bucket = buckets.get(key) ?? { left: limit, at };
      bucket.left = Math.min(limit, bucket.left + ((at - bucket.at) / 60_000) * limit);
      bucket.at = at;
      // Re-inserted so that the oldest entry is the one least recently used.
      buckets.delete(key);
      buckets.set(key, bucket);
      if (buckets.size > maxBuckets) buckets.delete(buckets.keys().next().value as string);
      if (bucket.left < 1) {
        const seconds = Math.ceil(((1 - bucket.left) / limit) * 60);
        throw new LoreError('limit_exceeded', `Cannot call "${toolName}": more than ${limit} calls a minute`, {
          hint: `Try again in ${seconds} s.`,
          details: { retryAfterSeconds: seconds },
        });
      }
      bucket.left -= 1;
    },
  };
}
