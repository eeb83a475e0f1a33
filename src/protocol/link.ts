// What a transport provides to the protocol for one incoming message. The protocol knows no transport beyond this.
import type { Caller } from '../core/call.ts';
import type { Headers } from './header.ts';
import type { Session } from './session.ts';

export interface Link {
  readonly caller: Caller;
  /** The conversation of the sessionful revisions; on stdio there is one from the start. */
  readonly session: Session | undefined;
  /** Sends a message that belongs to the request being served, before its answer. */
  send(text: string): void;
  /** Whose requests take turns with everybody else's where there is no session: the connection. */
  readonly client?: object;
  /** The client has much to read that it does not read: its requests wait, and what it can do without is not sent. */
  readonly isFull?: boolean;
  /** Nothing but the answer can be sent: the client does not take streams. */
  readonly mute?: boolean;
  /** The request's headers; absent where the transport has none. */
  readonly headers?: Headers;
  /** Begins a session for a client that sends `initialize`; absent where the session already is. */
  openSession?(): Session;
  /** Calls back when the client disconnected, where that means it no longer wants the answer. */
  onGone?(listener: () => void): void;
  /** The client asks for the end: of this process on stdio, of its session over HTTP. Takes effect after the answer. */
  shutdown?(): void;
  /** Lets the client's connection go while the request is still served. */
  detach?(): void;
}

export interface Reply {
  readonly text: string;
  /** The HTTP status that goes with it. */
  readonly status: number;
}
