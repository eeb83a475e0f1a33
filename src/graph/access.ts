// The app's access to the graph: opened on first use, because most server starts are not followed by a query, and closed with
// the app. A failure to open is reported to the caller, and the next call tries again.
import { existsSync } from 'node:fs';
import { describeLocation, isShared } from '../core/location.ts';
import { nameMachine } from '../core/machine.ts';
import type { GraphSettings, OpenGraph } from './open.ts';

export interface GraphAccess {
  /** Without its password. */
  readonly location: string;
  readonly engine: 'sqlite' | 'postgres';
  /** False if there is no database yet, and opening it would create one. */
  exists(): boolean;
  open(): Promise<OpenGraph>;
  /** Registers background work of a service, which starts when the graph is opened. */
  whenOpen(listener: (opened: OpenGraph) => void): void;
  /** Runs a few queries: on the graph's store if it is open, else on a temporary one, which opens faster. */
  query<T>(work: (place: Pick<OpenGraph, 'store' | 'machine'>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function createGraphAccess(location: string, settings: GraphSettings = {}): GraphAccess {
  const listeners: ((opened: OpenGraph) => void)[] = [];
  let opening: Promise<OpenGraph> | undefined;
  async function open(): Promise<OpenGraph> {
    const { openGraph } = await import('./open.ts');
    const opened = await openGraph(location, settings);
    for (const listener of listeners) listener(opened);
    return opened;
  }
  return {
    location: describeLocation(location),
    engine: isShared(location) ? 'postgres' : 'sqlite',
    exists: () => opening !== undefined || isShared(location) || existsSync(location),
    open() {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    whenOpen: (listener) => void listeners.push(listener),
    async query(work) {
      if (opening) return work(await opening);
      const [{ openStore }, { migrate }, { graphMigrations }] = await Promise.all([
        import('../store/open.ts'),
        import('../store/migrate.ts'),
        import('./tables.ts'),
      ]);
      const store = await openStore(location, { timeoutMs: settings.timeoutMs });
      try {
        await migrate(store, [...graphMigrations, ...(settings.migrations?.() ?? [])]);
        return await work({ store, machine: nameMachine(location) });
      } finally {
        await store.close();
      }
    },
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}
