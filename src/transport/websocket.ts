// WebSocket on the endpoint of Streamable HTTP: one message per text frame, and one session per connection, as on stdio.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket, WebSocketServer } from 'ws';
import type { App } from '../app.ts';
import { createSecretId } from '../core/id.ts';
import { describeError } from '../core/log.ts';
import { code } from '../protocol/code.ts';
import type { Link } from '../protocol/link.ts';
import { writeError } from '../protocol/message.ts';
import { Session } from '../protocol/session.ts';
import { budget, messageLimit, parsedFactor, smallBytes } from './budget.ts';
import { callerOf, endWithToken } from './caller.ts';
import type { Guard } from './guard.ts';

/** Clients may ask for this protocol name, as those of the MCP SDK do. */
const protocolName = 'mcp';

/** Unread bytes above which nothing more is read from a client. */
const fullBytes = 256 * 1024;
/** A fragment takes far more memory than its bytes. */
const maxFragments = 1_024;
/** Most concurrent requests of a client. */
const maxUnanswered = 1_000;

const keepAliveMs = 60_000;
const admittedMs = 60_000;
const goingAway = 1001;
const refused = 1008;
const failed = 1011;

export class WebSockets {
  readonly #app: App;
  readonly #guard: Guard;
  #server: WebSocketServer | undefined;

  constructor(app: App, guard: Guard) {
    this.#app = app;
    this.#guard = guard;
  }

  /** The guard has admitted the request, and its caller is known. */
  async accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#server ??= await createServer(messageLimit(this.#app.config.values.max_message_bytes));
    // Notices clients that disappeared.
    request.socket.setKeepAlive(true, keepAliveMs);
    response.detachSocket(request.socket);
    this.#server.handleUpgrade(request, request.socket, Buffer.alloc(0), (connection) =>
      this.#serve(connection, request),
    );
  }

  close(): void {
    for (const connection of this.#server?.clients ?? []) connection.close(goingAway);
  }

  #serve(connection: WebSocket, request: IncomingMessage): void {
    const { log, protocol } = this.#app;
    let unanswered = 0;
    let unansweredBytes = 0;
    /** Bytes of a message that is not complete. */
    let unfinishedBytes = 0;
    const unread = budget.hold(() => connection.terminate());
    const received = budget.hold(() => connection.terminate());
    const isFull = () => connection.bufferedAmount > fullBytes;
    const send = (text: string) => {
      if (log.wants('debug')) log.debug('sent', { message: text });
      connection.send(text, regulate);
      regulate();
    };
    const session = new Session(createSecretId(), (text) => !isFull() && send(text));
    const link: Link = {
      caller: callerOf(request),
      session,
      send,
      get isFull() {
        return isFull();
      },
      shutdown: () => setImmediate(() => connection.close()),
    };

    function regulate(): void {
      unread.set(countable(connection.bufferedAmount));
      const isBehind = isFull() || (unanswered > maxUnanswered && !session.isAsked);
      if (isBehind === connection.isPaused) return;
      if (isBehind) return connection.pause();
      connection.resume();
      session.flush();
    }

    const countReceived = () => received.set(countable(unansweredBytes * parsedFactor + unfinishedBytes));

    let settings = this.#app.settings();
    let admittedAt = performance.now();
    /** Checked again after every change of settings and every minute, because a connection outlives its token. */
    const isAdmitted = async () => {
      const now = this.#app.settings();
      if (this.#guard.screen(request) ?? (await this.#guard.identify(request))) return false;
      settings = now;
      admittedAt = performance.now();
      return true;
    };
    const isDue = () => settings !== this.#app.settings() || performance.now() - admittedAt > admittedMs;

    const receive = async (data: Buffer) => {
      if (isDue() && !(await isAdmitted())) return connection.close(refused);
      const text = data.toString();
      if (log.wants('debug')) log.debug('received', { message: text });
      unanswered++;
      unansweredBytes += data.length;
      countReceived();
      regulate();
      const reply = await protocol.receive(text, link);
      unanswered--;
      unansweredBytes -= data.length;
      countReceived();
      if (reply) send(reply.text);
      else regulate();
    };

    // Before the frames are read, because a complete message ends the count.
    request.socket.prependListener('data', (chunk: Buffer) => {
      unfinishedBytes += chunk.length;
      countReceived();
    });
    connection.on('message', (data: Buffer, isBinary) => {
      unfinishedBytes = 0;
      if (isBinary) return send(writeError(null, code.parseError, 'Parse error: messages are text frames'));
      receive(data).catch((error: unknown) => {
        log.error('websocket_failed', describeError(error));
        connection.close(failed);
      });
    });
    connection.on('ping', (data) => {
      connection.pong(data, false, regulate);
      regulate();
    });
    // An invalid frame or a message that is too large: the connection closes with the reason.
    connection.on('error', (error) => log.debug('websocket_failed', { reason: error.message }));
    endWithToken(request, connection, () => connection.close(refused));
    connection.on('close', () => {
      unread.release();
      received.release();
      protocol.endSession(session, 'its connection was closed');
    });
  }
}

function countable(bytes: number): number {
  return bytes > smallBytes ? bytes : 0;
}

async function createServer(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws');
  return new WebSocketServer({
    noServer: true,
    maxPayload,
    maxFragments,
    perMessageDeflate: false,
    // A client may ping and not read.
    autoPong: false,
    handleProtocols: (names) => (names.has(protocolName) ? protocolName : false),
  });
}
