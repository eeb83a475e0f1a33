// The tasks extension over stdio: how a call becomes a task, what can be done with one, and by whom.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../support/stdio-client.ts';
import { share, tasksExtension, wrap } from './conversation.ts';
import { patientClient, waitForTask } from './follow.ts';

const client = share();

const accept = (content: Json): Json => ({ action: 'accept', content });

function request(method: string, params: Json, capabilities: Json = patientClient) {
  return client().request(method, wrap(params, { capabilities }));
}

async function startTask(name: string, args: Json = {}): Promise<string> {
  const { result } = await request('tools/call', { name, arguments: args });
  expect(result).toMatchObject({ resultType: 'task', taskId: expect.any(String) });
  return result?.taskId as string;
}

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

describe('a task', () => {
  it('is described at once and contains the result at the end', async () => {
    const params = { name: 'slow_compute', arguments: { seconds: 0.1, label: 'sum' } };
    const { result } = await request('tools/call', params);
    const { _meta, resultType, ...created } = result as Json;
    expect(resultType).toBe('task');
    expect(created).toEqual({
      taskId: expect.any(String),
      status: 'working',
      createdAt: timestamp,
      lastUpdatedAt: timestamp,
      ttlMs: expect.any(Number),
      pollIntervalMs: expect.any(Number),
    });
    const task = await waitForTask(client(), created.taskId as string, ['completed']);
    expect(task.result).toMatchObject({ content: [{ type: 'text', text: 'sum computed in 0.1 s' }] });
    const got = await request('tasks/get', { taskId: created.taskId });
    expect(got.result).toMatchObject({ resultType: 'complete', status: 'completed', result: task.result });
  });

  it('completes with a tool error, and fails with a server error', async () => {
    const [failing, broken] = await Promise.all(['failing_job', 'protocol_error_job'].map((name) => startTask(name)));
    const failed = await waitForTask(client(), broken as string, ['failed', 'completed']);
    expect(failed).toMatchObject({ status: 'failed', error: { code: -32603, message: expect.any(String) } });
    expect(failed).not.toHaveProperty('result');
    const completed = await waitForTask(client(), failing as string, ['failed', 'completed']);
    expect(completed).toMatchObject({ status: 'completed', result: { isError: true } });
  });

  it('can be cancelled, once or twice', async () => {
    const taskId = await startTask('slow_compute', { seconds: 60 });
    for (const _ of [1, 2]) {
      const { result } = await request('tasks/cancel', { taskId });
      expect(result).toMatchObject({ resultType: 'complete' });
      expect(result).not.toHaveProperty('status');
      expect(await waitForTask(client(), taskId, ['cancelled'])).not.toHaveProperty('result');
    }
    expect(client().server.log()).not.toContain('"level":"error"');
  });

  it('asks for input and accepts the answers one by one', async () => {
    const taskId = await startTask('multi_input');
    const asking = await waitForTask(client(), taskId, ['input_required']);
    const [first = '', second = ''] = Object.keys(asking.inputRequests as Json);
    expect(Object.values(asking.inputRequests as Json)).toMatchObject([
      { method: 'elicitation/create' },
      { method: 'elicitation/create' },
    ]);
    const update = (inputResponses: Json) => request('tasks/update', { taskId, inputResponses });
    expect((await update({ stranger: { ignored: true } })).result).toMatchObject({ resultType: 'complete' });
    expect((await update({ [first]: 7 })).error).toMatchObject({ code: -32602 });
    expect((await update({ [first]: accept({ confirm: true }) })).result).not.toHaveProperty('status');
    const rest = (await request('tasks/get', { taskId })).result as Json;
    expect([rest.status, Object.keys(rest.inputRequests as Json)]).toEqual(['input_required', [second]]);
    await update({ [second]: accept({ confirm: true }) });
    expect(await waitForTask(client(), taskId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
  });

  it('does not ask questions that the client cannot answer', async () => {
    const capabilities = { extensions: { [tasksExtension]: {} } };
    const params = { name: 'confirm_delete', arguments: { filename: 'notes.txt' } };
    const { result } = await request('tools/call', params, capabilities);
    const task = await waitForTask(client(), result?.taskId as string, ['failed', 'completed', 'input_required']);
    expect(task).toMatchObject({
      status: 'failed',
      error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } },
    });
  });

  it('may begin with questions', async () => {
    const name = 'test_tool_with_task';
    const { result } = await request('tools/call', { name });
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { user_name: {} } });
    expect(result).not.toHaveProperty('taskId');
    const inputResponses = { user_name: accept({ name: 'Alice' }) };
    const created = await request('tools/call', { name, inputResponses, requestState: result?.requestState });
    expect(created.result).toMatchObject({ resultType: 'task' });
    expect(created.result).not.toHaveProperty('requestState');
    const task = await waitForTask(client(), created.result?.taskId as string, ['completed']);
    expect(task.result).toMatchObject({ content: [{ text: 'Hello from the task, Alice!' }] });
  });
});

describe('without the extension', () => {
  const required = { requiredCapabilities: { extensions: { [tasksExtension]: {} } } };

  it('a tool with optional tasks answers at once, one that requires them is refused', async () => {
    const params = { name: 'slow_compute', arguments: { seconds: 0 } };
    const { result } = await request('tools/call', params, {});
    expect(result).toMatchObject({ resultType: 'complete', content: [{ text: 'result computed in 0 s' }] });
    const { error } = await request('tools/call', { name: 'failing_job' }, {});
    expect(error).toMatchObject({ code: -32021, data: required });
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('%s is refused', async (method) => {
    const { error } = await request(method, { taskId: 'x', inputResponses: {} }, {});
    expect(error).toMatchObject({ code: -32021, data: required });
  });

  it('tasks cannot be subscribed to', async () => {
    const { error } = await request('subscriptions/listen', { notifications: { taskIds: ['x'] } }, {});
    expect(error).toMatchObject({ code: -32021, data: required });
  });
});

it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])('%s refuses an unknown task', async (method) => {
  const { error } = await request(method, { taskId: 'nowhere', inputResponses: {} });
  expect(error).toMatchObject({ code: -32602 });
});
