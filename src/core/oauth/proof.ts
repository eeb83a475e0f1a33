// Proof of possession (RFC 9449): a token is bound to a key that never leaves this machine, and each request is signed with it, so that
// a stolen token is useless.
import type { JsonWebKey } from 'node:crypto';
import { loadCrypto } from '../crypto.ts';
import { readPrivateKey, signJwt } from './jwt.ts';

export const proofAlgorithm = 'ES256';

export interface ProvenRequest {
  method: string;
  url: string;
  /** The access token that the request carries. */
  token?: string;
  /** The last one that the server sent. */
  nonce?: string | undefined;
}

export function createProofKey(): JsonWebKey {
  const { privateKey } = loadCrypto().generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ format: 'jwk' });
}

export function writeProof(key: JsonWebKey, { method, url, token, nonce }: ProvenRequest): string {
  const { origin, pathname } = new URL(url);
  const { randomUUID, createHash } = loadCrypto();
  const claims = {
    jti: randomUUID(),
    htm: method,
    htu: origin + pathname,
    ...(token !== undefined && { ath: createHash('sha256').update(token).digest('base64url') }),
    ...(nonce !== undefined && { nonce }),
  };
  const { kty, crv, x, y } = key;
  return signJwt(readPrivateKey(key), claims, { typ: 'dpop+jwt', jwk: { kty, crv, x, y } });
}
