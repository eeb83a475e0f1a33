// Every message to a client of the stateless revision validates against the schema of that revision.
import { expect, it } from 'vitest';
import { openConversation } from './conversation.ts';
import { converseStateless, envelope } from './stateless-script.ts';
import { errorTypes, resultTypes } from './types.ts';

const sessionful = [
  'initialize',
  'ping',
  'shutdown',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
];

it('2026-07-28', async () => {
  const talk = await openConversation('2026-07-28', { LORE_PAGE_SIZE: '7' });
  const called = await converseStateless(talk);
  await talk.app.stop();
  expect(talk.judge.problems).toEqual([]);
  expect(called).toContain('status');
  expect([...talk.judge.seen]).toEqual(
    expect.arrayContaining([
      ...Object.keys(resultTypes)
        .filter((method) => !sessionful.includes(method))
        .map((method) => `result ${method}`),
      'result tools/call input_required',
      'result prompts/get input_required',
      'result tools/call task',
      'notification notifications/progress',
      'notification notifications/message',
      'notification notifications/tasks',
      'notification notifications/subscriptions/acknowledged',
      'notification notifications/tools/list_changed',
      'notification notifications/prompts/list_changed',
      'notification notifications/resources/list_changed',
      'notification notifications/resources/updated',
      ...Object.keys(errorTypes).map((code) => `error ${code}`),
      'error -32600',
      'error -32601',
      'error -32602',
    ]),
  );
  expect([...talk.judge.seen].filter((what) => what.startsWith('request '))).toEqual([]);
});

it('2026-07-28: a task that is cancelled', async () => {
  const talk = await openConversation('2026-07-28');
  const params = { name: 'slow_compute', arguments: { seconds: 60 }, _meta: envelope() };
  const taskId = (await talk.request('tools/call', params))?.result?.taskId;
  await talk.request('tasks/cancel', { taskId, _meta: envelope() });
  const task = await talk.request('tasks/get', { taskId, _meta: envelope() });
  await talk.app.stop();
  expect(task?.result?.status).toBe('cancelled');
  expect(talk.judge.problems).toEqual([]);
});
