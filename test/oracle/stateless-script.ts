// All that a client of the stateless revision can make the server say, questions as results and tasks included. Returns
// the names of the tools it called.
import { metaKey, tasksExtension } from '../../src/protocol/revision.ts';
import { argumentsOfPrompt, argumentsOfTool } from './arguments.ts';
import { bringAnswers, type Conversation, clientInfo, type LocalConversation } from './conversation.ts';
import type { Message } from './judge.ts';
import { listAll } from './lists.ts';
import { followTask } from './task-script.ts';

type Request = (method: string, params?: object) => Promise<Message | undefined>;

const everything = { elicitation: {}, sampling: {}, roots: {}, extensions: { [tasksExtension]: {} } };

/** The envelope that every request of this revision carries. */
export function envelope(capabilities: object = everything, more: object = {}): object {
  return {
    [metaKey.version]: '2026-07-28',
    [metaKey.clientInfo]: clientInfo,
    [metaKey.capabilities]: capabilities,
    [metaKey.logLevel]: 'debug',
    ...more,
  };
}

export async function converseStateless(talk: LocalConversation): Promise<string[]> {
  const request: Request = (method, params) => talk.request(method, { _meta: envelope(), ...params });
  await request('server/discover');
  const listening = listen(talk);
  const called = await callEveryTool(talk, request);
  await readEverything(request);
  await getEveryPrompt(request);
  await watchChanges(talk, request);
  await provokeErrors(talk, request);
  // Ends the listen stream with its result.
  talk.app.protocol.hub.close();
  await listening;
  return called;
}

function listen(talk: Conversation): Promise<unknown> {
  const notifications = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ['test://watched-resource'],
  };
  return talk.request('subscriptions/listen', { _meta: envelope(), notifications });
}

/** Comes again with answers for as long as the server asks. */
async function insist(request: Request, method: string, params: object): Promise<Message | undefined> {
  let answer = await request(method, params);
  for (let round = 1; answer?.result?.resultType === 'input_required' && round < 5; round++) {
    answer = await request(method, { ...params, ...bringAnswers(answer.result) });
  }
  return answer;
}

async function callEveryTool(talk: Conversation, request: Request): Promise<string[]> {
  const names = (await listAll(request, 'tools/list')).map(({ name }) => name as string);
  await Promise.all(
    names.map(async (name, index) => {
      const params = { name, arguments: argumentsOfTool(name) };
      const _meta = envelope(everything, { progressToken: index % 2 ? index : name });
      const answer = await insist(request, 'tools/call', { ...params, _meta });
      if (answer?.result?.resultType === 'task') await followTask(talk, request, answer.result.taskId as string);
      await request('tools/call', { ...params, _meta: envelope({}) });
      await request('tools/call', { name, arguments: { nonsense: { deep: [null] } } });
    }),
  );
  return names;
}

async function readEverything(request: Request): Promise<void> {
  for (const { uri } of await listAll(request, 'resources/list')) await request('resources/read', { uri });
  await listAll(request, 'resources/templates/list');
  await request('resources/read', { uri: 'test://template/123/data' });
  await request('resources/read', { uri: 'test://nowhere' });
}

async function getEveryPrompt(request: Request): Promise<void> {
  for (const { name } of await listAll(request, 'prompts/list')) {
    await insist(request, 'prompts/get', { name, arguments: argumentsOfPrompt(name as string) });
    await request('prompts/get', { name });
  }
  const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
  await request('completion/complete', { ref, argument: { name: 'arg1', value: 'pa' } });
  await request('completion/complete', { ref: 7 });
}

async function watchChanges(talk: Conversation, request: Request): Promise<void> {
  for (const [tool, method] of [
    ['test_trigger_tool_change', 'notifications/tools/list_changed'],
    ['test_trigger_prompt_change', 'notifications/prompts/list_changed'],
    ['test_trigger_resource_change', 'notifications/resources/list_changed'],
    ['test_trigger_resource_update', 'notifications/resources/updated'],
  ]) {
    await request('tools/call', { name: tool, arguments: {} });
    await talk.waitFor((message) => message.method === method);
  }
}

async function provokeErrors(talk: Conversation, request: Request): Promise<void> {
  for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'shutdown', 'tasks/result']) {
    await request(method);
  }
  for (const version of ['2031-01-01', '2025-06-18', '', 7, null, ['2026-07-28']]) {
    await request('tools/list', { _meta: envelope({}, { [metaKey.version]: version }) });
  }
  await request('tools/list', { _meta: { [metaKey.version]: '2026-07-28' } });
  await request('tools/list', { _meta: envelope({}, { [metaKey.logLevel]: 'loud' }) });
  await request('subscriptions/listen', { notifications: 7 });
  await request('subscriptions/listen', { notifications: { taskIds: [] }, _meta: envelope({}) });
  await request('tasks/get', { taskId: 'nothing' });
  await request('tasks/get', { taskId: 'nothing', _meta: envelope({}) });
  const forged = { name: 'test_input_required_result_elicitation', inputResponses: {}, requestState: 'forged' };
  await request('tools/call', forged);
  const headers: Record<string, string> = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call' };
  await talk.request('tools/list', { _meta: envelope() }, { headers: { header: (name) => headers[name] } });
  await talk.request('tools/list', { _meta: envelope() }, { headers: { header: () => undefined } });
  await talk.sendText(JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope() } }]));
}
