// A server-sent event stream that survives its connections: in a session, a client reconnects with the id of the last event it
// received and gets the rest.
import type { ServerResponse } from 'node:http';
import { isFull, writeText } from './outbox.ts';
import { Replay, type StreamEvent } from './replay.ts';

/** Sent to the client as its reconnection delay, in ms. */
const retryMs = 500;
const keepAliveMs = 15_000;

const sseHeaders = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

const open = new Set<ServerResponse>();

/** Comments keep proxies from closing idle streams. Returns a function that stops them. */
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
  #isAwaited = false;
  #response: ServerResponse | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  get connected(): boolean {
    return this.#response !== undefined;
  }

  /** Whether a client is connected and reads. */
  get isRead(): boolean {
    return this.#response !== undefined && !isFull(this.#response);
  }

  get done(): boolean {
    return this.#done;
  }

  /** It ended while no client was connected, so that one will come for the rest. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  /** Sends the events that the client has not received; `after` is the number of the last one it did. */
  attach(response: ServerResponse, options: { after?: number; prime?: boolean } = {}): void {
    // A client that reconnects has abandoned its old connection, even if this side has not noticed.
    this.#response?.end();
    this.#response = response;
    this.#isAwaited = false;
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

  /** Closes the connection; the stream continues, and the client fetches the rest later. */
  release(): void {
    this.#response?.end();
    this.#response = undefined;
  }

  end(): void {
    this.#done = true;
    this.#isAwaited = this.#response === undefined;
    this.release();
  }

  /** No client will resume it. */
  forget(): void {
    this.#events.clear();
  }

  #write({ number, text }: StreamEvent): void {
    if (this.#response) writeText(this.#response, `id: ${this.#name}-${number}\nevent: message\ndata: ${text}\n\n`);
  }
}

/** The stream and event of a Last-Event-ID. */
export function parseEventId(value: string): { stream: string; number: number } | undefined {
  const match = /^(\d+)-(\d+)$/.exec(value);
  return match ? { stream: match[1] as string, number: Number(match[2]) } : undefined;
}
