// Requests that come together, with a clock of their own.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { coalesce } from './coalesce.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createWork() {
  const ends: (() => void)[] = [];
  const work = coalesce(() => new Promise<void>((resolve) => ends.push(resolve)), 50);
  const end = async () => {
    ends.at(-1)?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { work, end, begun: () => ends.length };
}

it('coalesce: runs the first request at once, and later ones together after a while', async () => {
  const { work, end, begun } = createWork();
  work.request();
  expect(begun()).toBe(1);
  await end();
  for (let at = 0; at < 3; at++) work.request();
  await vi.advanceTimersByTimeAsync(49);
  expect(begun()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(begun()).toBe(2);
  await end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun()).toBe(2);
  work.request();
  expect(begun()).toBe(3);
});

it('coalesce: runs again for a request that came while it ran, never twice at a time', async () => {
  const { work, end, begun } = createWork();
  work.request();
  work.request();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun()).toBe(1);
  await end();
  expect(begun()).toBe(2);
});

it('coalesce: flushes requests without a wait, and drops those that are cancelled', async () => {
  const { work, end, begun } = createWork();
  work.request();
  await end();
  work.request();
  const flushed = work.flush();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun()).toBe(2);
  await end();
  await flushed;
  work.request();
  work.cancel();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun()).toBe(2);
});

it('coalesce: survives a failure of the work', async () => {
  let runs = 0;
  const work = coalesce(async () => {
    if (++runs === 1) throw new Error('away');
  }, 50);
  work.request();
  await vi.advanceTimersByTimeAsync(0);
  work.request();
  await vi.advanceTimersByTimeAsync(50);
  expect(runs).toBe(2);
});
