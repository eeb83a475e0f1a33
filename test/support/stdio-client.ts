// A client that speaks to a server process line by line and knows nothing of eras: what a message carries is up to the
// test. Whatever the server sends is kept, so that a test can also say what must not have been sent.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ServerProcess } from './start-server.ts';

export type Json = { [key: string]: unknown };
export type Id = string | number;

export interface Message {
  id?: Id | null;
  method?: string;
  params?: Json;
  result?: Json;
  error?: { code: number; message: string; data?: unknown };
}

/** The answer to a question of the server. */
export type Answerer = (params: Json) => Json;

interface Waiter {
  matches(message: Message | Message[]): boolean;
  resolve(message: Message | Message[]): void;
  reject(error: Error): void;
}

export class StdioClient {
  readonly server: ServerProcess;
  /** Everything received, in order; a batch is one entry. */
  readonly received: (Message | Message[])[] = [];
  /** By method; a question without an answerer is left for the test to take. */
  answerers: Record<string, Answerer> = {};
  readonly #inbox: (Message | Message[])[] = [];
  readonly #waiters = new Set<Waiter>();
  readonly #closed: Promise<unknown>;
  #nextId = 1;

  constructor(server: ServerProcess) {
    this.server = server;
    createInterface({ input: server.child.stdout }).on('line', (line) => this.#hear(JSON.parse(line)));
    this.#closed = once(server.child, 'close').then(() => {
      for (const { reject } of this.#waiters) reject(new Error(`the server ended:\n${server.log()}`));
    });
  }

  sendText(line: string): void {
    this.server.child.stdin.write(`${line}\n`);
  }

  send(message: object): void {
    this.sendText(JSON.stringify(message));
  }

  notify(method: string, params?: Json): void {
    this.send({ jsonrpc: '2.0', method, ...(params ? { params } : {}) });
  }

  /** Sends a request without waiting for its answer, and returns its id. */
  start(method: string, params?: Json): Id {
    const id = this.#nextId++;
    this.send({ jsonrpc: '2.0', id, method, ...(params ? { params } : {}) });
    return id;
  }

  async request(method: string, params?: Json): Promise<Message> {
    return this.response(this.start(method, params));
  }

  response(id: Id | null): Promise<Message> {
    return this.next((message) => message.id === id && message.method === undefined);
  }

  /** The first message not taken yet that matches, now or when it comes. */
  async next(matches: (message: Message) => boolean): Promise<Message> {
    return (await this.#take((message) => !Array.isArray(message) && matches(message))) as Message;
  }

  async nextBatch(): Promise<Message[]> {
    return (await this.#take(Array.isArray)) as Message[];
  }

  nextNotification(method: string): Promise<Message> {
    return this.next((message) => message.method === method);
  }

  /** Every message of this method so far. */
  heard(method: string): Message[] {
    return this.received.flatMap((entry) => (!Array.isArray(entry) && entry.method === method ? [entry] : []));
  }

  /** Closes the input; resolves with the exit code once everything the server had to say has been read. */
  async end(): Promise<number | null> {
    this.server.child.stdin.end();
    await this.#closed;
    return this.server.child.exitCode;
  }

  #hear(entry: Message | Message[]): void {
    this.received.push(entry);
    if (!Array.isArray(entry) && entry.method !== undefined && entry.id !== undefined) {
      const answer = this.answerers[entry.method];
      if (answer) return this.send({ jsonrpc: '2.0', id: entry.id, result: answer(entry.params ?? {}) });
    }
    for (const waiter of this.#waiters) {
      if (!waiter.matches(entry)) continue;
      this.#waiters.delete(waiter);
      return waiter.resolve(entry);
    }
    this.#inbox.push(entry);
  }

  #take(matches: Waiter['matches']): Promise<Message | Message[]> {
    const index = this.#inbox.findIndex(matches);
    if (index !== -1) return Promise.resolve(this.#inbox.splice(index, 1)[0] as Message | Message[]);
    return new Promise((resolve, reject) => this.#waiters.add({ matches, resolve, reject }));
  }
}
