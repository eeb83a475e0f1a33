// Opens the database for an indexing thread with its own connections, so that the main thread never waits for its writes.
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';

/** A location that another thread can open; undefined for an in-memory database or PostgreSQL. */
export function fileOf({ dialect, location }: Store): string | undefined {
  return dialect === 'sqlite' && location !== ':memory:' ? location : undefined;
}

export function openBeside(file: string): Promise<Store> {
  return openStore(file, { bulk: true });
}
