// Streamable HTTP: POST, GET and DELETE on one endpoint, with and without sessions. A response is plain JSON unless other
// messages precede it; then it is an event stream.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../app.ts';
import type { Caller } from '../core/call.ts';
import { code } from '../protocol/code.ts';
import type { Headers } from '../protocol/header.ts';
import type { Link, Reply } from '../protocol/link.ts';
import { writeError } from '../protocol/message.ts';
import { isLegacyRevision } from '../protocol/revision.ts';
import type { Session } from '../protocol/session.ts';
import { type Refused, readBody, sendJson, sendStatus } from './body.ts';
import { callerOf, endWithToken, stepUpHeaders } from './caller.ts';
import { isFull } from './outbox.ts';
import { type Peers, placeOfTask } from './peers/peers.ts';
import type { DirectRequest } from './request.ts';
import type { HttpSession, Sessions } from './sessions.ts';
import { type EventStream, startSse, writeEvent } from './stream.ts';

export function servePost(
  app: App,
  sessions: Sessions,
  request: DirectRequest,
  response: ServerResponse,
  peers?: Peers,
): void {
  const accept = acceptOf(request);
  if (!accept)
    return refuse(response, 406, 'Not Acceptable: Client must accept both application/json and text/event-stream');
  readBody(request, response, app.config.values.max_message_bytes, (body) => {
    if ('refused' in body) return refuseBody(response, body.refused);
    const { text, held } = body;
    if (app.log.wants('debug')) app.log.debug('received', { message: text });
    passSession(sessions, request, response, peers, text, () => {
      const session = findSession(sessions, request);
      if (session === 'unknown') return refuse(response, 404, 'Session not found: send initialize to begin a new one');
      const post = new Post(request, response, accept, sessions, session);
      const answer = (reply: Reply | undefined) => {
        if (reply && app.log.wants('debug')) app.log.debug('sent', { message: reply.text });
        const saving = post.save();
        if (saving) void saving.then(() => post.finish(reply));
        else post.finish(reply);
      };
      if (held) held.giveUp = () => post.giveUp();
      const reply = app.protocol.receive(text, post);
      if (reply instanceof Promise) void reply.then(answer);
      else answer(reply);
    });
  });
}

export function serveGet(sessions: Sessions, request: IncomingMessage, response: ServerResponse, peers?: Peers): void {
  if (!/text\/event-stream|\*\/\*/.test(request.headers.accept ?? '*/*')) {
    return refuse(response, 406, 'Not Acceptable: Client must accept text/event-stream');
  }
  passSession(sessions, request, response, peers, undefined, () => {
    const session = requireSession(sessions, request, response);
    if (!session) return;
    startSse(response, { 'Mcp-Session-Id': session.id });
    endWithToken(request, response, () => response.end());
    session.connect(response, request.headers['last-event-id'] as string | undefined);
  });
}

export function serveDelete(
  sessions: Sessions,
  request: IncomingMessage,
  response: ServerResponse,
  peers?: Peers,
): void {
  passSession(sessions, request, response, peers, undefined, () => {
    const session = requireSession(sessions, request, response);
    if (!session) return;
    const answer = () => sendStatus(response, 204);
    const ending = sessions.end(session, 'its session ended');
    if (ending) void ending.then(answer);
    else answer();
  });
}

/** Where the session or the task of the request is: here, or at another server. */
function passSession(
  sessions: Sessions,
  request: IncomingMessage,
  response: ServerResponse,
  peers: Peers | undefined,
  body: string | undefined,
  here: () => void,
): void {
  if (!peers) return here();
  const id = sessionIdOf(request);
  if (id === undefined) {
    const task = body === undefined ? undefined : placeOfTask(request, body);
    return peers.pass(request, response, { id: task, body, isHere: (place) => place === peers.place, here });
  }
  const restore = (known: string, state: unknown) => sessions.restore(known, state, callerOf(request));
  peers.pass(request, response, { id, body, isHere: (known) => sessions.has(known), restore, here });
}

function requireSession(sessions: Sessions, request: IncomingMessage, response: ServerResponse) {
  const session = findSession(sessions, request);
  if (session === 'unknown') refuse(response, 404, 'Session not found');
  else if (!session) refuse(response, 400, 'Bad Request: No session ID provided');
  else return session;
  return undefined;
}

function findSession(sessions: Sessions, request: IncomingMessage): HttpSession | 'unknown' | undefined {
  const id = sessionIdOf(request);
  return id === undefined ? undefined : (sessions.find(id, callerOf(request).id) ?? 'unknown');
}

/** With a revision that has no sessions in the header, the session id has no meaning. */
function sessionIdOf({ headers }: IncomingMessage): string | undefined {
  const version = headers['mcp-protocol-version'];
  const isStateless = version !== undefined && !isLegacyRevision(version);
  return isStateless ? undefined : (headers['mcp-session-id'] as string | undefined);
}

/** One POST and its response, as the protocol sees it. */
class Post implements Link, Headers {
  readonly caller: Caller;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #accept: Accept;
  readonly #sessions: Sessions;
  #session: HttpSession | undefined;
  #opened = false;
  readonly #gone: (() => void)[] = [];
  #ending = false;
  /** The event stream of the response, in a session. */
  #stream: EventStream | undefined;
  #streaming = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    accept: Accept,
    sessions: Sessions,
    session: HttpSession | undefined,
  ) {
    this.caller = callerOf(request);
    this.#request = request;
    this.#response = response;
    this.#accept = accept;
    this.#sessions = sessions;
    this.#session = session;
  }

  get session(): Session | undefined {
    return this.#session?.protocolSession;
  }

  get client(): object {
    return this.#request.socket;
  }

  get isFull(): boolean {
    return isFull(this.#response);
  }

  get mute(): boolean {
    return !this.#accept.events;
  }

  get headers(): Headers {
    return this;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  openSession(): Session {
    this.#session = this.#sessions.create(this.caller.id);
    this.#opened = true;
    return this.#session.protocolSession;
  }

  send(text: string): void {
    if (this.mute) return;
    this.#startStream();
    if (this.#stream) this.#stream.send(text);
    else writeEvent(this.#response, text);
  }

  onGone(listener: () => void): void {
    this.#gone.push(listener);
    // In a session, the response waits for a client that lost its connection.
    if (this.#session) return;
    this.#response.on('close', () => {
      if (!this.#response.writableFinished) listener();
    });
  }

  /** Ends the request, because the server needs its memory. */
  giveUp(): void {
    for (const listener of this.#gone) listener();
    if (this.#response.headersSent) this.#request.socket.destroy();
    else refuseBusy(this.#response);
  }

  detach(): void {
    if (!this.#session || this.mute) return;
    this.#startStream();
    this.#stream?.release();
  }

  shutdown(): void {
    this.#ending = true;
  }

  /** Before the response, after which any server may get the next request. */
  save(): Promise<void> | undefined {
    return this.#session && this.#sessions.save(this.#session);
  }

  finish(reply: Reply | undefined): void {
    if (this.#streaming) this.#finishStream(reply);
    else if (!reply) sendStatus(this.#response, 202);
    else if (!this.#accept.json && reply.status === 200) {
      this.send(reply.text);
      this.#finishStream(undefined);
    } else sendJson(this.#response, reply.status, reply.text, this.#headersOf(reply));
    if (this.#ending && this.#session) this.#sessions.end(this.#session, 'its session was shut down');
  }

  #finishStream(reply: Reply | undefined): void {
    if (this.#stream) {
      if (reply) this.#stream.send(reply.text);
      this.#stream.end();
      return;
    }
    if (reply) writeEvent(this.#response, reply.text);
    this.#response.end();
  }

  #startStream(): void {
    if (this.#streaming) return;
    this.#streaming = true;
    startSse(this.#response, this.#sessionHeaders());
    if (this.header('mcp-method') === 'subscriptions/listen')
      endWithToken(this.#request, this.#response, () => this.#response.end());
    if (!this.#session) return;
    this.#stream = this.#session.createStream();
    this.#stream.attach(this.#response, { prime: this.#session.primes });
  }

  #headersOf({ status, details }: Reply): Record<string, string> | undefined {
    return status === 403 ? stepUpHeaders(this.#request, { details }) : this.#sessionHeaders();
  }

  #sessionHeaders(): Record<string, string> | undefined {
    if (!this.#opened || !this.#session) return undefined;
    return { 'Mcp-Session-Id': this.#session.id, 'Mcp-Protocol-Version': this.#session.protocolSession.revision };
  }
}

interface Accept {
  json: boolean;
  events: boolean;
}

const acceptsBoth: Accept = { json: true, events: true };

const usualAccept = 'application/json, text/event-stream';

function acceptOf({ headers }: IncomingMessage): Accept | undefined {
  const { accept } = headers;
  if (accept === usualAccept || accept === undefined || accept.includes('*/*')) return acceptsBoth;
  const json = accept.includes('application/json') || accept.includes('application/*');
  const events = accept.includes('text/event-stream') || accept.includes('text/*');
  if (json && events) return acceptsBoth;
  return json || events ? { json, events } : undefined;
}

/** A refusal by the transport itself, before a request was parsed. */
export function refuse(response: ServerResponse, status: number, reason: string, headers = {}): void {
  sendJson(response, status, writeError(null, code.refused, reason), headers);
}

function refuseBusy(response: ServerResponse): void {
  refuse(response, 503, 'Service unavailable: requests and unread responses use too much memory', {
    'Retry-After': '1',
  });
}

export function refuseBody(response: ServerResponse, reason: Refused): void {
  if (reason === 'too large') return refuse(response, 413, 'The body is too large');
  if (reason === 'busy') return refuseBusy(response);
  sendJson(response, 400, writeError(null, code.parseError, 'Parse error: the body is not UTF-8'));
}
