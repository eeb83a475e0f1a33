// Streams of changes: who wants them, and what becomes of one whose client has left.
import { expect, it } from 'vitest';
import type { Registry } from '../core/registry/registry.ts';
import type { Exchange } from './exchange.ts';
import { type Demand, Hub, type ListenFilter } from './hub.ts';
import { Session } from './session.ts';

function createHub() {
  const hub = new Hub({ onChange: () => () => {} } as unknown as Registry);
  const demands: (Demand | undefined)[] = [];
  hub.onDemand((demand) => demands.push(demand));
  const listen = (signal: AbortSignal, filter: Partial<ListenFilter>) =>
    hub.listen({ signal } as Exchange, { lists: new Set(), uris: new Set(), taskIds: new Set(), ...filter });
  return { hub, demands, listen };
}

it('hub: ends the stream of a client that left before it began', async () => {
  const { demands, listen } = createHub();
  await listen(AbortSignal.abort(), { uris: new Set(['lore://file/a']) });
  expect(demands).toEqual([]);
});

it('hub: reports what its clients want to know of', async () => {
  const { hub, demands, listen } = createHub();
  const session = new Session('s', () => true);
  hub.join(session);
  hub.subscribe(session, 'lore://recent');
  hub.unsubscribe(session, 'lore://recent');
  hub.part(session);
  expect(demands.splice(0)).toEqual(['lists', 'resources', 'lists', undefined]);
  const leaving = new AbortController();
  const streams = [
    listen(leaving.signal, { taskIds: new Set(['t']) }),
    listen(leaving.signal, { lists: new Set(['tools']) }),
    listen(leaving.signal, { uris: new Set(['lore://recent']) }),
  ];
  leaving.abort();
  await Promise.all(streams);
  expect(demands).toEqual(['lists', 'resources', undefined]);
});
