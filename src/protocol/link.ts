// What a transport provides to the protocol for one incoming message. The protocol knows no transport beyond this.
import type { Caller } from '../core/call.ts';
import type { Headers } from './header.ts';
import type { Session } from './session.ts';

export interface Link {
  readonly caller: Caller;
  /** The session of the sessionful revisions; on stdio there is one from the start. */
  readonly session: Session | undefined;
  /** Sends a message that belongs to the current request, before its response. */
  send(text: string): void;
  /** Identifies the client for scheduling without a session: the connection. */
  readonly client?: object;
  /** The client does not read: its requests wait, and optional messages are not sent. */
  readonly isFull?: boolean;
  /** Only the response can be sent: the client does not accept streams. */
  readonly mute?: boolean;
  /** The request's headers; absent if the transport has none. */
  readonly headers?: Headers;
  /** Begins a session for a client that sends `initialize`; absent if there is a session. */
  openSession?(): Session;
  /** Calls back when the client disconnected and so no longer wants the response. */
  onGone?(listener: () => void): void;
  /** The client requests the end: of this process on stdio, of its session over HTTP. Takes effect after the response. */
  shutdown?(): void;
  /** Releases the client's connection while the request continues. */
  detach?(): void;
}

export interface Reply {
  readonly text: string;
  /** The HTTP status of the response. */
  readonly status: number;
  /** Details of an error, for headers. */
  readonly details?: { readonly [fact: string]: unknown };
}
