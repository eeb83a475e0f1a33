// subscriptions/listen over stdio: the acknowledgement first, then only what was asked for, until one side ends it.
import { expect, it } from 'vitest';
import type { Id, Json, Message, StdioClient } from '../../support/stdio-client.ts';
import { open, subscriptionOf, wrap } from './conversation.ts';

const acknowledged = 'notifications/subscriptions/acknowledged';

async function listen(client: StdioClient, notifications: Json): Promise<{ id: Id; ack: Message }> {
  const id = client.start('subscriptions/listen', wrap({ notifications }));
  return { id, ack: await client.next((message) => message.method === acknowledged && subscriptionOf(message) === id) };
}

function trigger(client: StdioClient, what: string): Promise<Message> {
  return client.request('tools/call', wrap({ name: `test_trigger_${what}` }));
}

/** Everything a stream has brought so far, by method. */
function broughtBy(client: StdioClient, id: Id): (string | undefined)[] {
  return client.received.flatMap((entry) =>
    !Array.isArray(entry) && subscriptionOf(entry) === id ? [entry.method] : [],
  );
}

const changes: [filter: Json, change: string, method: string][] = [
  [{ toolsListChanged: true }, 'tool_change', 'notifications/tools/list_changed'],
  [{ promptsListChanged: true }, 'prompt_change', 'notifications/prompts/list_changed'],
  [{ resourcesListChanged: true }, 'resource_change', 'notifications/resources/list_changed'],
  [{ resourceSubscriptions: ['test://watched-resource'] }, 'resource_update', 'notifications/resources/updated'],
];

it.each(changes)('%o receives the requested notifications and no others', async (filter, change, method) => {
  const client = await open();
  const { id, ack } = await listen(client, filter);
  expect(ack.params?.notifications).toEqual(filter);
  for (const [, other] of changes) if (other !== change) await trigger(client, other);
  await trigger(client, change);
  await client.nextNotification(method);
  expect(broughtBy(client, id)).toEqual([acknowledged, method]);
});

it('acknowledges only known filters', async () => {
  const client = await open();
  const { ack } = await listen(client, { toolsListChanged: true, promptsListChanged: false, weatherChanged: true });
  expect(ack.params?.notifications).toEqual({ toolsListChanged: true });
});

it.each<[string, Json]>([
  ['no filter', {}],
  ['a filter that is none', { notifications: [] }],
  ['addresses that are none', { notifications: { resourceSubscriptions: 'test://x' } }],
])('refuses %s', async (_, params) => {
  const client = await open();
  expect((await client.request('subscriptions/listen', wrap(params))).error).toMatchObject({ code: -32602 });
});

it('serves several streams, each under its own id', async () => {
  const client = await open();
  const first = await listen(client, { toolsListChanged: true });
  const second = await listen(client, { toolsListChanged: true, promptsListChanged: true });
  await trigger(client, 'tool_change');
  await client.next((message) => message.method === changes[0]?.[2] && subscriptionOf(message) === first.id);
  await client.next((message) => message.method === changes[0]?.[2] && subscriptionOf(message) === second.id);
});

it('sends nothing after it is cancelled', async () => {
  const client = await open();
  const { id } = await listen(client, { toolsListChanged: true });
  client.notify('notifications/cancelled', { requestId: id });
  const other = await listen(client, { toolsListChanged: true });
  await trigger(client, 'tool_change');
  await client.next((message) => message.method === changes[0]?.[2] && subscriptionOf(message) === other.id);
  expect(broughtBy(client, id)).toEqual([acknowledged]);
  await client.end();
  expect(client.received.some((entry) => !Array.isArray(entry) && entry.id === id)).toBe(false);
});

it('drops a cancelled request', async () => {
  const client = await open();
  const { id } = await listen(client, { toolsListChanged: true });
  client.notify('notifications/cancelled', { requestId: id });
  await client.request('server/discover', wrap());
  // An id is refused for as long as its request is under way.
  client.send({ jsonrpc: '2.0', id, method: 'server/discover', params: wrap() });
  expect((await client.response(id)).result).toMatchObject({ resultType: 'complete' });
});

it('ends with an empty result when the server stops', async () => {
  const client = await open();
  const { id } = await listen(client, { toolsListChanged: true });
  const response = client.response(id);
  await client.end();
  const { result } = await response;
  expect(result).toMatchObject({ resultType: 'complete' });
  expect(subscriptionOf({ result: result as Json })).toBe(id);
});
