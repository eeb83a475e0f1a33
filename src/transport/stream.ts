// A server-sent event stream that outlives its connections: in a session, a client that lost one comes back with the id
// of the last event it saw and gets the rest.
import type { ServerResponse } from 'node:http';

/** Tells the client how long to wait before it comes back. */
const retryMs = 500;
const maxKept = 256;
const maxKeptLength = 4 * 1024 * 1024;
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
    for (const response of open) response.write(':\n\n');
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
  response.write(`event: message\ndata: ${text}\n\n`);
}

export class EventStream {
  readonly #name: string;
  readonly #events: { number: number; text: string }[] = [];
  #length = 0;
  #count = 0;
  #done = false;
  #response: ServerResponse | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  get connected(): boolean {
    return this.#response !== undefined;
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
    for (const event of this.#events) if (event.number > (options.after ?? 0)) this.#write(event);
    if (this.#done) response.end();
  }

  send(text: string): void {
    const event = { number: ++this.#count, text };
    this.#events.push(event);
    this.#length += text.length;
    while (this.#events.length > 1 && (this.#events.length > maxKept || this.#length > maxKeptLength)) {
      this.#length -= (this.#events.shift() as { text: string }).text.length;
    }
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

  #write({ number, text }: { number: number; text: string }): void {
    this.#response?.write(`id: ${this.#name}-${number}\nevent: message\ndata: ${text}\n\n`);
  }
}

/** The stream and the event that a Last-Event-ID names. */
export function parseEventId(value: string): { stream: string; number: number } | undefined {
  const match = /^(\d+)-(\d+)$/.exec(value);
  return match ? { stream: match[1] as string, number: Number(match[2]) } : undefined;
}
