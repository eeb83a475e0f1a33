// WebSocket on the endpoint of Streamable HTTP: one message per text frame, and one session per connection, as on stdio.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebSocket, WebSocketServer } from 'ws';
import type { App } from '../app.ts';
import { createSecretId } from '../core/id.ts';
import { code } from '../protocol/code.ts';
import type { Link } from '../protocol/link.ts';
import { writeError } from '../protocol/message.ts';
import { Session } from '../protocol/session.ts';
import { budget, messageLimit, parsedFactor, smallBytes } from './budget.ts';
import { callerOf } from './caller.ts';

/** Clients may ask for this protocol name, as those of the MCP SDK do. */
const protocolName = 'mcp';

/** Unread bytes above which nothing more is read from a client. */
const fullBytes = 256 * 1024;
/** Most concurrent requests of a client. */
const maxUnanswered = 1_000;

const keepAliveMs = 60_000;
const goingAway = 1001;

export class WebSockets {
  readonly #app: App;
  #server: WebSocketServer | undefined;

  constructor(app: App) {
    this.#app = app;
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

  /** Does not wait for clients that do not answer. */
  destroy(): void {
    for (const connection of this.#server?.clients ?? []) connection.terminate();
  }

  #serve(connection: WebSocket, request: IncomingMessage): void {
    const { log, protocol } = this.#app;
    let unanswered = 0;
    const unread = budget.hold(() => connection.terminate());
    const isFull = () => connection.bufferedAmount > fullBytes;
    const send = (text: string) => {
      if (log.wants('debug')) log.debug('sent', { message: text });
      connection.send(text, regulate);
      if (connection.bufferedAmount > smallBytes) unread.set(connection.bufferedAmount);
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
      const isBehind = isFull() || (unanswered > maxUnanswered && !session.isAsked);
      if (isBehind === connection.isPaused) return;
      if (isBehind) return connection.pause();
      unread.set(0);
      session.flush();
      connection.resume();
    }

    const receive = async (data: Buffer) => {
      const text = data.toString();
      if (log.wants('debug')) log.debug('received', { message: text });
      const held = data.length > smallBytes ? budget.hold(() => connection.terminate()) : undefined;
      held?.set(data.length * parsedFactor);
      unanswered++;
      regulate();
      const reply = await protocol.receive(text, link);
      unanswered--;
      held?.release();
      if (reply) send(reply.text);
      regulate();
    };

    connection.on('message', (data: Buffer, isBinary) => {
      if (isBinary) return send(writeError(null, code.parseError, 'Parse error: messages are text frames'));
      void receive(data);
    });
    // An invalid frame or a message that is too large: the connection closes with the reason.
    connection.on('error', (error) => log.debug('websocket_failed', { reason: error.message }));
    connection.on('close', () => {
      unread.release();
      protocol.endSession(session, 'its connection was closed');
    });
  }
}

async function createServer(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws');
  return new WebSocketServer({
    noServer: true,
    maxPayload,
    perMessageDeflate: false,
    handleProtocols: (names) => (names.has(protocolName) ? protocolName : false),
  });
}
