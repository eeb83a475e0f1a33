// Opens the database for an indexing thread with its own connections, so that the main thread never waits for its writes.
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';

/** Where another thread can open it; nothing for a database that only this one has, or that is no file. */
export function fileOf({ dialect, location }: Store): string | undefined {
  return dialect === 'sqlite' && location !== ':memory:' ? location : undefined;
}

export function openBeside(file: string): Promise<Store> {
  return openStore(file, { bulk: true });
}
