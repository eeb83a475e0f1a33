// The graph as the app hands it out: opened when it is first needed, because most starts of a server are not followed by a
// question; closed with the app. A failed opening is told to whoever asked, and the next one tries again.
import { describeLocation } from '../core/location.ts';
import type { OpenGraph } from './open.ts';

export interface GraphAccess {
  /** Without its password. */
  readonly location: string;
  readonly engine: 'sqlite' | 'postgres';
  open(): Promise<OpenGraph>;
  close(): Promise<void>;
}

export function createGraphAccess(location: string): GraphAccess {
  let opening: Promise<OpenGraph> | undefined;
  return {
    location: describeLocation(location),
    engine: /^postgres(ql)?:/.test(location) ? 'postgres' : 'sqlite',
    open() {
      opening ??= import('./open.ts')
        .then(({ openGraph }) => openGraph(location))
        .catch((error: unknown) => {
          opening = undefined;
          throw error;
        });
      return opening;
    },
    async close() {
      const opened = await opening?.catch(() => undefined);
      await opened?.close();
    },
  };
}
