// Schedules calls: a few at a time, and clients in turn, so that a thousand calls of one client use the memory of a few and
// barely delay other clients. While running calls only wait (for a disk, the network or a person), more are started.
import type { EventLoopUtilization } from 'node:perf_hooks';
import type { Call } from '../call.ts';

/** Calls that start beyond the limit at once while the event loop is idle. */
const extraAtOnce = 4;
/** Interval for checking the event loop while calls wait, in ms. */
const lookMs = 20;
/** Above this utilisation of the event loop nothing more is started. */
const busy = 0.7;
/** One more call is started after this time, in ms, however busy the event loop is, so that none waits forever. */
const timeoutMs = 250;

type Turn = Pick<Call, 'client' | 'signal' | 'isFull'>;

interface Waiting {
  call: Turn;
  start(): void;
}

export class Turns {
  readonly #atOnce: number;
  /** The client whose last turn is longest ago is first. */
  readonly #waiting = new Map<object, Waiting[]>();
  #running = 0;
  /** Calls that may start beyond the limit. */
  #extra = 0;
  #looked = 0;
  #lastExtra = 0;
  /** Since the start of the process, until it is checked. */
  #usage: EventLoopUtilization = { idle: 0, active: 0, utilization: 0 };
  #timer: NodeJS.Timeout | undefined;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Resolves when it is this client's turn; undefined if there is a free slot. A caller that takes a turn must leave it. */
  take(call: Turn): Promise<void> | undefined {
    if (this.#waiting.size > 0 || call.isFull || !this.#hasRoom()) return this.#wait(call);
    this.#running++;
    return undefined;
  }

  leave(): void {
    this.#running--;
    if (this.#waiting.size > 0) this.#startNext();
  }

  /** Resolves when the call may start, and is counted as running from then on. */
  #wait(call: Turn): Promise<void> {
    const client = call.client ?? call;
    const line = this.#waiting.get(client) ?? [];
    this.#waiting.set(client, line);
    return new Promise((resolve, reject) => {
      const abort = () => {
        line.splice(line.indexOf(waiting), 1);
        if (line.length === 0) this.#waiting.delete(client);
        reject(call.signal.reason);
      };
      const waiting: Waiting = {
        call,
        start: () => {
          call.signal.removeEventListener('abort', abort);
          this.#running++;
          resolve();
        },
      };
      line.push(waiting);
      if (call.signal.aborted) return abort();
      call.signal.addEventListener('abort', abort);
      this.#timer ??= setInterval(() => this.#startNext(), lookMs);
    });
  }

  #startNext(): void {
    for (const [client, line] of this.#waiting) {
      const [first] = line;
      // A client that does not read its responses gets no further calls; its turn is not used up.
      if (!first || first.call.isFull) continue;
      if (!this.#hasRoom()) break;
      line.shift();
      this.#waiting.delete(client);
      // After all others, which this loop reaches first.
      if (line.length > 0) this.#waiting.set(client, line);
      first.start();
    }
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #hasRoom(): boolean {
    if (this.#running < this.#atOnce) return true;
    const now = performance.now();
    if (now - this.#looked >= lookMs) {
      const usage = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(usage, this.#usage);
      this.#extra = utilization < busy ? extraAtOnce : now - this.#lastExtra > timeoutMs ? 1 : 0;
      this.#looked = now;
      this.#usage = usage;
    }
    if (this.#extra === 0) return false;
    this.#extra--;
    this.#lastExtra = now;
    return true;
  }
}
