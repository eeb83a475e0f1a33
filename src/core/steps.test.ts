// Long work must not keep others waiting, however many of them there are.
import { describe, expect, it } from 'vitest';
import { runNow, runSoon, type Steps, sortInSteps, yieldTurn } from './steps.ts';

/** Takes as many steps as it needs until `isDone`. */
function* stepUntil<T>(isDone: () => boolean, value: T): Steps<T> {
  while (!isDone()) yield;
  return value;
}

describe('runSoon', () => {
  it('returns the result of short work at once', () => {
    expect(runSoon(stepUntil(() => true, 'a'))).toBe('a');
    expect(runNow(stepUntil(() => true, 'a'))).toBe('a');
  });

  it('runs other work between two slices', async () => {
    let isServed = false;
    setTimeout(() => {
      isServed = true;
    });
    expect(await runSoon(stepUntil(() => isServed, 'done'))).toBe('done');
  });

  it('runs other work between many short tasks', async () => {
    let isServed = false;
    setImmediate(() => {
      isServed = true;
    });
    for (let i = 0; i < 1_000_000 && !isServed; i++) await yieldTurn();
    expect(isServed).toBe(true);
  });

  it('interleaves several long tasks', async () => {
    let first = 0;
    let second = 0;
    await Promise.all([
      runSoon(stepUntil(() => first++ > 10 && second > 10, 1)),
      runSoon(stepUntil(() => second++ > 10 && first > 10, 2)),
    ]);
    expect(Math.min(first, second)).toBeGreaterThan(10);
  });

  it('reports an error at once or later, and continues with the rest', async () => {
    function* fail(isLate: () => boolean): Steps<void> {
      while (!isLate()) yield;
      throw new Error('no');
    }
    expect(() => runSoon(fail(() => true))).toThrow('no');
    let isLate = false;
    setImmediate(() => {
      isLate = true;
    });
    const failing = runSoon(fail(() => isLate));
    await expect(failing).rejects.toThrow('no');
    expect(await runSoon(stepUntil(() => true, 'after'))).toBe('after');
  });
});

describe('sortInSteps', () => {
  it.each([0, 1, 2_000, 2_001, 25_000])('sorts %i items as Array.sort does, equals in their order', (count) => {
    const items = Array.from({ length: count }, (_, place) => ({ key: (place * 7_919) % 1_009, place }));
    const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
    expect(runNow(sortInSteps([...items], compare))).toEqual([...items].sort(compare));
  });
});
