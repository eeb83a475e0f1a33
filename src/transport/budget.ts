// Limits the memory of clients: request bodies, running requests and unread responses. When they exceed the limit together,
// the largest and oldest is dropped, so that small and fast clients are always served.
import { heapShare } from '../core/heap.ts';

/** Smaller requests are not counted: there are no more of them than connections. */
export const smallBytes = 16 * 1024;

export interface Reservation {
  /** Frees the memory by disconnecting its client. */
  giveUp: () => void;
  set(bytes: number): void;
  release(): void;
}

export class Budget {
  readonly #limit: number;
  readonly #held = new Set<Reservation & { bytes: number; since: number }>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  hold(giveUp: () => void): Reservation {
    const held = {
      bytes: 0,
      since: performance.now(),
      giveUp,
      set: (bytes: number) => {
        if (!this.#held.has(held)) return;
        if (held.bytes === 0) held.since = performance.now();
        this.#total += bytes - held.bytes;
        held.bytes = bytes;
        while (this.#total > this.#limit) this.#evict();
      },
      release: () => {
        if (this.#held.delete(held)) this.#total -= held.bytes;
      },
    };
    this.#held.add(held);
    return held;
  }

  #evict(): void {
    const now = performance.now();
    const weigh = ({ bytes, since }: { bytes: number; since: number }) => bytes * (now - since + 1);
    let worst: (Reservation & { bytes: number; since: number }) | undefined;
    for (const held of this.#held) if (!worst || weigh(held) > weigh(worst)) worst = held;
    worst?.release();
    worst?.giveUp();
  }
}

/** One per process, because there is one heap. */
export const budget = new Budget(heapShare(1 / 4));

/** Memory of a message while it is served, as a multiple of its bytes: the text at two bytes per character, and its values. */
export const parsedFactor = 4;

/** Largest accepted message: with a small heap, less than the setting allows. */
export function messageLimit(setting: number): number {
  return Math.min(setting, heapShare(1 / 4 / parsedFactor));
}
