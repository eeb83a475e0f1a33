// MCP over Streamable HTTP: one POST per message, whose response is a message or a stream of them. In sessions, a GET stream
// carries messages that belong to no request, and a stream that breaks off is resumed.
import { setTimeout as wait } from 'node:timers/promises';
import { LoreError } from '../core/error.ts';
import { readJson } from '../core/json.ts';
import type { Reach } from '../core/outgoing/connect.ts';
import { type OutgoingStream, sendForStream } from '../core/outgoing/send.ts';
import { isObject, type JsonSchema } from '../core/schema.ts';
import { writeNameHeaders } from '../protocol/header.ts';
import type { Id } from '../protocol/message.ts';
import { isModernRevision, type Revision } from '../protocol/revision.ts';
import { readEvents } from './event-stream.ts';
import type { OpenWire, SentMessage, Wire, WireListener } from './wire.ts';

export interface HttpUpstream {
  url: string;
  reach: Reach;
  /** Credentials, for each request. */
  headers?(request: { method: string; url: string }): Promise<readonly (readonly [name: string, value: string])[]>;
  /** Sees the headers of every response. */
  answered?(headers: OutgoingStream['headers']): void;
  /** The server refused the credentials. True if there are new ones, and the request should be repeated. */
  renew?(challenge: string): Promise<boolean>;
}

/** A failure by status. */
export class StatusFailure extends LoreError {
  readonly status: number;
  constructor(status: number, origin: string) {
    const word = status === 401 || status === 403 ? 'forbidden' : status === 404 ? 'not_found' : 'unavailable';
    super(word, `Cannot reach "${origin}": the server answered ${status}`, { details: { status } });
    this.status = status;
  }
}

/** The server no longer knows the session, so it has not run the request: it can be sent again in another one. */
export class SessionEnded extends LoreError {
  constructor() {
    super('unavailable', 'Cannot reach the server: it ended the session');
  }
}

const startMs = 60_000;
const maxBytes = 64 << 20;
const maxWeight = 4_000_000;
/** Attempts to resume one stream. */
const maxResumes = 5;
const resumeMs = 1_000;
/** Of the credentials of one request: a new token, and a proof that the server asks for. */
const maxRenewals = 2;

export function overHttp(server: HttpUpstream): OpenWire {
  return async (listener) => new HttpWire(server, listener);
}

class HttpWire implements Wire {
  readonly #server: HttpUpstream;
  readonly #listener: WireListener;
  readonly #all = new AbortController();
  readonly #requests = new Map<Id, AbortController>();
  #revision: Revision | undefined;
  #session: string | undefined;
  #listens = false;

  constructor(server: HttpUpstream, listener: WireListener) {
    this.#server = server;
    this.#listener = listener;
  }

  agree(revision: Revision): void {
    this.#revision = revision;
  }

  /** Closing the response stream cancels a stateless request. */
  drop(id: Id): boolean {
    if (!isModernRevision(this.#revision)) return false;
    this.#requests.get(id)?.abort();
    return true;
  }

  send(message: SentMessage, schema?: JsonSchema): void {
    const controller = new AbortController();
    const { id } = message;
    if (id !== undefined && message.method) this.#requests.set(id, controller);
    this.#post(message, schema, controller.signal)
      .catch((error: unknown) => this.#fail(message, error as Error))
      .finally(() => id !== undefined && this.#requests.delete(id));
  }

  close(): void {
    if (this.#session !== undefined) {
      const ending = this.#open('DELETE', [], undefined, AbortSignal.timeout(2_000));
      ending.then(({ body }) => drain(body)).catch(() => {});
    }
    this.#session = undefined;
    this.#all.abort(new LoreError('unavailable', 'Cannot reach the server: the connection was closed'));
  }

  #fail({ id, method }: SentMessage, error: Error): void {
    if (this.#all.signal.aborted) return;
    if (error instanceof StatusFailure && error.status === 404 && this.#session !== undefined) {
      this.#session = undefined;
      const ended = new SessionEnded();
      if (id !== undefined && method) this.#listener.fail(id, ended);
      return this.#listener.close(new LoreError('unavailable', ended.message));
    }
    if (id !== undefined && method) this.#listener.fail(id, error);
  }

  async #post(message: SentMessage, schema: JsonSchema | undefined, cancelled: AbortSignal): Promise<void> {
    const { id, method, params = {} } = message;
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const named = method && isModernRevision(this.#revision) ? writeNameHeaders(method, params, schema) : [];
    const signal = AbortSignal.any([this.#all.signal, cancelled]);
    const headers = [['content-type', 'application/json'] as const, ...named];
    // Before the handshake is over there is no agreed revision to name.
    const response = await this.#open('POST', headers, body, signal, method === 'initialize');
    const session = response.headers['mcp-session-id'];
    if (typeof session === 'string' && method === 'initialize') this.#session = session;
    const about = method === undefined ? undefined : id;
    if (/^text\/event-stream/i.test(response.headers['content-type'] ?? ''))
      await this.#follow(response, about, signal);
    else await this.#take(response, about);
    if (method === 'notifications/initialized') this.#listen();
  }

  async #open(
    method: string,
    headers: readonly (readonly [string, string])[],
    body: string | undefined,
    signal: AbortSignal,
    isGreeting = false,
  ): Promise<OutgoingStream> {
    const { url, reach } = this.#server;
    const { origin, pathname, search } = new URL(url);
    const send = async () => {
      const all: (readonly [string, string])[] = [
        ['accept', method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream'],
        ...(await (this.#server.headers?.({ method, url }) ?? [])),
        ...(this.#revision && !isGreeting ? [['mcp-protocol-version', this.#revision] as const] : []),
        ...(this.#session === undefined ? [] : [['mcp-session-id', this.#session] as const]),
        ...headers,
      ];
      const request = { method, origin, target: pathname + search, headers: all, ...(body !== undefined && { body }) };
      const response = await sendForStream(request, { reach, timeoutMs: startMs, signal });
      this.#server.answered?.(response.headers);
      return response;
    };
    for (let renewals = 0; ; renewals++) {
      const response = await send();
      if ((response.status !== 401 && response.status !== 403) || renewals === maxRenewals) return response;
      const challenge = String(response.headers['www-authenticate'] ?? '');
      const isRenewed = await this.#renew(challenge).catch(async (error: unknown) => {
        // A response that nobody reads keeps the process alive until the server closes the connection.
        await drain(response.body);
        throw error;
      });
      if (!isRenewed) return response;
      await drain(response.body);
    }
  }

  async #renew(challenge: string): Promise<boolean> {
    return (await this.#server.renew?.(challenge)) === true;
  }

  /** A response that is not a stream: one message, or none. */
  async #take({ status, body }: OutgoingStream, about: Id | undefined): Promise<void> {
    const text = await readText(body);
    const message = parse(text);
    const isMessage = isObject(message) || Array.isArray(message);
    const isAnswer =
      isMessage && (status < 400 || (isObject(message) && message.id !== undefined && message.id !== null));
    if (isAnswer) return this.#listener.receive(message, about);
    const { origin } = new URL(this.#server.url);
    if (status >= 300) throw new StatusFailure(status, origin);
    if (about !== undefined)
      throw new LoreError('unavailable', `Cannot reach "${origin}": its response has no content`);
  }

  /** Until the response to the request has come; a stream that breaks off is resumed where it ended. */
  async #follow(first: OutgoingStream, about: Id | undefined, signal: AbortSignal): Promise<void> {
    let response = first;
    let last: string | undefined;
    for (let attempt = 0; ; attempt++) {
      let delay = resumeMs;
      try {
        for await (const { data, id, retry } of readEvents(response.body)) {
          if (id !== undefined) last = id;
          if (retry !== undefined) delay = retry;
          const message = data === '' ? undefined : parse(data);
          if (message !== undefined) this.#listener.receive(message, about);
        }
      } catch (error) {
        if (signal.aborted || last === undefined) throw error;
      }
      if (about === undefined || !this.#listener.awaits(about)) return;
      if (last === undefined || attempt >= maxResumes) {
        const { origin } = new URL(this.#server.url);
        return this.#listener.fail(
          about,
          new LoreError('unavailable', `Cannot reach "${origin}": its response ended early`),
        );
      }
      await wait(delay, undefined, { signal });
      response = await this.#open('GET', [['last-event-id', last]], undefined, signal);
    }
  }

  /** The stream of a session for messages that belong to no request. Most servers have none. */
  #listen(): void {
    if (this.#listens || isModernRevision(this.#revision)) return;
    this.#listens = true;
    const { signal } = this.#all;
    const follow = async (last?: string): Promise<void> => {
      const response = await this.#open('GET', last === undefined ? [] : [['last-event-id', last]], undefined, signal);
      if (response.status !== 200) return drain(response.body);
      let [delay, seen] = [resumeMs, last];
      for await (const { data, id, retry } of readEvents(response.body)) {
        seen = id ?? seen;
        delay = retry ?? delay;
        if (data !== '') this.#listener.receive(parse(data));
      }
      await wait(delay, undefined, { signal, ref: false });
      return follow(seen);
    };
    follow().catch(() => {});
  }
}

export async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maxBytes)
      throw new LoreError('limit_exceeded', `Cannot read the response: it is longer than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

async function drain(body: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of body) break;
}

export function parse(text: string): unknown {
  try {
    return readJson(text, maxWeight);
  } catch {
    return undefined;
  }
}
