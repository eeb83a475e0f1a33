// The HTTP sessions, by id. A session ends by request of its client, after the idle timeout, or as the longest idle one when
// there are too many. A session with an open stream is not idle.
import type { ServerResponse } from 'node:http';
import { createSecretId } from '../core/id.ts';
import type { Protocol } from '../protocol/protocol.ts';
import { has } from '../protocol/revision.ts';
import { Session } from '../protocol/session.ts';
import { EventStream, parseEventId } from './stream.ts';

/** Finished streams are kept for clients that lost the end of one. */
const keptStreams = 8;

export class HttpSession {
  readonly protocolSession: Session;
  /** By the monotonic clock: setting the time of day must not end a session. */
  lastSeen = performance.now();
  #streams: Map<string, EventStream> | undefined;
  #nextStream = 1;
  /** Streams opened by GET; server-initiated messages go to the newest connected one. */
  #open: EventStream[] | undefined;

  /** Whose it is: a session id is no proof of who sends it. */
  readonly owner: string;

  constructor(owner: string) {
    this.owner = owner;
    this.protocolSession = new Session(createSecretId(), (text) => this.#push(text));
  }

  get id(): string {
    return this.protocolSession.id;
  }

  /** A client with an open stream is present, however long it is silent. */
  get isConnected(): boolean {
    return this.#open?.some((stream) => stream.connected) ?? false;
  }

  createStream(): EventStream {
    const name = String(this.#nextStream++);
    const stream = new EventStream(name);
    this.#streams ??= new Map();
    this.#streams.set(name, stream);
    for (const [key, old] of this.#streams) {
      if (this.#streams.size <= keptStreams) break;
      if (!old.done && (old.connected || !this.#open?.includes(old))) continue;
      old.forget();
      this.#streams.delete(key);
      this.#open = this.#open?.filter((other) => other !== old);
    }
    return stream;
  }

  /** A GET: a new stream, or the continuation of the stream of `lastEventId`. */
  connect(response: ServerResponse, lastEventId: string | undefined): void {
    const last = lastEventId === undefined ? undefined : parseEventId(lastEventId);
    const known = last && this.#streams?.get(last.stream);
    const stream = known ?? this.createStream();
    stream.attach(response, known ? { after: last?.number ?? 0 } : { prime: this.primes });
    // A resumed response contains nothing else; server-initiated messages go to streams opened by GET.
    if (known && !this.#open?.includes(known)) return;
    this.#open = [...(this.#open ?? []).filter((other) => other !== stream), stream];
    response.on('drain', () => this.protocolSession.flush());
    this.protocolSession.flush();
  }

  /** An event without data, whose id lets a client resume before it has received any other event. */
  get primes(): boolean {
    return has(this.protocolSession.revision, 'pollingStreams');
  }

  end(): void {
    for (const stream of this.#streams?.values() ?? []) {
      stream.end();
      stream.forget();
    }
  }

  /** False if no stream is open and read. */
  #push(text: string): boolean {
    const stream = this.#open?.findLast((candidate) => candidate.isRead);
    stream?.send(text);
    return stream !== undefined;
  }
}

export class Sessions {
  /** Ordered by last use. */
  readonly #sessions = new Map<string, HttpSession>();
  /** The most recent one: a client's requests often come in sequence. */
  #newest: HttpSession | undefined;
  readonly #protocol: Protocol;
  readonly #limits: { max: number; idleMs: number };
  readonly #sweeper: NodeJS.Timeout;

  constructor(protocol: Protocol, limits: { max: number; idleMs: number }) {
    this.#protocol = protocol;
    this.#limits = limits;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(limits.idleMs, 60_000)).unref();
  }

  create(owner: string): HttpSession {
    const session = new HttpSession(owner);
    this.#sessions.set(session.id, session);
    this.#newest = session;
    if (this.#sessions.size > this.#limits.max) this.end(this.#leastUsed(), 'there are too many sessions');
    return session;
  }

  /** The longest idle session, preferably without an open stream. */
  #leastUsed(): HttpSession {
    for (const session of this.#sessions.values()) {
      if (!session.isConnected && session !== this.#newest) return session;
    }
    return this.#sessions.values().next().value as HttpSession;
  }

  /** The session of another owner is reported as unknown. */
  find(id: string, owner: string): HttpSession | undefined {
    const session = this.#sessions.get(id);
    if (session?.owner !== owner) return undefined;
    session.lastSeen = performance.now();
    if (session !== this.#newest) {
      this.#newest = session;
      this.#sessions.delete(id);
      this.#sessions.set(id, session);
    }
    return session;
  }

  end(session: HttpSession, reason: string): void {
    this.#sessions.delete(session.id);
    this.#protocol.endSession(session.protocolSession, reason);
    // After running requests were refused.
    setImmediate(() => session.end());
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const session of this.#sessions.values()) session.end();
    this.#sessions.clear();
  }

  #sweep(): void {
    const limit = performance.now() - this.#limits.idleMs;
    for (const session of this.#sessions.values()) {
      if (session.lastSeen > limit) break;
      if (session.isConnected || session.protocolSession.underWay?.size) continue;
      this.end(session, 'it was idle');
    }
  }
}
