// The graph as the app hands it out: opened when it is first needed, because most starts of a server are not followed by a
// question; closed with the app. A failed opening is told to whoever asked, and the next one tries again.
import { describeLocation, isShared } from '../core/location.ts';
import { nameMachine } from '../core/machine.ts';
import type { GraphSettings, OpenGraph } from './open.ts';

export interface GraphAccess {
  /** Without its password. */
  readonly location: string;
  readonly engine: 'sqlite' | 'postgres';
  open(): Promise<OpenGraph>;
  /** For what a service does in the background: done whenever the graph is opened, by whoever opens it. */
  whenOpen(listener: (opened: OpenGraph) => void): void;
  /** Runs a few queries: on the graph's own store where it is open, else on one for this alone, which opens sooner. */
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
