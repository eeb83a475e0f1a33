// Randomness that can be repeated: each case has a generator of its own, made of the run's seed and the case's number.

export interface Random {
  /** A whole number from 0 up to, but not including, `below`. */
  int(below: number): number;
  pick<T>(list: readonly T[]): T;
  /** True with this probability. */
  chance(probability: number): boolean;
  bytes(length: number): Buffer;
  /** Letters and digits. */
  word(length: number): string;
}

export function createRandom(seed: number, caseNumber: number): Random {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(caseNumber + 1, 0xc2b2ae35)) >>> 0;

  // mulberry32
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  const int = (below: number) => Math.floor(next() * below);
  return {
    int,
    pick: <T>(list: readonly T[]) => list[int(list.length)] as T,
    chance: (probability) => next() < probability,
    bytes: (length) => Buffer.from(Array.from({ length }, () => int(256))),
    word: (length) => Array.from({ length }, () => int(36).toString(36)).join(''),
  };
}
