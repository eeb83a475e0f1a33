// A wire carries messages between our client and one server: over the pipes of a child process, or over HTTP. It knows no
// methods; the session above it does.
import type { LoreError } from '../core/error.ts';
import type { JsonSchema } from '../core/schema.ts';
import type { Id, Params } from '../protocol/message.ts';
import type { Revision } from '../protocol/revision.ts';

/** A message to the server. Without an id it is a notification; without a method it is a response. */
export interface SentMessage {
  readonly id?: Id;
  readonly method?: string;
  readonly params?: Params;
  readonly result?: unknown;
  readonly error?: { code: number; message: string };
}

export interface Wire {
  /** `schema` is that of the called tool's arguments, some of which are repeated in headers. */
  send(message: SentMessage, schema?: JsonSchema): void;
  /** The response to this request is not wanted any more. True if the server learns that without a notification. */
  drop(id: Id): boolean;
  /** The revision that both sides agreed on. */
  agree(revision: Revision): void;
  close(): void;
}

export interface WireListener {
  /** `about` is the request in whose response stream the message came, if the wire knows. */
  receive(message: unknown, about?: Id): void;
  /** Whether this request has no response yet. */
  awaits(id: Id): boolean;
  /** This request will get no response. */
  fail(id: Id, error: Error): void;
  /** The wire is down: no request will get a response. */
  close(error: LoreError): void;
}

/** Opens a wire that reports to the listener. */
export type OpenWire = (listener: WireListener) => Promise<Wire>;

/** A response of a server that is not a result. Its text is foreign: it is data, not a message of ours. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly code: number;
  readonly data: unknown;
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}
