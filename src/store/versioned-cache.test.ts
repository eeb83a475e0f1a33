// What is cache, and when it is read again.
import { expect, it } from 'vitest';
import { createVersionedCache } from './versioned-cache.ts';

function createReading(versions: (number | undefined)[]) {
  let count = 0;
  const cache = createVersionedCache(
    { dataVersion: async () => (versions.length > 1 ? versions.shift() : versions[0]) },
    2,
  );
  return (key = 'a') => cache.get(key, async () => ++count);
}

it('is read once for each version', async () => {
  const read = createReading([1, 1, 2, 2]);
  expect([await read(), await read(), await read(), await read()]).toEqual([1, 1, 2, 2]);
});

it('is read every time without a data version', async () => {
  const read = createReading([undefined]);
  expect([await read(), await read()]).toEqual([1, 2]);
});

it('is cached by key, up to a limit', async () => {
  const read = createReading([1]);
  expect([await read('a'), await read('b')]).toEqual([1, 2]);
  expect(await read('c')).toBe(3);
  expect(await read('a')).toBe(4);
});

it('is dropped if the data changes during the read', async () => {
  let version = 1;
  const cache = createVersionedCache({ dataVersion: async () => version });
  const old = await cache.get('a', async () => {
    version = 2;
    return 'before the change';
  });
  expect(old).toBe('before the change');
  expect(await cache.get('a', async () => 'after it')).toBe('after it');
});
