// Events for clients that lost their connection, limited per stream and in total; the oldest are dropped first.
import { heapShare } from '../core/heap.ts';

export interface StreamEvent {
  readonly number: number;
  readonly text: string;
}

const maxEvents = 256;
const maxLength = Math.min(4 * 1024 * 1024, heapShare(1 / 64));
const maxTotal = heapShare(1 / 16);

/** In sending order, with a function that drops each. */
const kept = new Map<StreamEvent, Replay>();
let total = 0;

export class Replay {
  readonly #events = new Set<StreamEvent>();
  #length = 0;

  add(event: StreamEvent): void {
    this.#events.add(event);
    this.#length += event.text.length;
    kept.set(event, this);
    total += event.text.length;
    while (this.#events.size > 1 && (this.#events.size > maxEvents || this.#length > maxLength)) {
      this.#drop(this.#events.values().next().value as StreamEvent);
    }
    for (const [oldest, owner] of kept) {
      if (total <= maxTotal) break;
      owner.#drop(oldest);
    }
  }

  after(number: number): StreamEvent[] {
    return [...this.#events].filter((event) => event.number > number);
  }

  clear(): void {
    for (const event of this.#events) this.#drop(event);
  }

  #drop(event: StreamEvent): void {
    this.#events.delete(event);
    this.#length -= event.text.length;
    kept.delete(event);
    total -= event.text.length;
  }
}
