// How many clones run and wait at a time.
import { expect, it } from 'vitest';
import { takeTurn } from './clone-queue.ts';

it('a clone: waits while two run, fails alone, and is refused when thirty wait', async () => {
  let [running, most] = [0, 0];
  const release: (() => void)[] = [];
  const begin = (at: number) =>
    takeTurn('u', async () => {
      most = Math.max(most, ++running);
      await new Promise<void>((resolve) => release.push(resolve));
      running--;
      if (at % 2 === 0) throw new Error('fails');
      return at;
    });
  const begun = Array.from({ length: 33 }, (_, at) => begin(at));
  const ended = Promise.allSettled(begun);
  await expect(begun[32]).rejects.toMatchObject({ word: 'limit_exceeded' });
  while (release.length > 0) {
    release.shift()?.();
    await new Promise(setImmediate);
  }
  const results = await ended;
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
  expect([most, running]).toEqual([2, 0]);
  expect(await takeTurn('u', async () => 'next')).toBe('next');
});
