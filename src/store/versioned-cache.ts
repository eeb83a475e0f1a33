// What was read of a database, for as long as nothing in it changes. Where the database cannot tell that, it is read each time.
import type { Store } from './store.ts';

export interface VersionedCache {
  /** What `read` gave when it was last needed. */
  get<T>(key: string, read: () => Promise<T>): Promise<T>;
}

export function createVersionedCache(store: Pick<Store, 'dataVersion'>, most = 16): VersionedCache {
  let version: number | undefined;
  let known = new Map<string, unknown>();
  return {
    async get<T>(key: string, read: () => Promise<T>): Promise<T> {
      // Asked for before anything is read: what changes in between shows the next time.
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
