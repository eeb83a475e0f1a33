// Follows a stateless call to its end: answers what it asks, round by round, and waits for the task it may become.
import type { Json, Message, StdioClient } from '../../support/stdio-client.ts';
import { answerAll } from './answers.ts';
import { ableClient, subscriptionOf, tasksExtension, wrap } from './conversation.ts';

const settled = ['completed', 'failed', 'cancelled'];

/** Knows tasks besides all else. */
export const patientClient: Json = { ...ableClient, extensions: { [tasksExtension]: {} } };

export async function followCall(client: StdioClient, name: string, args: Json, capabilities: Json): Promise<Message> {
  const params: Json = { name, arguments: args };
  for (;;) {
    const message = await client.request('tools/call', wrap(params, { capabilities }));
    const { result } = message;
    if (result?.resultType === 'task') return followTask(client, result.taskId as string);
    if (result?.resultType !== 'input_required') return message;
    params.inputResponses = answerAll(result.inputRequests);
    params.requestState = result.requestState;
  }
}

/** What the call would have been answered with, had it waited. */
async function followTask(client: StdioClient, taskId: string): Promise<Message> {
  for (;;) {
    const task = await waitForTask(client, taskId, [...settled, 'input_required']);
    if (task.status !== 'input_required') return task as Message;
    const inputResponses = answerAll(task.inputRequests);
    await client.request('tasks/update', wrap({ taskId, inputResponses }, { capabilities: patientClient }));
  }
}

/** The task once it has one of these states; a listen stream tells of every change. */
export async function waitForTask(client: StdioClient, taskId: string, states: readonly string[]): Promise<Json> {
  const capabilities = patientClient;
  const id = client.start('subscriptions/listen', wrap({ notifications: { taskIds: [taskId] } }, { capabilities }));
  await client.next((message) => isAbout(message, id, 'notifications/subscriptions/acknowledged'));
  let task = (await client.request('tasks/get', wrap({ taskId }, { capabilities }))).result as Json;
  while (!states.includes(task.status as string)) {
    task = (await client.next((message) => isAbout(message, id, 'notifications/tasks'))).params as Json;
  }
  client.notify('notifications/cancelled', { requestId: id });
  return task;
}

function isAbout(message: Message, subscription: unknown, method: string): boolean {
  return message.method === method && subscriptionOf(message) === subscription;
}
