// The token endpoint (RFC 6749): how a client proves who it is, and what it gets.
import type { JsonWebKey } from 'node:crypto';
import { loadCrypto } from '../crypto.ts';
import { LoreError } from '../error.ts';
import { readPrivateKey, signJwt } from './jwt.ts';
import { describeRefusal, type OAuthNetwork, type OAuthResponse, postForm } from './network.ts';
import { writeProof } from './proof.ts';
import type { AuthorizationServer } from './server.ts';

export interface OAuthClient {
  readonly id: string;
  readonly secret?: string | undefined;
  /** A private key in PEM, with which it signs who it is (RFC 7523). */
  readonly key?: string | undefined;
  /** How it proves who it is, if the server said so when it registered the client. */
  readonly authMethod?: string | undefined;
}

export interface AccessToken {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Undefined if the server does not say. */
  readonly expiresAt?: number | undefined;
  /** Each request that carries it needs a proof. */
  readonly isBound?: boolean;
}

export type TokenServer = Pick<AuthorizationServer, 'issuer' | 'tokenEndpoint' | 'authMethods'>;

/** With `proofKey`, for a token that is bound to it. */
export async function askForToken(
  server: TokenServer,
  client: OAuthClient,
  form: { readonly [name: string]: string | undefined },
  network: OAuthNetwork,
  proofKey?: JsonWebKey,
): Promise<OAuthResponse> {
  const { tokenEndpoint: url } = server;
  const post = (nonce?: string) => {
    const { fields, headers } = authenticate(server, client);
    const given = Object.entries({ ...form, ...fields }).filter(
      (field): field is [string, string] => field[1] !== undefined,
    );
    const proof = proofKey ? [['dpop', writeProof(proofKey, { method: 'POST', url, nonce })] as const] : [];
    return postForm(url, new URLSearchParams(given), [...headers, ...proof], network);
  };
  const first = await post();
  return first.nonce !== undefined && first.body.error === 'use_dpop_nonce' ? post(first.nonce) : first;
}

interface ClientProof {
  fields: { readonly [name: string]: string | undefined };
  headers: readonly (readonly [string, string])[];
}

function authenticate({ tokenEndpoint, authMethods, issuer }: TokenServer, client: OAuthClient): ClientProof {
  const { id, secret, key, authMethod } = client;
  if (key !== undefined) {
    const expires = Math.floor(Date.now() / 1000) + assertionSeconds;
    const claims = { iss: id, sub: id, aud: issuer ?? tokenEndpoint, exp: expires, jti: loadCrypto().randomUUID() };
    const fields = {
      client_id: id,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: signJwt(readPrivateKey(key), claims),
    };
    return { fields, headers: [] };
  }
  const method =
    authMethod ?? (authMethods?.includes('client_secret_basic') === false ? 'post' : 'client_secret_basic');
  if (secret === undefined || method !== 'client_secret_basic')
    return { fields: { client_id: id, client_secret: method === 'none' ? undefined : secret }, headers: [] };
  const basic = Buffer.from(`${encodeForm(id)}:${encodeForm(secret)}`).toString('base64');
  return { fields: {}, headers: [['authorization', `Basic ${basic}`]] };
}

const assertionSeconds = 60;

/** Undefined if the response has none. */
export function readToken({ status, body }: OAuthResponse): AccessToken | undefined {
  const { access_token: accessToken, refresh_token: refreshToken, token_type: type, expires_in: seconds } = body;
  if (status !== 200 || typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) return undefined;
  const kind = typeof type === 'string' ? type.toLowerCase() : 'bearer';
  if (kind !== 'bearer' && kind !== 'dpop')
    throw new LoreError('unavailable', 'Cannot use the token: the server returned one that is not a bearer token');
  const lasts = Number(seconds);
  return {
    accessToken,
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(Number.isFinite(lasts) && lasts > 0 && { expiresAt: Date.now() + lasts * 1000 }),
    ...(kind === 'dpop' && { isBound: true }),
  };
}

export async function requestToken(
  server: TokenServer,
  client: OAuthClient,
  form: { readonly [name: string]: string | undefined },
  network: OAuthNetwork,
  proofKey?: JsonWebKey,
): Promise<AccessToken> {
  const response = await askForToken(server, client, form, network, proofKey);
  const token = readToken(response);
  if (token) return token;
  const word = response.status >= 500 ? 'unavailable' : 'forbidden';
  const { host } = new URL(server.tokenEndpoint);
  throw new LoreError(word, `Cannot get a token from "${host}": ${describeRefusal(response)}`, {
    details: { error: describeRefusal(response) },
  });
}

/** RFC 6749 2.3.1: both parts are encoded as in a form. */
function encodeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
