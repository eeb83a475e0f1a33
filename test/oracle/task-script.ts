// Follows a task to its end the way a client does: listens to it, answers what it asks, polls it, and cancels what is
// over already.
import type { Conversation } from './conversation.ts';
import { bringAnswers } from './conversation.ts';
import type { Message } from './judge.ts';
import { envelope } from './stateless-script.ts';

type Request = (method: string, params?: object) => Promise<Message | undefined>;

const final = ['completed', 'failed', 'cancelled'];

export async function followTask(talk: Conversation, request: Request, taskId: string): Promise<void> {
  // Not awaited: a listen request is answered when the server ends it.
  void talk.request('subscriptions/listen', { _meta: envelope(), notifications: { taskIds: [taskId, 'not mine'] } });
  const { result = {} } = (await request('tasks/get', { taskId })) ?? {};
  if (!final.includes(result.status as string)) {
    if (result.status === 'input_required') {
      const { inputResponses } = bringAnswers(result);
      await request('tasks/update', { taskId, inputResponses });
    }
    await talk.waitFor(({ method, params }) => {
      return method === 'notifications/tasks' && params?.taskId === taskId && final.includes(params.status as string);
    });
  }
  await request('tasks/get', { taskId });
  await request('tasks/update', { taskId, inputResponses: {} });
  await request('tasks/cancel', { taskId });
  await request('tasks/get', { taskId });
}
