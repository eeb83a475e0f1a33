// What a login returned: tokens, and where they are renewed. Some servers accept a refresh token once, so it is renewed under a
// lock of all processes, and stored before it is used.
import { LoreError } from '../error.ts';
import { marginMs } from './client-credentials.ts';
import type { OAuthNetwork } from './network.ts';
import type { AuthorizationServer } from './server.ts';
import { type AccessToken, type OAuthClient, requestToken, type TokenServer } from './token.ts';

export interface OAuthGrant extends AccessToken {
  readonly server: TokenServer;
  readonly client: OAuthClient;
  readonly scopes: readonly string[];
  readonly resource?: string | undefined;
}

/** What a person agrees to. */
export interface LoginRequest {
  server: AuthorizationServer;
  client: OAuthClient;
  scopes: readonly string[];
  /** RFC 8707. */
  resource?: string | undefined;
}

export function createGrant({ server, client, scopes, resource }: LoginRequest, token: AccessToken): OAuthGrant {
  const { tokenEndpoint, authMethods } = server;
  return { server: { tokenEndpoint, authMethods }, client, scopes, resource, ...token };
}

/** A stored grant. */
export interface GrantRecord {
  read(): Promise<OAuthGrant>;
  /** Changes it while no other process does; `change` gets the current one. */
  update(change: (current: OAuthGrant) => Promise<OAuthGrant>): Promise<OAuthGrant>;
}

/** An access token that is valid now. `refused`: one that the server did not accept, although it is not expired. */
export async function useGrant(record: GrantRecord, network: OAuthNetwork, refused?: string): Promise<string> {
  const known = await record.read();
  if (isUsable(known, refused)) return known.accessToken;
  const renewed = await record.update(async (current) =>
    // Another process may have renewed it meanwhile.
    isUsable(current, refused) ? current : { ...current, ...(await renew(current, network)) },
  );
  return renewed.accessToken;
}

function isUsable({ accessToken, expiresAt = Number.POSITIVE_INFINITY }: OAuthGrant, refused?: string): boolean {
  return accessToken !== refused && expiresAt > Date.now() + marginMs;
}

async function renew(
  { server, client, refreshToken, resource }: OAuthGrant,
  network: OAuthNetwork,
): Promise<AccessToken> {
  if (refreshToken === undefined) throw new LoreError('forbidden', 'Cannot use the login: it has expired');
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, resource };
  const token = await requestToken(server, client, form, network);
  return { expiresAt: undefined, ...token };
}
