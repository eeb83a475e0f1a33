// The tasks extension: a tool call that continues after its response. The client polls, answers questions and cancels by the
// task's id, which cannot be guessed and is valid only for its caller.
import {
  type AnswersTo,
  type Call,
  type Caller,
  CapabilityMissing,
  type ClientAbility,
  type ClientAnswer,
  type ClientQuestion,
  type LogLevel,
  type Questions,
  questionCapabilities,
} from '../core/call.ts';
import { LoreError } from '../core/error.ts';
import { heapShare } from '../core/heap.ts';
import { createSecretId } from '../core/id.ts';
import { isAnswerTo } from './answer.ts';
import type { ClientCapabilities } from './capability.ts';
import { ended, invalidParams } from './code.ts';
import { findUnanswerable } from './exchange.ts';
import type { Params } from './message.ts';

type Status = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** The response of the request, had it waited. */
export type Outcome = { result: Params } | { error: Params };

const ttlMs = 60 * 60_000;
const pollIntervalMs = 500;
const maxTasks = 1_000;

interface OpenQuestion {
  question: ClientQuestion;
  resolve(answer: ClientAnswer): void;
}

class Task implements Call {
  readonly id: string;
  readonly caller: Caller;
  readonly #capabilities: ClientCapabilities;
  readonly #controller = new AbortController();
  readonly #onChange: (task: Task) => void;
  readonly #createdAt = new Date().toISOString();
  readonly #open = new Map<string, OpenQuestion>();
  readonly #used = new Set<string>();
  #updatedAt = this.#createdAt;
  #status: Status = 'working';
  #message: string | undefined;
  #outcome: Outcome | undefined;
  /** Size of its outcome, in characters. */
  length = 0;

  constructor(id: string, caller: Caller, capabilities: ClientCapabilities, onChange: (task: Task) => void) {
    this.id = id;
    this.caller = caller;
    this.#capabilities = capabilities;
    this.#onChange = onChange;
  }

  /** There is no deadline in the background. */
  get waiting(): boolean {
    return true;
  }

  get settled(): boolean {
    return this.#status === 'completed' || this.#status === 'failed' || this.#status === 'cancelled';
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  cancel(reason: Error): void {
    if (this.settled) return;
    this.#set('cancelled');
    this.#controller.abort(reason);
  }

  settle(outcome: Outcome): void {
    if (this.settled) return;
    this.#outcome = outcome;
    this.length = JSON.stringify(outcome).length;
    if ('error' in outcome) this.#message = String(outcome.error.message);
    this.#set('error' in outcome ? 'failed' : 'completed');
  }

  progress(done: number, total?: number, message?: string): void {
    if (this.settled) return;
    const share = total === undefined ? `${done}` : `${done} of ${total}`;
    this.#message = message === undefined ? share : `${message} (${share})`;
    this.#set(this.#status);
  }

  /** A task has no stream to log to. */
  log(_level: LogLevel, _data: unknown): void {}

  can(kind: ClientAbility): boolean {
    return this.#capabilities.includes(kind);
  }

  async ask<Q extends Questions>(questions: Q): Promise<AnswersTo<Q>> {
    const missing = findUnanswerable(this, questions);
    if (missing) throw new CapabilityMissing(questionCapabilities[missing]);
    const answers = Object.entries<ClientQuestion>(questions).map(([key, question]) => {
      const answer = new Promise<ClientAnswer>((resolve, reject) => {
        this.#open.set(this.#freshKey(key), { question, resolve });
        this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
      });
      return answer.then((value) => [key, value] as const);
    });
    this.#set('input_required');
    return Object.fromEntries(await Promise.all(answers)) as AnswersTo<Q>;
  }

  background<T>(work: (call: Call) => Promise<T>): Promise<T> {
    return work(this);
  }

  detach(): void {}

  /** Keys that are not open are ignored: they may have been answered by an earlier, repeated update. */
  answer(responses: Params): void {
    for (const [key, open] of this.#open) {
      if (!Object.hasOwn(responses, key)) continue;
      const response = responses[key];
      if (!isAnswerTo(open.question, response)) throw invalidParams(`Cannot update the task: "${key}" is malformed`);
      this.#open.delete(key);
      open.resolve(response as ClientAnswer);
    }
    if (this.#status === 'input_required') this.#set(this.#open.size === 0 ? 'working' : 'input_required');
  }

  /** The task as `tasks/get` and its notifications show it. */
  describe(): Params {
    return {
      taskId: this.id,
      status: this.#status,
      ...(this.#message === undefined ? {} : { statusMessage: this.#message }),
      createdAt: this.#createdAt,
      lastUpdatedAt: this.#updatedAt,
      ttlMs,
      pollIntervalMs,
      ...(this.#status === 'input_required'
        ? { inputRequests: Object.fromEntries([...this.#open].map(([key, { question }]) => [key, question])) }
        : {}),
      ...(this.#status === 'completed' || this.#status === 'failed' ? this.#outcome : {}),
    };
  }

  /** A key identifies one question for the lifetime of the task. */
  #freshKey(key: string): string {
    let fresh = key;
    for (let round = 2; this.#used.has(fresh); round++) fresh = `${key}_${round}`;
    this.#used.add(fresh);
    return fresh;
  }

  #set(status: Status): void {
    this.#status = status;
    this.#updatedAt = new Date().toISOString();
    this.#onChange(this);
  }
}

export class Tasks {
  readonly #tasks = new Map<string, Task>();
  readonly #notify: (taskId: string, task: Params) => void;
  /** Ends every id, if other servers have to find this one by it. */
  place: string | undefined;

  constructor(notify: (taskId: string, task: Params) => void) {
    this.#notify = notify;
  }

  /** Runs `work` as a new task and returns the task at once. */
  start(caller: Caller, capabilities: ClientCapabilities, work: (call: Call) => Promise<Outcome>): Params {
    const id = this.place === undefined ? createSecretId() : `${createSecretId()}.${this.place}`;
    const task = new Task(id, caller, capabilities, (changed) => this.#notify(changed.id, changed.describe()));
    this.#makeRoom();
    this.#tasks.set(task.id, task);
    setTimeout(() => this.#expire(task), ttlMs).unref();
    void work(task).then((outcome) => {
      task.settle(outcome);
      this.#trim();
    });
    return task.describe();
  }

  /** The oldest outcomes are dropped when all of them together are too large. */
  #trim(): void {
    let length = 0;
    for (const task of [...this.#tasks.values()].reverse()) {
      length += task.length;
      if (length > heapShare(1 / 16) && task.settled) this.#tasks.delete(task.id);
    }
  }

  /** The task of another caller is reported as unknown. */
  find(taskId: unknown, caller: Caller): Task {
    const task = typeof taskId === 'string' ? this.#tasks.get(taskId) : undefined;
    if (!task || task.caller.id !== caller.id)
      throw invalidParams('Cannot find the task: it does not exist or has expired');
    return task;
  }

  has(taskId: string, caller: Caller): boolean {
    return this.#tasks.get(taskId)?.caller.id === caller.id;
  }

  cancelAll(reason: Error): void {
    for (const task of this.#tasks.values()) task.cancel(reason);
  }

  #expire(task: Task): void {
    task.cancel(ended('it timed out'));
    this.#tasks.delete(task.id);
  }

  /** Drops the oldest finished task; running ones are kept. */
  #makeRoom(): void {
    if (this.#tasks.size < maxTasks) return;
    const done = [...this.#tasks.values()].find(({ settled }) => settled);
    if (!done) throw new LoreError('limit_exceeded', `Cannot start a task: ${maxTasks} are running`);
    this.#tasks.delete(done.id);
  }
}
