// The token endpoint (RFC 6749): how a client proves who it is, and what it gets.
import { LoreError } from '../error.ts';
import { describeRefusal, type OAuthNetwork, type OAuthResponse, postForm } from './network.ts';
import type { AuthorizationServer } from './server.ts';

export interface OAuthClient {
  readonly id: string;
  readonly secret?: string | undefined;
}

export interface AccessToken {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Undefined if the server does not say. */
  readonly expiresAt?: number | undefined;
}

export type TokenServer = Pick<AuthorizationServer, 'tokenEndpoint' | 'authMethods'>;

export async function askForToken(
  { tokenEndpoint, authMethods }: TokenServer,
  { id, secret }: OAuthClient,
  form: { readonly [name: string]: string | undefined },
  network: OAuthNetwork,
): Promise<OAuthResponse> {
  const isBasic = secret !== undefined && (authMethods?.includes('client_secret_basic') ?? true);
  const fields = { ...form, ...(!isBasic && { client_id: id, client_secret: secret }) };
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  const basic = Buffer.from(`${encodeForm(id)}:${encodeForm(secret ?? '')}`).toString('base64');
  const headers = isBasic ? [['authorization', `Basic ${basic}`] as const] : [];
  return postForm(tokenEndpoint, new URLSearchParams(given), headers, network);
}

/** Undefined if the response has none. */
export function readToken({ status, body }: OAuthResponse): AccessToken | undefined {
  const { access_token: accessToken, refresh_token: refreshToken, token_type: type, expires_in: seconds } = body;
  if (status !== 200 || typeof accessToken !== 'string' || !/^[\x21-\x7e]+$/.test(accessToken)) return undefined;
  if (typeof type === 'string' && type.toLowerCase() !== 'bearer')
    throw new LoreError('unavailable', 'Cannot use the token: the server returned one that is not a bearer token');
  const lasts = Number(seconds);
  return {
    accessToken,
    ...(typeof refreshToken === 'string' && { refreshToken }),
    ...(Number.isFinite(lasts) && lasts > 0 && { expiresAt: Date.now() + lasts * 1000 }),
  };
}

export async function requestToken(
  server: TokenServer,
  client: OAuthClient,
  form: { readonly [name: string]: string | undefined },
  network: OAuthNetwork,
): Promise<AccessToken> {
  const response = await askForToken(server, client, form, network);
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
