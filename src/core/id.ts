// Ids that sort by time: milliseconds in base 36, then random characters. The prefix is the kind.
import { loadCrypto } from './crypto.ts';

export function createId(prefix: string): string {
  return `${prefix}_${Date.now().toString(36)}${loadCrypto().randomBytes(8).toString('hex')}`;
}

/** An id that also serves as a bearer token: it cannot be guessed. */
export function createSecretId(): string {
  return loadCrypto().randomUUID();
}

/** Before the key of a memory, where an id or a question is expected as well. */
export const keyPrefix = 'key:';
