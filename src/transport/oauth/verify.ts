// Verifies access tokens: signed ones (JWT) with the keys of the authorization server, others by asking it (RFC 7662).
import type { CryptoKey, JSONWebKeySet, JWTVerifyGetKey, JWTVerifyOptions, JWTVerifyResult } from 'jose';
import { LoreError } from '../../core/error.ts';
import type { OAuthNetwork } from '../../core/oauth/network.ts';
import { getJson } from '../../core/oauth/network.ts';
import { type AuthorizationServer, discoverServer } from '../../core/oauth/server.ts';
import { askForToken } from '../../core/oauth/token.ts';
import type { Claims } from './claims.ts';
import { createKeys } from './keys.ts';

export interface VerifyOptions {
  issuer: string;
  /** The canonical address of this server: tokens for another one are refused. */
  audience: string;
  /** For introspection; empty if all tokens are signed. */
  clientId: string;
  clientSecret: string;
}

/** The reason is ours, and may be sent to the client. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/** Only signatures with a key pair: with others, whoever can check a token can make one. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const clockToleranceS = 5;
/** Of the header; many servers do not follow RFC 9068. Other types, such as those of logouts, are not for access. */
const accessTypes = /^(?:application\/)?(?:at\+)?jwt$/i;

/** Returns the claims. Throws TokenRefused, or `unavailable` if the authorization server is needed and does not answer. */
export function createVerifier({ issuer, audience, clientId, clientSecret }: VerifyOptions) {
  // A person named the server, so it may be in a private network.
  const network: OAuthNetwork = { reachOf: () => 'private' };
  let found: Promise<AuthorizationServer> | undefined;

  function findServer(): Promise<AuthorizationServer> {
    found ??= discoverServer(issuer, network)
      .then((server) => {
        if (server) return server;
        throw new LoreError('unavailable', `Cannot use the authorization server "${issuer}": it has no metadata`);
      })
      .catch((error: unknown) => {
        found = undefined;
        throw error;
      });
    return found;
  }

  const keys = createKeys({ read: readKeys });

  async function readKeys(): Promise<JSONWebKeySet> {
    const { keysEndpoint } = await findServer();
    const { status, body } = keysEndpoint ? await getJson(keysEndpoint, network) : { status: 0, body: {} };
    if (status === 200 && Array.isArray(body.keys)) return body as unknown as JSONWebKeySet;
    throw new LoreError('unavailable', `Cannot use the authorization server "${issuer}": it returned no keys`);
  }

  async function verifySigned(token: string): Promise<Claims> {
    const options = {
      // The server's own spelling, which discovery has compared with the setting.
      issuer: (await findServer()).issuer ?? issuer,
      audience,
      algorithms,
      clockTolerance: clockToleranceS,
      requiredClaims: ['exp', 'iss', 'aud'],
    };
    const { payload, protectedHeader } = await keys.use((find) => verifyWith(token, find, options));
    if (!accessTypes.test(protectedHeader.typ ?? 'jwt')) throw new TokenRefused('it is not an access token');
    return payload;
  }

  async function introspect(token: string): Promise<Claims> {
    const server = await findServer();
    if (clientId === '' || server.introspectionEndpoint === undefined) throw new TokenRefused('it is not signed');
    const client = { id: clientId, secret: clientSecret === '' ? undefined : clientSecret };
    const asked = { tokenEndpoint: server.introspectionEndpoint, authMethods: server.authMethods };
    const form = { token, token_type_hint: 'access_token' };
    const { status, body } = await askForToken(asked, client, form, network);
    if (status !== 200) {
      throw new LoreError('unavailable', `Cannot check the token: introspection answered with status ${status}`);
    }
    const now = Date.now() / 1000;
    if (body.active !== true) throw new TokenRefused('it is not active');
    if (![body.aud].flat().includes(audience)) throw new TokenRefused('it is for another audience');
    if (body.iss !== undefined && body.iss !== server.issuer) throw new TokenRefused('another server issued it');
    if (typeof body.exp === 'number' && body.exp + clockToleranceS <= now) throw new TokenRefused('it has expired');
    if (typeof body.nbf === 'number' && body.nbf - clockToleranceS > now) throw new TokenRefused('it is not valid yet');
    return body;
  }

  return async (token: string): Promise<Claims> => {
    if (!/^[\w.~+/=-]+$/.test(token)) throw new TokenRefused('it is malformed');
    if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return introspect(token);
    try {
      return await verifySigned(token);
    } catch (error) {
      const reason = error instanceof TokenRefused ? error.message : explain(error);
      throw reason === undefined ? error : new TokenRefused(reason);
    }
  };
}

/** A token that does not name its key is tried with each that fits. */
async function verifyWith(token: string, keys: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<JWTVerifyResult> {
  const { errors, jwtVerify } = await import('jose');
  try {
    return await jwtVerify(token, keys, options);
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    let failure: unknown = error;
    for await (const key of error as AsyncIterable<CryptoKey>) {
      try {
        return await jwtVerify(token, key, options);
      } catch (wrong) {
        if (!(wrong instanceof errors.JWSSignatureVerificationFailed)) throw wrong;
        failure = wrong;
      }
    }
    throw failure;
  }
}

/** By the codes of jose; undefined if the token is not the cause. */
function explain(error: unknown): string | undefined {
  const { code, claim } = error as { code?: unknown; claim?: unknown };
  if (typeof code !== 'string' || !code.startsWith('ERR_J')) return undefined;
  if (code === 'ERR_JWT_EXPIRED') return 'it has expired';
  if (claim === 'aud') return 'it is for another audience';
  if (claim === 'iss') return 'another server issued it';
  if (claim === 'nbf') return 'it is not valid yet';
  if (code === 'ERR_JOSE_ALG_NOT_ALLOWED') return 'its algorithm is not accepted';
  return code.startsWith('ERR_JWT_CLAIM') ? 'a claim is missing or wrong' : 'its signature is not valid';
}
