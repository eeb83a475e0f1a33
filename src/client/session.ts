// JSON-RPC with one server: numbers requests, passes progress, logs and questions to the request they belong to, and ends
// requests that are cancelled. Revisions differ in `handshake.ts` and in what a request carries.
import {
  type ClientAbility,
  type ClientAnswer,
  type ClientQuestion,
  isQuestionMethod,
  kindOfQuestion,
  type LogLevel,
  type Questions,
} from '../core/call.ts';
import { LoreError } from '../core/error.ts';
import { isObject, type JsonSchema } from '../core/schema.ts';
import { code } from '../protocol/code.ts';
import { classify, type Id, type NotificationMessage, type Params, type RequestMessage } from '../protocol/message.ts';
import { metaKey } from '../protocol/revision.ts';
import { type OpenWire, UpstreamFailure, type Wire, type WireListener } from './wire.ts';

/** What a request may cause besides its result. */
export interface RequestContext {
  readonly signal?: AbortSignal | undefined;
  /** Whose request it is: questions of a server are answered only if it is clear whom they concern. */
  readonly client?: unknown;
  /** The kinds of questions that this client answers, and whether it follows tasks. */
  readonly can?: readonly ClientAbility[];
  /** The schema of the called tool's arguments. */
  readonly schema?: JsonSchema | undefined;
  readonly progress?: ((done: number, total?: number, message?: string) => void) | undefined;
  log?(level: LogLevel, data: unknown, logger?: string): void;
  /** Notifications of a request that listens. */
  notice?(method: string, params: Params): void;
  /** All questions that are open at the same time. */
  ask?(questions: Questions): Promise<{ readonly [key: string]: ClientAnswer }>;
}

export type { Params };

export type ServerNotice = (method: string, params: Params) => void;

interface PendingRequest {
  context: RequestContext;
  cancel?(): void;
  resolve(result: Params): void;
  reject(error: Error): void;
}

export class ClientSession implements WireListener {
  readonly #pending = new Map<Id, PendingRequest>();
  /** Questions of the server that are not answered yet. */
  readonly #questions = new Map<Id, AbortController>();
  readonly #notice: ServerNotice;
  readonly #onClose: (error: LoreError) => void;
  #wire: Wire | undefined;
  #nextId = 0;
  #closed: LoreError | undefined;
  /** Added to the `_meta` of every request: the envelope of the stateless revisions. */
  envelope: ((context: RequestContext) => Params) | undefined;

  constructor(notice: ServerNotice, onClose: (error: LoreError) => void) {
    this.#notice = notice;
    this.#onClose = onClose;
  }

  async open(open: OpenWire): Promise<Wire> {
    this.#wire = await open(this);
    if (this.#closed) throw this.#closed;
    return this.#wire;
  }

  get inFlight(): number {
    return this.#pending.size;
  }

  /** Rejects with an `UpstreamFailure`, a LoreError, or the reason of the signal. */
  request(method: string, params: Params = {}, context: RequestContext = {}): Promise<Params> {
    const { signal } = context;
    if (this.#closed) return Promise.reject(this.#closed);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.#nextId;
    return new Promise<Params>((resolve, reject) => {
      const pending: PendingRequest = { context, resolve, reject };
      if (signal) {
        pending.cancel = () => this.#cancel(id, method);
        signal.addEventListener('abort', pending.cancel, { once: true });
      }
      this.#pending.set(id, pending);
      this.#wire?.send({ id, method, params: this.#withMeta(params, id, context) }, context.schema);
    });
  }

  #withMeta(params: Params, id: Id, context: RequestContext): Params {
    if (!this.envelope && !context.progress) return params;
    const meta = {
      ...(isObject(params._meta) && params._meta),
      ...this.envelope?.(context),
      ...(context.progress && { progressToken: id }),
    };
    return { ...params, _meta: meta };
  }

  #cancel(id: Id, method: string): void {
    const pending = this.#take(id);
    // The handshake cannot be cancelled.
    if (!this.#wire?.drop(id) && method !== 'initialize')
      this.notify('notifications/cancelled', { requestId: id, reason: 'the client cancelled it' });
    pending?.reject(pending.context.signal?.reason);
  }

  notify(method: string, params: Params = {}): void {
    if (!this.#closed) this.#wire?.send({ method, params });
  }

  end(): void {
    this.#wire?.close();
    this.close(new LoreError('unavailable', 'Cannot reach the server: the connection was closed'));
  }

  receive(value: unknown, about?: Id): void {
    // Servers of the second revision may answer in batches.
    if (Array.isArray(value)) {
      for (const one of value) this.receive(one, about);
      return;
    }
    const message = classify(value);
    if (message.kind === 'request') return void this.#answer(message, about);
    if (message.kind === 'notification') return this.#note(message, about);
    if (message.kind === 'invalid') return;
    const pending = this.#take(message.id);
    if (!pending) return;
    if (message.error) {
      const { code: number = code.internal, message: text = '', data } = message.error as { [key: string]: unknown };
      pending.reject(new UpstreamFailure(Number(number), String(text), data));
    } else pending.resolve(isObject(message.result) ? message.result : {});
  }

  awaits(id: Id): boolean {
    return this.#pending.has(id);
  }

  fail(id: Id, error: Error): void {
    this.#take(id)?.reject(error);
  }

  close(error: LoreError): void {
    if (this.#closed) return;
    this.#closed = error;
    for (const id of [...this.#pending.keys()]) this.fail(id, error);
    for (const question of this.#questions.values()) question.abort(error);
    this.#onClose(error);
  }

  #take(id: Id): PendingRequest | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (pending?.cancel) pending.context.signal?.removeEventListener('abort', pending.cancel);
    return pending;
  }

  #note({ method, params }: NotificationMessage, about: Id | undefined): void {
    if (method === 'notifications/progress') {
      const { progressToken: token, progress, total, message } = params;
      const context = this.#pending.get(token as Id)?.context;
      if (typeof progress !== 'number') return;
      context?.progress?.(progress, asNumber(total), typeof message === 'string' ? message : undefined);
    } else if (method === 'notifications/message') {
      const { level, data, logger } = params;
      const context = this.#concerned(about);
      context?.log?.(level as LogLevel, data, typeof logger === 'string' ? logger : undefined);
      if (!context) this.#notice(method, params);
    } else if (method === 'notifications/cancelled') {
      this.#questions.get(params.requestId as Id)?.abort();
    } else {
      const id = isObject(params._meta) ? params._meta[metaKey.subscription] : undefined;
      const listening = id === undefined ? undefined : this.#pending.get(id as Id)?.context;
      if (listening?.notice) listening.notice(method, params);
      else this.#notice(method, params);
    }
  }

  /** The newest request, unless requests of several clients are in flight: then it is not known whose it is. */
  #concerned(about: Id | undefined): RequestContext | undefined {
    if (about !== undefined) return this.#pending.get(about)?.context;
    const contexts = [...this.#pending.values()].map(({ context }) => context).filter(({ ask }) => ask !== undefined);
    const last = contexts.at(-1);
    return contexts.every(({ client }) => client === last?.client) ? last : undefined;
  }

  async #answer({ id, method, params }: RequestMessage, about: Id | undefined): Promise<void> {
    if (method === 'ping') return this.#wire?.send({ id, result: {} });
    const kind = isQuestionMethod(method) ? kindOfQuestion({ method, params } as ClientQuestion) : undefined;
    const refuse = (number: number, message: string) => this.#wire?.send({ id, error: { code: number, message } });
    if (kind === undefined) return refuse(code.methodNotFound, `Unknown method: ${method}`);
    const context = this.#concerned(about);
    if (!context?.ask || !context.can?.includes(kind)) {
      if (kind === 'roots') return this.#wire?.send({ id, result: { roots: [] } });
      const why = context ? `the client does not offer ${kind}` : 'no call of a single client is in progress';
      return refuse(code.invalidRequest, `Cannot ask: ${why}`);
    }
    const controller = new AbortController();
    this.#questions.set(id, controller);
    try {
      const { answer } = await context.ask({ answer: { method, params } as ClientQuestion });
      if (!controller.signal.aborted) this.#wire?.send({ id, result: answer });
    } catch {
      if (!controller.signal.aborted) refuse(code.internal, 'The client did not answer');
    } finally {
      this.#questions.delete(id);
    }
  }
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
