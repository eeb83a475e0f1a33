// Follows a task of a server until it has a result, in both forms: that of revision 2025-11-25, and the extension of the stateless ones.
import { setTimeout as wait } from 'node:timers/promises';
import type { Questions } from '../core/call.ts';
import { LoreError } from '../core/error.ts';
import { isObject } from '../core/schema.ts';
import { code } from '../protocol/code.ts';
import type { Params } from '../protocol/message.ts';
import type { RequestContext } from './session.ts';
import { UpstreamFailure } from './wire.ts';

export { tasksExtension } from '../protocol/revision.ts';

export type SendRequest = (method: string, params: Params, context: RequestContext) => Promise<Params>;

/** How long a server should keep a result that nobody has fetched. */
export const taskTtlMs = 60 * 60_000;

const pollMs = { least: 50, most: 30_000, usual: 1_000 };

export interface StartedTask {
  readonly taskId: string;
  /** In sessions the result is a request of its own, in which the server also asks its questions. */
  readonly inSession: boolean;
  readonly state: Params;
}

/** Undefined if this is the result of a call that became no task. */
export function readTask(result: Params): StartedTask | undefined {
  const inSession = isObject(result.task) && result.content === undefined;
  const state = inSession ? (result.task as Params) : result;
  if (typeof state.taskId !== 'string' || (!inSession && result.resultType !== 'task')) return undefined;
  return { taskId: state.taskId, inSession, state };
}

/** The result of the call. A task is cancelled with its call. */
export async function followTask(send: SendRequest, started: StartedTask, context: RequestContext): Promise<Params> {
  const { taskId, inSession } = started;
  const { signal } = context;
  const stop = () => void send('tasks/cancel', { taskId }, {}).catch(() => {});
  signal?.throwIfAborted();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await (inSession ? followInSession(send, started, context) : followStateless(send, started, context));
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

async function followInSession(
  send: SendRequest,
  { taskId, state: first }: StartedTask,
  context: RequestContext,
): Promise<Params> {
  const report = createReporter(context);
  let state = first;
  for (;;) {
    report(state);
    if (state.status !== 'working') return send('tasks/result', { taskId }, context);
    await pause(state.pollInterval, context);
    state = await send('tasks/get', { taskId }, { signal: context.signal });
  }
}

async function followStateless(
  send: SendRequest,
  { taskId, state: first }: StartedTask,
  context: RequestContext,
): Promise<Params> {
  const report = createReporter(context);
  const asked = new Set<string>();
  let state = first;
  for (;;) {
    report(state);
    const { status, result, error } = state;
    if (status === 'completed') return isObject(result) ? result : {};
    if (status === 'failed') throw readError(error);
    if (status === 'cancelled')
      throw new LoreError('conflict', 'Cannot finish the call: the server cancelled its task');
    const open = isObject(state.inputRequests) ? Object.entries(state.inputRequests) : [];
    const fresh = open.filter(([key]) => !asked.has(key));
    for (const [key] of fresh) asked.add(key);
    if (fresh.length > 0) await answer(send, taskId, Object.fromEntries(fresh) as Questions, context);
    else await pause(state.pollIntervalMs, context);
    state = await send('tasks/get', { taskId }, { signal: context.signal, can: ['tasks'] });
  }
}

async function answer(send: SendRequest, taskId: string, questions: Questions, context: RequestContext): Promise<void> {
  if (!context.ask)
    throw new LoreError('unavailable', 'Cannot finish the call: the server asks a question that nobody can answer');
  const inputResponses = await context.ask(questions);
  await send('tasks/update', { taskId, inputResponses }, { signal: context.signal, can: ['tasks'] });
}

function pause(interval: unknown, { signal }: RequestContext): Promise<void> {
  const wanted = typeof interval === 'number' ? interval : pollMs.usual;
  return wait(Math.min(Math.max(wanted, pollMs.least), pollMs.most), undefined, signal && { signal });
}

/** What a server says about a task is its progress. */
function createReporter({ progress }: RequestContext): (state: Params) => void {
  let [count, last] = [0, ''];
  return ({ statusMessage: text }) => {
    if (typeof text !== 'string' || text === last) return;
    last = text;
    progress?.(++count, undefined, text);
  };
}

function readError(error: unknown): UpstreamFailure {
  const { code: number, message, data } = isObject(error) ? error : {};
  return new UpstreamFailure(typeof number === 'number' ? number : code.internal, String(message ?? ''), data);
}
