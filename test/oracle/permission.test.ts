// Permissions that change while clients are connected: notifications, and the errors of a server that is stopping.
import { expect, it } from 'vitest';
import { clientInfo, openConversation } from './conversation.ts';
import { envelope } from './stateless-script.ts';

const uri = 'test://watched-resource';
const isUpdate = ({ method }: { method?: string }) => method === 'notifications/resources/updated';
const change = { name: 'test_trigger_resource_update', arguments: {} };
const off = { fixture: 'off', [change.name]: 'write' } as const;

it('a subscriber is not notified of a resource that is no longer allowed', async () => {
  const talk = await openConversation('2025-11-25');
  const { registry } = talk.app;
  await talk.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  await talk.request('resources/subscribe', { uri });
  await talk.request('tools/call', change);
  await talk.waitFor(isUpdate);
  const { rules } = registry;
  registry.setRules({ ...rules, permissions: off });
  for (const list of ['tools', 'resources', 'prompts'])
    await talk.waitFor(({ method }) => method === `notifications/${list}/list_changed`);
  const before = talk.messages.length;
  await talk.request('tools/call', change);
  expect((await talk.request('resources/subscribe', { uri }))?.error?.data).toMatchObject({ code: 'forbidden' });
  registry.setRules(rules);
  await expect.poll(() => talk.messages.length).toBe(before + 3);
  expect(talk.messages.filter(isUpdate)).toHaveLength(1);
  await talk.app.stop();
  expect(talk.judge.problems).toEqual([]);
});

it('only allowed resources are acknowledged', async () => {
  const talk = await openConversation('2026-07-28');
  const { registry } = talk.app;
  registry.setRules({ ...registry.rules, permissions: off });
  const notifications = { resourceSubscriptions: [uri, 'test://nowhere'], promptsListChanged: true };
  const listening = talk.request('subscriptions/listen', { notifications, _meta: envelope({}) });
  const { params } = await talk.waitFor(({ method }) => method === 'notifications/subscriptions/acknowledged');
  expect(params?.notifications).toEqual({ resourceSubscriptions: [], promptsListChanged: true });
  await talk.app.stop();
  await listening;
  expect(talk.judge.problems).toEqual([]);
});

it('a stopping server reports that it stops, and not that the tool is unknown', async () => {
  const talk = await openConversation('2025-11-25');
  await talk.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  await talk.app.stop();
  const said = { code: -32001, message: 'Cannot call "status": the server is stopping' };
  expect((await talk.request('tools/call', { name: 'status' }))?.error).toMatchObject(said);
  expect((await talk.request('resources/read', { uri }))?.error).toMatchObject({ code: -32001 });
  expect(talk.judge.problems).toEqual([]);
});
