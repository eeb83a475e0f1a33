// The public keys of an authorization server. A token that they do not verify makes them be read again, so that rotated keys are
// known at once; while the server is away, the last ones apply for ten minutes.
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';

const freshMs = 5 * 60_000;
const longestMs = 10 * 60_000;
/** Invented keys must not become a flood of requests; a token with a new key waits this long at most. */
const apartMs = 300;
/** Not every token names its key, and a new key may have the name of an old one. */
const unknownKey = ['ERR_JWKS_NO_MATCHING_KEY', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'];

export interface KeyOptions {
  read(): Promise<JSONWebKeySet>;
  /** Monotonic, in ms. */
  now?: () => number;
}

interface PublishedKeys {
  find: JWTVerifyGetKey;
  /** To see whether there are others. */
  text: string;
}

export interface Keys {
  /** Runs the work, which fails with an error of jose, and again if the key may be a new one. */
  use<T>(work: (find: JWTVerifyGetKey) => Promise<T>): Promise<T>;
}

export function createKeys({ read, now = () => performance.now() }: KeyOptions): Keys {
  let known: PublishedKeys | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let startedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    const waitMs = startedAt + apartMs - now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    startedAt = now();
    const [{ createLocalJWKSet }, keys] = await Promise.all([import('jose'), read()]);
    known = { find: createLocalJWKSet(keys), text: JSON.stringify(keys) };
    readAt = now();
  }

  function refreshOnce(): Promise<void> {
    reading ??= refresh().finally(() => {
      reading = undefined;
    });
    return reading;
  }

  return {
    async use(work) {
      const age = now() - readAt;
      if (!known || age > longestMs) await refreshOnce();
      else if (age > freshMs) void refreshOnce().catch(() => {});
      const used = known as PublishedKeys;
      try {
        return await work(used.find);
      } catch (error) {
        if (!unknownKey.includes((error as { code: string }).code)) throw error;
        // If they cannot be read now, the key stays unknown.
        if (known === used) await refreshOnce().catch(() => {});
        const current = known as PublishedKeys;
        if (current.text === used.text) throw error;
        return work(current.find);
      }
    },
  };
}
