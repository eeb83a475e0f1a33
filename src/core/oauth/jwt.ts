// Signed tokens of our own (RFC 7515): with them a client proves who it is, or that it has a key.
import type { JsonWebKey, KeyObject } from 'node:crypto';
import { loadCrypto } from '../crypto.ts';
import { LoreError } from '../error.ts';

export type JwtClaims = { readonly [claim: string]: unknown };

/** PEM, or JWK. */
export function readPrivateKey(key: string | JsonWebKey): KeyObject {
  try {
    return loadCrypto().createPrivateKey(typeof key === 'string' ? key : { key, format: 'jwk' });
  } catch {
    throw new LoreError('invalid_input', 'Cannot use the key of the client: expected a private key in PEM');
  }
}

export function signJwt(key: KeyObject, claims: JwtClaims, header: JwtClaims = {}): string {
  const parts = [
    { alg: algorithmOf(key), typ: 'JWT', ...header },
    { iat: Math.floor(Date.now() / 1000), ...claims },
  ];
  const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const signature = loadCrypto().sign(hash, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string {
  if (type === 'rsa') return 'RS256';
  if (type === 'ed25519') return 'EdDSA';
  if (type === 'ec' && details?.namedCurve === 'prime256v1') return 'ES256';
  throw new LoreError('invalid_input', 'Cannot use the key of the client: expected RSA, Ed25519 or P-256');
}
