// A session: what was negotiated at `initialize`, requests in progress, and questions to the client. Thousands may be idle at
// once, so nothing is allocated before it is used.

import type { ClientAnswer, ClientQuestion, LogLevel } from '../core/call.ts';
import { LoreError } from '../core/error.ts';
import { isObject } from '../core/schema.ts';
import { type ClientCapabilities, noCapabilities } from './capability.ts';
import type { Exchange } from './exchange.ts';
import { type Id, type ResponseMessage, writeRequest } from './message.ts';
import { type LegacyRevision, newestLegacy } from './revision.ts';

/** Long enough for a user, but limited, because a client may forget a question. */
const timeoutMs = 60 * 60_000;

const maxUnsent = 64;

export interface SessionState {
  revision: LegacyRevision;
  capabilities: ClientCapabilities;
  clientName: string;
  logLevel: LogLevel;
  uris: readonly string[];
}

interface Pending {
  resolve(answer: ClientAnswer): void;
  reject(error: LoreError): void;
}

export class Session {
  readonly id: string;
  revision: LegacyRevision = newestLegacy;
  /** `initialize` has been answered. Requests are served before it as well. */
  initialized = false;
  capabilities: ClientCapabilities = noCapabilities;
  /** The client's name. */
  clientName = '';
  logLevel: LogLevel = 'info';
  /** By URI, with what ends each. */
  subscriptions: Map<string, (() => void) | undefined> | undefined;
  underWay: Map<Id, Exchange> | undefined;
  #pending: Map<Id, Pending> | undefined;
  #asked = 0;
  readonly #push: (text: string) => unknown;
  /** Messages that could not be sent; the same one is kept once. */
  #unsent: Set<string> | undefined;

  /** `push` sends a message, or returns false if its client does not read now. */
  constructor(id: string, push: (text: string) => unknown) {
    this.id = id;
    this.#push = push;
  }

  /** Sends a server-initiated message, now or when the client reads again. */
  push(text: string): void {
    if (this.#push(text) !== false) return;
    this.#unsent ??= new Set();
    this.#unsent.add(text);
    if (this.#unsent.size > maxUnsent) this.#unsent.delete(this.#unsent.values().next().value as string);
  }

  /** The client reads again. */
  flush(): void {
    const unsent = this.#unsent ?? [];
    this.#unsent = undefined;
    for (const text of unsent) this.push(text);
  }

  /** Sends a question through the stream of the request that needs the answer. */
  ask(question: ClientQuestion, send: (text: string) => void, signal: AbortSignal): Promise<ClientAnswer> {
    const id = `ask-${++this.#asked}`;
    this.#pending ??= new Map();
    const pending = this.#pending;
    let timer: NodeJS.Timeout | undefined;
    return new Promise<ClientAnswer>((resolve, reject) => {
      pending.set(id, { resolve, reject });
      timer = setTimeout(() => reject(new LoreError('timeout', 'Cannot ask the client: it did not answer')), timeoutMs);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      send(writeRequest(id, question.method, question.params));
    }).finally(() => {
      clearTimeout(timer);
      pending.delete(id);
    });
  }

  /** What another server needs to continue it. */
  get state(): SessionState {
    const { revision, capabilities, clientName, logLevel } = this;
    return { revision, capabilities, clientName, logLevel, uris: [...(this.subscriptions?.keys() ?? [])] };
  }

  /** A question is pending. */
  get isAsked(): boolean {
    return this.#pending !== undefined && this.#pending.size > 0;
  }

  answer(message: ResponseMessage): void {
    const waiting = this.#pending?.get(message.id);
    if (!waiting) return;
    if (isObject(message.result)) waiting.resolve(message.result);
    else waiting.reject(new LoreError('unavailable', 'Cannot ask the client: it answered with an error'));
  }
}
