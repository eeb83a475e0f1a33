// A way to the database for a thread that derives: the same file through connections of its own, so that the thread that
// answers callers never waits for what is written there.
import { openStore } from '../../store/open.ts';
import type { Store } from '../../store/store.ts';

/** Where another thread can open it; nothing for a database that only this one has, or that is no file. */
export function fileOf({ dialect, location }: Store): string | undefined {
  return dialect === 'sqlite' && location !== ':memory:' ? location : undefined;
}

export function openBeside(file: string): Promise<Store> {
  return openStore(file, { bulk: true });
}
