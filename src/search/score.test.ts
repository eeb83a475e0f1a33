// The best of many scores is what sorting all of them would give.
import { expect, it } from 'vitest';
import { runNow } from '../core/steps.ts';
import { Best } from './score.ts';

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

it.each([1, 2, 3, 4, 5])('keeps the best, and of equals the first (seed %d)', (seed) => {
  const random = createRandom(seed);
  for (let round = 0; round < 100; round++) {
    const parts = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
      Float32Array.from({ length: Math.floor(random() * 60) }, () => Math.floor(random() * 12) - 3),
    );
    const count = 1 + Math.floor(random() * 30);
    const best = new Best(count);
    let base = 0;
    for (const part of parts) {
      best.offer(part, base);
      base += part.length;
    }
    const sorted = parts
      .flatMap((part) => [...part])
      .map((score, place) => ({ place, score }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.place - b.place);
    expect(runNow(best.take())).toEqual(sorted.slice(0, count));
  }
});
