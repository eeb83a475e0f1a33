// Batches: required by one revision, unknown to the ones after it, and never with initialize or a stateless request inside.
import { describe, expect, it } from 'vitest';
import type { Message } from '../../support/stdio-client.ts';
import { open, sessionRevisions, share, startSession, wrap } from './conversation.ts';

const ping = { jsonrpc: '2.0', id: 'a', method: 'ping' };
const greeting = {
  jsonrpc: '2.0',
  id: 'b',
  method: 'tools/call',
  params: { name: 'greet', arguments: { name: 'Ann' } },
};
const notification = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' };

function byId(messages: Message[]): Message[] {
  return messages.sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
}

const answers = [
  { id: 'a', result: {} },
  { id: 'b', result: { content: [{ type: 'text', text: 'Hello, Ann!' }] } },
];

describe.each(sessionRevisions.filter((revision) => revision <= '2025-03-26'))('%s', (revision) => {
  const client = share(() => startSession(revision));

  it('answers every request of a batch in one response', async () => {
    client().send([ping, notification, greeting]);
    expect(byId(await client().nextBatch())).toMatchObject(answers);
  });

  it('returns a separate error for an invalid element', async () => {
    client().send([ping, 7, { jsonrpc: '2.0', id: 'c', method: 'no/such' }]);
    expect(byId(await client().nextBatch())).toMatchObject([
      { id: 'a', result: {} },
      { id: 'c', error: { code: -32601 } },
      { id: null, error: { code: -32600 } },
    ]);
  });

  it('does not answer a batch of notifications', async () => {
    const before = client().received.length;
    client().send([notification, notification]);
    await client().request('ping');
    expect(client().received.slice(before)).toMatchObject([{ result: {} }]);
  });

  it('refuses an empty batch, and initialize or a stateless request in one', async () => {
    client().send([]);
    expect(await client().response(null)).toMatchObject({ error: { code: -32600 } });
    client().send([ping, { jsonrpc: '2.0', id: 'i', method: 'initialize', params: {} }]);
    expect(byId(await client().nextBatch())).toMatchObject([
      { id: 'a', result: {} },
      { id: 'i', error: { code: -32600 } },
    ]);
    client().send([ping, { jsonrpc: '2.0', id: 'd', method: 'server/discover', params: wrap() }]);
    expect(await client().response(null)).toMatchObject({ error: { code: -32600 } });
  });
});

describe.each(sessionRevisions.filter((revision) => revision > '2025-03-26'))('%s', (revision) => {
  const client = share(() => startSession(revision));

  it('refuses a batch', async () => {
    client().send([ping, greeting]);
    expect(await client().response(null)).toMatchObject({ error: { code: -32600 } });
  });
});

describe('before initialize', () => {
  it('answers a batch', async () => {
    const client = await open();
    client.send([ping, greeting]);
    expect(byId(await client.nextBatch())).toMatchObject(answers);
  });
});
