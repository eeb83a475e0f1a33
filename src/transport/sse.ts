// HTTP with server-sent events, the transport of the first revision: GET opens the stream and returns the address for POST;
// every response is sent through the stream.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../app.ts';
import { createSecretId } from '../core/id.ts';
import type { Link } from '../protocol/link.ts';
import { Session } from '../protocol/session.ts';
import { type Body, readBody, sendStatus } from './body.ts';
import { budget, parsedFactor } from './budget.ts';
import { callerOf, endWithToken } from './caller.ts';
import { isFull } from './outbox.ts';
import type { Peers } from './peers/peers.ts';
import type { DirectRequest } from './request.ts';
import { startSse, writeEvent } from './stream.ts';
import { refuse, refuseBody } from './streamable.ts';

export const messagesPath = '/mcp/messages';

export class SseConnections {
  readonly #app: App;
  readonly #links = new Map<string, Link & { close(): void }>();

  readonly #peers: Peers | undefined;

  constructor(app: App, peers?: Peers) {
    this.#app = app;
    this.#peers = peers;
  }

  open(request: IncomingMessage, response: ServerResponse): void {
    const send = (text: string) => {
      if (this.#app.log.wants('debug')) this.#app.log.debug('sent', { message: text });
      writeEvent(response, text);
    };
    const session = new Session(createSecretId(), (text) => !isFull(response) && send(text));
    response.on('drain', () => session.flush());
    this.#links.set(session.id, {
      caller: callerOf(request),
      session,
      send,
      get isFull() {
        return isFull(response);
      },
      shutdown: () => setImmediate(() => response.end()),
      close: () => request.socket.destroy(),
    });
    startSse(response);
    endWithToken(request, response, () => response.end());
    const name = () => response.write(`event: endpoint\ndata: ${messagesPath}?sessionId=${session.id}\n\n`);
    // Any server may get the messages.
    if (this.#peers) void this.#peers.homes.settle(session.id, {}).then(name, () => response.destroy());
    else name();
    response.on('close', () => {
      this.#links.delete(session.id);
      void this.#peers?.homes.leave(session.id).catch(() => {});
      this.#app.protocol.endSession(session, 'its stream was closed');
    });
  }

  post(request: DirectRequest, response: ServerResponse, sessionId: string | null): void {
    readBody(request, response, this.#app.config.values.max_message_bytes, (body) => {
      if ('refused' in body) return refuseBody(response, body.refused);
      const here = () => this.#receive(request, response, sessionId, body);
      if (!this.#peers) return here();
      const isHere = (id: string) => this.#links.has(id);
      this.#peers.pass(request, response, { id: sessionId ?? undefined, body: body.text, isHere, here });
    });
  }

  async #receive(
    request: DirectRequest,
    response: ServerResponse,
    sessionId: string | null,
    { text, held: kept }: Exclude<Body, { refused: unknown }>,
  ): Promise<void> {
    const caller = callerOf(request);
    const link = sessionId === null ? undefined : this.#links.get(sessionId);
    if (link?.caller.id !== caller.id) return refuse(response, sessionId === null ? 400 : 404, 'Session not found');
    if (this.#app.log.wants('debug')) this.#app.log.debug('received', { message: text });
    sendStatus(response, 202);
    // The response is sent on the stream, perhaps much later.
    const held = kept && budget.hold(link.close);
    held?.set(text.length * parsedFactor);
    const reply = await this.#app.protocol.receive(text, Object.create(link, { caller: { value: caller } }));
    held?.release();
    if (reply) link.send(reply.text);
  }
}
