// Streams of changes: what becomes of one whose client has left.
import { expect, it } from 'vitest';
import type { Registry } from '../core/registry/registry.ts';
import type { Exchange } from './exchange.ts';
import { Hub } from './hub.ts';

it('hub: ends the stream of a client that left before it began', async () => {
  const hub = new Hub({ onChange: () => () => {} } as unknown as Registry);
  const wanted: boolean[] = [];
  hub.onDemand((isWanted) => wanted.push(isWanted));
  const exchange = { signal: AbortSignal.abort() } as Exchange;
  await hub.listen(exchange, { lists: new Set(), uris: new Set(['lore://file/a']), taskIds: new Set() });
  expect(wanted).toEqual([]);
});
