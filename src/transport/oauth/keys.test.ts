// The cache of public keys, with a clock of its own.
import { exportJWK, generateKeyPair, type JSONWebKeySet } from 'jose';
import { expect, it } from 'vitest';
import { createKeys } from './keys.ts';

async function createKey(kid: string) {
  return { ...(await exportJWK((await generateKeyPair('ES256')).publicKey)), kid, alg: 'ES256' };
}

const minute = 60_000;
const token = { payload: '', signature: '' };

it('keys: the last ones apply for ten minutes without the authorization server', async () => {
  const published: JSONWebKeySet = { keys: [await createKey('one')] };
  let reads = 0;
  let isAway = false;
  let now = 0;
  const keys = createKeys({
    now: () => now,
    read: async () => {
      reads++;
      if (isAway) throw new Error('away');
      return published;
    },
  });
  const use = (kid: string) => keys.use((find) => Promise.resolve(find({ alg: 'ES256', kid }, token)));
  await use('one');
  now = 4 * minute;
  await use('one');
  expect(reads).toBe(1);
  isAway = true;
  now = 10 * minute;
  await use('one');
  await expect(use('two')).rejects.toThrow('no applicable key');
  now = 11 * minute;
  await expect(use('one')).rejects.toThrow('away');
  isAway = false;
  now = 12 * minute;
  published.keys.push(await createKey('two'));
  await Promise.all([use('one'), use('two')]);
});
