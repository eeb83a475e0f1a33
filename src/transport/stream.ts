// A server-sent event stream that outlives its connections: in a session, a client that lost one comes back with the id
// of the last event it saw and gets the rest.
import type { ServerResponse } from 'node:http';
import { isFull, writeText } from './outbox.ts';
import { Replay, type StreamEvent } from './replay.ts';

/** Tells the client how long to wait before it comes back. */
const retryMs = 500;
const keepAliveMs = 15_000;

const sseHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

const open = new Set<ServerResponse>();

/** Comments keep open streams from being closed by whatever stands between. Returns how to stop. */
export function keepStreamsAlive(): () => void {
  const timer = setInterval(() => {
    for (const response of open) if (!response.writableNeedDrain) response.write(':\n\n');
  }, keepAliveMs).unref();
  return () => clearInterval(timer);
}

export function startSse(response: ServerResponse, headers?: Record<string, string>): void {
  response.writeHead(200, { ...sseHeaders, ...headers });
  response.flushHeaders();
  open.add(response);
  response.on('close', () => open.delete(response));
}

export function writeEvent(response: ServerResponse, text: string): void {
  writeText(response, `event: message\ndata: ${text}\n\n`);
}

export class EventStream {
  readonly #name: string;
  readonly #events = new Replay();
  #count = 0;
  #done = false;
  #response: ServerResponse | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  get connected(): boolean {
    return this.#response !== undefined;
  }

  /** Whether its client is there and reads. */
  get isRead(): boolean {
    return this.#response !== undefined && !isFull(this.#response);
  }

  get done(): boolean {
    return this.#done;
  }

  /** Sends over a connection what its client has not seen; `after` is the number of the last event it saw. */
  attach(response: ServerResponse, options: { after?: number; prime?: boolean } = {}): void {
    // A client that comes back has given up the connection it had, whether or not its end has been seen here.
    this.#response?.end();
    this.#response = response;
    response.on('close', () => {
      if (this.#response === response) this.#response = undefined;
    });
    if (options.prime) response.write(`id: ${this.#name}-${this.#count}\nretry: ${retryMs}\ndata: \n\n`);
    for (const event of this.#events.after(options.after ?? 0)) this.#write(event);
    if (this.#done) response.end();
  }

  send(text: string): void {
    const event = { number: ++this.#count, text };
    this.#events.add(event);
    this.#write(event);
  }

  /** Closes the connection; the stream goes on, and the client fetches the rest later. */
  release(): void {
    this.#response?.end();
    this.#response = undefined;
  }

  end(): void {
    this.#done = true;
    this.release();
  }

  /** Nobody will come back for it. */
  forget(): void {
    this.#events.clear();
  }

  #write({ number, text }: StreamEvent): void {
    if (this.#response) writeText(this.#response, `id: ${this.#name}-${number}\nevent: message\ndata: ${text}\n\n`);
  }
}

/** The stream and the event that a Last-Event-ID names. */
export function parseEventId(value: string): { stream: string; number: number } | undefined {
  const match = /^(\d+)-(\d+)$/.exec(value);
  return match ? { stream: match[1] as string, number: Number(match[2]) } : undefined;
}
