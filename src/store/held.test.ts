// What is held, and when it is read again.
import { expect, it } from 'vitest';
import { createHeld } from './held.ts';

function createReading(editions: (number | undefined)[]) {
  let count = 0;
  const held = createHeld({ edition: async () => (editions.length > 1 ? editions.shift() : editions[0]) }, 2);
  return (key = 'a') => held.get(key, async () => ++count);
}

it('is read once for each edition', async () => {
  const read = createReading([1, 1, 2, 2]);
  expect([await read(), await read(), await read(), await read()]).toEqual([1, 1, 2, 2]);
});

it('is read every time where there is none', async () => {
  const read = createReading([undefined]);
  expect([await read(), await read()]).toEqual([1, 2]);
});

it('is kept by its key, and not for all keys there could be', async () => {
  const read = createReading([1]);
  expect([await read('a'), await read('b')]).toEqual([1, 2]);
  expect(await read('c')).toBe(3);
  expect(await read('a')).toBe(4);
});

it('does not outlast a change while it is read', async () => {
  let edition = 1;
  const held = createHeld({ edition: async () => edition });
  const old = await held.get('a', async () => {
    edition = 2;
    return 'before the change';
  });
  expect(old).toBe('before the change');
  expect(await held.get('a', async () => 'after it')).toBe('after it');
});
