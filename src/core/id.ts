// Ids that sort by time: milliseconds in base 36, then randomness. `prefix_` says what kind of thing an id names.
import { loadCrypto } from './crypto.ts';

export function createId(prefix: string): string {
  return `${prefix}_${Date.now().toString(36)}${loadCrypto().randomBytes(8).toString('hex')}`;
}

/** An id that also serves as a bearer token: nothing about it can be guessed. */
export function createSecretId(): string {
  return loadCrypto().randomBytes(24).toString('base64url');
}
