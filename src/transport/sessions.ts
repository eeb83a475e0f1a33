// The HTTP sessions, by id. A session ends by request of its client, after the idle timeout, or as the longest idle one when
// there are too many. A session with an open stream is not idle.
import type { ServerResponse } from 'node:http';
import type { App } from '../app.ts';
import type { Caller } from '../core/call.ts';
import { createSecretId } from '../core/id.ts';
import { continueSession } from '../protocol/continue-session.ts';
import type { Protocol } from '../protocol/protocol.ts';
import { has } from '../protocol/revision.ts';
import { Session, type SessionState } from '../protocol/session.ts';
import { EventStream, parseEventId } from './stream.ts';

type Homes = ReturnType<App['homes']>;

/** Finished streams are kept for clients that lost the end of one. */
const keptStreams = 8;
/** Those that ended while their client was away. */
const keptAwaited = 64;

export class HttpSession {
  readonly protocolSession: Session;
  /** By the monotonic clock: setting the time of day must not end a session. */
  lastSeen = performance.now();
  touchedAt = performance.now();
  #streams: Map<string, EventStream> | undefined;
  #nextStream: number;
  /** Streams opened by GET; server-initiated messages go to the newest connected one. */
  #open: EventStream[] | undefined;

  /** Whose it is: a session id is no proof of who sends it. */
  readonly owner: string;

  /** The state that other servers know. */
  saved = '';

  /** Streams of a session that began elsewhere have other numbers than those it had there. */
  constructor(owner: string, { id = createSecretId(), nextStream = 1 } = {}) {
    this.owner = owner;
    this.#nextStream = nextStream;
    this.protocolSession = new Session(id, (text) => this.#push(text));
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
      if (old.isAwaited && this.#streams.size <= keptAwaited) continue;
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

/** What other servers know of a session. */
type KnownState = SessionState & { owner: string };

export class Sessions {
  /** Ordered by last use. */
  readonly #sessions = new Map<string, HttpSession>();
  /** The most recent one: a client's requests often come in sequence. */
  #newest: HttpSession | undefined;
  readonly #protocol: Protocol;
  readonly #limits: { max: number; idleMs: number };
  readonly #sweeper: NodeJS.Timeout;
  readonly #homes: Homes | undefined;

  /** With `homes`, other servers pass requests on to this one, or continue a session when this one is gone. */
  constructor(protocol: Protocol, limits: { max: number; idleMs: number }, homes?: Homes) {
    this.#protocol = protocol;
    this.#limits = limits;
    this.#homes = homes;
    this.#sweeper = setInterval(() => this.#sweep(), Math.min(limits.idleMs, 60_000)).unref();
  }

  create(owner: string): HttpSession {
    return this.#add(new HttpSession(owner));
  }

  has(id: string): boolean {
    return this.#sessions.has(id);
  }

  /** Continues a session of another server. */
  async restore(id: string, known: unknown, caller: Caller): Promise<void> {
    const { owner, ...state } = known as KnownState;
    if (owner !== caller.id) return;
    const session = this.#add(new HttpSession(owner, { id, nextStream: Date.now() }));
    await continueSession(this.#protocol, session.protocolSession, state, caller);
    session.saved = this.#describe(session);
  }

  /** Tells other servers what changed; undefined if nothing did. A failure is repaired by the next call. */
  save(session: HttpSession): Promise<void> | undefined {
    if (!this.#homes || !session.protocolSession.initialized) return undefined;
    const state = this.#describe(session);
    if (state === session.saved) return undefined;
    session.saved = state;
    return this.#homes.settle(session.id, JSON.parse(state)).catch(() => {
      session.saved = '';
    });
  }

  #describe({ owner, protocolSession }: HttpSession): string {
    return JSON.stringify({ owner, ...protocolSession.state } satisfies KnownState);
  }

  #add(session: HttpSession): HttpSession {
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
    this.#touch(session);
    session.lastSeen = performance.now();
    if (session !== this.#newest) {
      this.#newest = session;
      this.#sessions.delete(id);
      this.#sessions.set(id, session);
    }
    return session;
  }

  /** The promise resolves when other servers do not know it either. */
  end(session: HttpSession, reason: string): Promise<void> | undefined {
    this.#sessions.delete(session.id);
    const leaving = this.#homes?.leave(session.id).catch(() => {});
    this.#protocol.endSession(session.protocolSession, reason);
    // After running requests were refused.
    setImmediate(() => session.end());
    return leaving;
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const session of this.#sessions.values()) session.end();
    this.#sessions.clear();
  }

  /** Others forget a session that is not used for twice the idle time. */
  #touch(session: HttpSession): void {
    const now = performance.now();
    if (!this.#homes || now - session.touchedAt < this.#limits.idleMs / 2) return;
    session.touchedAt = now;
    void this.#homes.touch(session.id).catch(() => {});
  }

  #sweep(): void {
    const limit = performance.now() - this.#limits.idleMs;
    for (const session of this.#sessions.values()) {
      if (session.lastSeen > limit) break;
      if (session.isConnected || session.protocolSession.underWay?.size) {
        this.#touch(session);
        continue;
      }
      this.end(session, 'it was idle');
    }
  }
}
