// A cache of values read from a database, valid until its data version changes. Without a data version, nothing is cached.
import type { Store } from './store.ts';

export interface VersionedCache {
  /** The cached value, or the result of `read`. */
  get<T>(key: string, read: () => Promise<T>): Promise<T>;
}

export function createVersionedCache(store: Pick<Store, 'dataVersion'>, most = 16): VersionedCache {
  let version: number | undefined;
  let known = new Map<string, unknown>();
  return {
    async get<T>(key: string, read: () => Promise<T>): Promise<T> {
      // Read first, so that a change during `read` is noticed next time.
      const current = await store.dataVersion();
      if (current === undefined) return read();
      if (current !== version || known.size >= most) {
        version = current;
        known = new Map();
      }
      const own = known;
      if (own.has(key)) return own.get(key) as T;
      const made = await read();
      own.set(key, made);
      return made;
    },
  };
}
