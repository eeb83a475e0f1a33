// The public keys of an authorization server. An unknown key makes them be read again, so that rotated keys are known at once;
// while the server is away, the last ones apply for ten minutes.
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';

const freshMs = 5 * 60_000;
const longestMs = 10 * 60_000;
/** Invented keys must not become a flood of requests; a token with a new key waits this long at most. */
const apartMs = 300;

export interface KeyOptions {
  read(): Promise<JSONWebKeySet>;
  /** Monotonic, in ms. */
  now?: () => number;
}

export function createKeys({ read, now = () => performance.now() }: KeyOptions): JWTVerifyGetKey {
  let find: JWTVerifyGetKey | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let startedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    const waitMs = startedAt + apartMs - now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    startedAt = now();
    const [{ createLocalJWKSet }, keys] = await Promise.all([import('jose'), read()]);
    find = createLocalJWKSet(keys);
    readAt = now();
  }

  function refreshOnce(): Promise<void> {
    reading ??= refresh().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  return async (header, token) => {
    const age = now() - readAt;
    if (!find || age > longestMs) await refreshOnce();
    else if (age > freshMs) void refreshOnce().catch(() => {});
    const known = find as JWTVerifyGetKey;
    try {
      return await known(header, token);
    } catch (error) {
      if ((error as { code?: string }).code !== 'ERR_JWKS_NO_MATCHING_KEY') throw error;
      // If they cannot be read now, the key stays unknown.
      if (find === known) await refreshOnce().catch(() => {});
      return (find as JWTVerifyGetKey)(header, token);
    }
  };
}
