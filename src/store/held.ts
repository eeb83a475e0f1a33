// What was read of a database, for as long as nothing in it changes. Where the database cannot tell that, it is read each time.
import type { Store } from './store.ts';

export interface Held {
  /** What `read` gave when it was last needed. */
  get<T>(key: string, read: () => Promise<T>): Promise<T>;
}

export function createHeld(store: Pick<Store, 'edition'>, most = 16): Held {
  let edition: number | undefined;
  let known = new Map<string, unknown>();
  return {
    async get<T>(key: string, read: () => Promise<T>): Promise<T> {
      // Asked for before anything is read: what changes in between shows the next time.
      const current = await store.edition();
      if (current === undefined) return read();
      if (current !== edition || known.size >= most) {
        edition = current;
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
