// One request in progress, and the Call that the tool sees. In a session, questions are requests to the client; stateless clients
// get them as a result and repeat the call with the answers.
import {
  type AnswersTo,
  type Call,
  type Caller,
  CapabilityMissing,
  type ClientAbility,
  type ClientAnswer,
  type ClientQuestion,
  InputRequired,
  kindOfQuestion,
  type LogLevel,
  logLevels,
  MovedToBackground,
  type QuestionKind,
  type Questions,
  questionCapabilities,
} from '../core/call.ts';
import { LoreError } from '../core/error.ts';
import { isObject } from '../core/schema.ts';
import { isAnswerTo } from './answer.ts';
import type { ClientCapabilities } from './capability.ts';
import type { Era } from './code.ts';
import type { Link } from './link.ts';
import { type Id, type Params, type RequestMessage, writeNotification } from './message.ts';
import { assumedRevision, firstRevision, has, metaKey, type Revision, structuredKey } from './revision.ts';
import { readRoots } from './roots.ts';

export class Exchange implements Call {
  readonly id: Id;
  readonly method: string;
  readonly params: Params;
  readonly link: Link;
  readonly revision: Revision;
  /** Stateless: served without a session. */
  readonly stateless: boolean;
  /** Output schemas and structured results are sent. */
  readonly structured: boolean;
  readonly capabilities: ClientCapabilities;
  /** Answers from a stateless client that repeats the call. */
  answers: Record<string, ClientAnswer> = {};
  /** Nothing may be sent for this request after this. */
  closed = false;
  waiting = false;
  /** The client no longer wants the response. */
  unwanted = false;
  readonly #logFloor: LogLevel | undefined;
  readonly #progressToken: unknown;
  #progress = Number.NEGATIVE_INFINITY;
  #controller: AbortController | undefined;
  #caller: Caller | undefined;

  constructor(
    message: RequestMessage,
    link: Link,
    agreed: {
      revision: Revision;
      stateless: boolean;
      structured: boolean;
      capabilities: ClientCapabilities;
      logFloor?: LogLevel | undefined;
    },
  ) {
    this.id = message.id;
    this.method = message.method;
    this.params = message.params;
    this.link = link;
    this.revision = agreed.revision;
    this.stateless = agreed.stateless;
    this.structured = agreed.structured || message.meta?.[structuredKey] === true;
    this.capabilities = agreed.capabilities;
    this.#logFloor = agreed.logFloor;
    const token = message.meta?.progressToken;
    this.#progressToken = typeof token === 'string' || Number.isSafeInteger(token) ? token : undefined;
  }

  get caller(): Caller {
    this.#caller ??= this.#describeCaller(this.link.caller);
    return this.#caller;
  }

  #describeCaller(caller: Caller): Caller {
    const agent = this.clientName;
    if (!this.pages && !this.can('roots') && agent === '') return caller;
    return {
      ...caller,
      ...(agent !== '' && { agent }),
      ...(this.pages && { showsPages: true }),
      ...(this.can('roots') && { roots: () => readRoots(this) }),
    };
  }

  get receives(): 'text' | 'both' {
    return this.structured || this.pages || this.revision === firstRevision ? 'both' : 'text';
  }

  get era(): Era {
    if (this.stateless) return 'stateless';
    return this.revision === assumedRevision || !this.link.session?.initialized ? 'assumed' : 'session';
  }

  get client(): object {
    return this.link.session ?? this.link.client ?? this.link;
  }

  /** The client's name; empty if it has none. */
  get clientName(): string {
    const { session } = this.link;
    if (!this.stateless && session) return session.clientName;
    const info = isObject(this.params._meta) ? this.params._meta[metaKey.clientInfo] : undefined;
    return isObject(info) && typeof info.name === 'string' ? info.name : '';
  }

  get wantsProgress(): boolean {
    return this.#progressToken !== undefined;
  }

  get isRepeated(): boolean {
    return this.stateless;
  }

  get isFull(): boolean {
    return this.link.isFull ?? false;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  cancel(reason: Error): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }

  /** Sends a notification, or drops it if the client does not read. */
  send(method: string, params: Params): void {
    if (!this.closed && !this.isFull) this.link.send(writeNotification(method, params));
  }

  progress(done: number, total?: number, message?: string): void {
    if (this.#progressToken === undefined || done <= this.#progress) return;
    this.#progress = done;
    this.send('notifications/progress', {
      progressToken: this.#progressToken,
      progress: done,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined || !has(this.revision, 'progressMessage') ? {} : { message }),
    });
  }

  log(level: LogLevel, data: unknown, logger?: string): void {
    const floor = this.stateless ? this.#logFloor : this.link.session?.logLevel;
    if (floor === undefined || logLevels.indexOf(level) < logLevels.indexOf(floor)) return;
    this.send('notifications/message', { level, data, ...(logger === undefined ? {} : { logger }) });
  }

  /** In a session, a call that became a task elsewhere waits for it. */
  can(kind: ClientAbility): boolean {
    return this.capabilities.includes(kind) || (kind === 'tasks' && !this.stateless);
  }

  /** The client shows pages of tools. */
  get pages(): boolean {
    return this.capabilities.includes('pages');
  }

  get knowsTasks(): boolean {
    return this.stateless && this.capabilities.includes('tasks');
  }

  async ask<Q extends Questions>(questions: Q): Promise<AnswersTo<Q>> {
    const entries = Object.entries<ClientQuestion>(questions);
    const missing = findUnanswerable(this, questions);
    if (missing) throw this.#cannotAsk(missing);
    const answers = this.stateless ? this.#recall(entries) : await this.#inquire(entries);
    return answers as AnswersTo<Q>;
  }

  #cannotAsk(kind: QuestionKind): Error {
    if (this.stateless) return new CapabilityMissing(questionCapabilities[kind]);
    return new LoreError('unavailable', `Cannot ask the client: it does not offer ${kind}`);
  }

  #recall(entries: [string, ClientQuestion][]): Record<string, ClientAnswer> {
    const open = entries.filter(([key, question]) => !isAnswerTo(question, this.answers[key]));
    if (open.length > 0) throw new InputRequired(Object.fromEntries(open));
    return Object.fromEntries(entries.map(([key]) => [key, this.answers[key] as ClientAnswer]));
  }

  async #inquire(entries: [string, ClientQuestion][]): Promise<Record<string, ClientAnswer>> {
    const { session } = this.link;
    if (!session || this.link.mute) throw new LoreError('unavailable', 'Cannot ask the client: it cannot be reached');
    const send = (text: string) => this.link.send(text);
    const inquire = async ([key, question]: [string, ClientQuestion]): Promise<[string, ClientAnswer]> => {
      const answer = await session.ask(withoutFormMode(question), send, this.signal);
      if (isAnswerTo(question, answer)) return [key, answer];
      throw new LoreError('unavailable', `Cannot ask the client: its answer to "${key}" is malformed`);
    };
    this.waiting = true;
    try {
      return Object.fromEntries(await Promise.all(entries.map(inquire)));
    } finally {
      this.waiting = false;
    }
  }

  async background<T>(work: (call: Call) => Promise<T>): Promise<T> {
    if (this.knowsTasks) throw new MovedToBackground(work);
    return work(this);
  }

  detach(): void {
    this.link.detach?.();
  }
}

/** The first kind of question that the client does not support. */
export function findUnanswerable(call: Pick<Call, 'can'>, questions: Questions): QuestionKind | undefined {
  return Object.values(questions)
    .map(kindOfQuestion)
    .find((kind) => !call.can(kind));
}

/** Forms are the original kind of elicitation and the default: older clients do not know modes. */
function withoutFormMode(question: ClientQuestion): ClientQuestion {
  if (question.method !== 'elicitation/create' || question.params.mode !== 'form') return question;
  const { mode: _, ...params } = question.params;
  return { ...question, params };
}
