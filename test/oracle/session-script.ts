// All that a client of a sessionful revision can make the server say: every method, every entry of the fixture, every kind
// of failure.
import { type LegacyRevision, newestLegacy } from '../../src/protocol/revision.ts';
import { argumentsOfPrompt, argumentsOfTool } from './arguments.ts';
import { type Conversation, clientInfo } from './conversation.ts';
import { listAll } from './lists.ts';
import { requestTypes, resultTypes } from './types.ts';

/** Asks with a choice of several, which forms have from 2025-11-25 on; what older clients should get is not decided. */
const tooNew = 'test_elicitation_sep1330_enums';

/** Returns the names of the tools it called. */
export async function converseInSession(talk: Conversation, revision: LegacyRevision): Promise<string[]> {
  // A client does not declare what its revision does not have; elicitation came with 2025-06-18.
  const elicitation = revision >= '2025-06-18' ? { elicitation: {} } : {};
  const capabilities = { sampling: {}, roots: { listChanged: true }, ...elicitation };
  // Before anything is agreed, the newest sessionful revision is spoken.
  if (revision === newestLegacy) await talk.request('tools/list');
  await talk.request('initialize', { capabilities });
  await talk.request('initialize', { protocolVersion: revision, capabilities, clientInfo });
  await talk.notify('notifications/initialized');
  await talk.request('ping');
  await talk.request('logging/setLevel', { level: 'loud' });
  await talk.request('logging/setLevel', { level: 'debug' });
  const called = await callEveryTool(talk, revision);
  await readEverything(talk);
  await getEveryPrompt(talk);
  await complete(talk);
  await watchChanges(talk);
  await provokeErrors(talk);
  await cancel(talk);
  await talk.request('shutdown');
  return called;
}

async function callEveryTool(talk: Conversation, revision: LegacyRevision): Promise<string[]> {
  const tools = await listAll(talk.request, 'tools/list');
  const names = tools.map(({ name }) => name as string).filter((name) => revision >= '2025-11-25' || name !== tooNew);
  await Promise.all(
    names.flatMap((name, index) => [
      talk.request('tools/call', {
        name,
        arguments: argumentsOfTool(name),
        _meta: { progressToken: index % 2 ? index : name },
      }),
      talk.request('tools/call', { name, arguments: { nonsense: { deep: [null] } } }),
    ]),
  );
  return names;
}

async function readEverything(talk: Conversation): Promise<void> {
  for (const { uri } of await listAll(talk.request, 'resources/list')) await talk.request('resources/read', { uri });
  await listAll(talk.request, 'resources/templates/list');
  await talk.request('resources/read', { uri: 'test://template/123/data' });
  await talk.request('resources/read', { uri: 'test://nowhere' });
}

async function getEveryPrompt(talk: Conversation): Promise<void> {
  for (const { name } of await listAll(talk.request, 'prompts/list')) {
    await talk.request('prompts/get', { name, arguments: argumentsOfPrompt(name as string) });
    await talk.request('prompts/get', { name });
  }
  await talk.request('prompts/get', { name: 'nothing' });
}

async function complete(talk: Conversation): Promise<void> {
  const prompt = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
  const template = { type: 'ref/resource', uri: 'test://template/{id}/data' };
  await talk.request('completion/complete', { ref: prompt, argument: { name: 'arg1', value: 'pa' } });
  await talk.request('completion/complete', { ref: prompt, argument: { name: 'arg9', value: 'pa' } });
  await talk.request('completion/complete', { ref: template, argument: { name: 'id', value: '1' } });
  await talk.request('completion/complete', { ref: { type: 'ref/prompt', name: 'nothing' } });
}

async function watchChanges(talk: Conversation): Promise<void> {
  await talk.request('resources/subscribe', { uri: 'test://watched-resource' });
  for (const [tool, method] of [
    ['test_trigger_tool_change', 'notifications/tools/list_changed'],
    ['test_trigger_prompt_change', 'notifications/prompts/list_changed'],
    ['test_trigger_resource_change', 'notifications/resources/list_changed'],
    ['test_trigger_resource_update', 'notifications/resources/updated'],
  ]) {
    await talk.request('tools/call', { name: tool, arguments: {} });
    await talk.waitFor((message) => message.method === method);
  }
  await talk.request('resources/unsubscribe', { uri: 'test://watched-resource' });
}

async function provokeErrors(talk: Conversation): Promise<void> {
  await talk.request('nothing/there');
  await talk.request('server/discover');
  await talk.request('tools/call', { name: 'nothing' });
  await talk.request('tools/call', { name: 7 });
  await talk.request('tools/call', { name: 'greet', arguments: 'Ada' });
  await talk.request('tools/list', { cursor: 'made up' });
  for (const text of [
    '{"jsonrpc":',
    '7',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":"x"}',
    '[]',
  ]) {
    await talk.sendText(text);
  }
  const batch = [
    { jsonrpc: '2.0', id: 'a', method: 'ping' },
    { jsonrpc: '2.0', id: 'b', method: 'tools/list' },
    { jsonrpc: '2.0', method: 'notifications/roots/list_changed' },
    { jsonrpc: '2.0', id: 'c', method: 'nothing' },
    7,
  ];
  await talk.sendText(JSON.stringify(batch), { a: 'ping', b: 'tools/list', c: 'nothing' });
}

async function cancel(talk: Conversation): Promise<void> {
  const params = { name: 'slow_compute', arguments: { seconds: 600 }, _meta: { progressToken: 'long' } };
  const running = talk.sendText(JSON.stringify({ jsonrpc: '2.0', id: 'long', method: 'tools/call', params }));
  await talk.waitFor((message) => message.params?.progressToken === 'long');
  await talk.notify('notifications/cancelled', { requestId: 'long' });
  await running;
}

const stateless = ['server/discover', 'subscriptions/listen', 'tasks/get', 'tasks/update', 'tasks/cancel'];

/** What the judge of such a conversation has seen, if it was complete. */
export function seenInSession(revision: LegacyRevision): string[] {
  return [
    ...Object.keys(resultTypes)
      .filter((method) => !stateless.includes(method))
      .map((method) => `result ${method}`),
    ...Object.keys(requestTypes)
      .filter((method) => revision >= '2025-06-18' || method !== 'elicitation/create')
      .map((method) => `request ${method}`),
    'notification notifications/progress',
    'notification notifications/message',
    'notification notifications/tools/list_changed',
    'notification notifications/prompts/list_changed',
    'notification notifications/resources/list_changed',
    'notification notifications/resources/updated',
    'error -32700',
    'error -32600',
    'error -32601',
    'error -32602',
    'error -32002',
    'error -32001',
  ];
}
