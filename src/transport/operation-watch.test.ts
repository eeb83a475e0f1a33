// Following an operation: one query for all followers, and none without followers.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { App } from '../app.ts';
import { OperationWatch } from './operation-watch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('polls once for all followers, reports only changes, and stops with the last one', async () => {
  let looks = 0;
  let done = 0;
  const operations = {
    get: async (id: string) => {
      looks++;
      return { id, done };
    },
  };
  const watch = new OperationWatch({ open: async () => ({ operations }) } as unknown as App['graph']);
  const heard: string[] = [];
  const leave = ['a', 'b', 'c'].map((name) => watch.follow('op_1', () => heard.push(name)));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toBeLessThanOrEqual(21);
  expect(heard).toEqual(['a', 'b', 'c']);
  done = 1;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(heard).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  for (const stop of leave) stop();
  const before = looks;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toBe(before);
});
