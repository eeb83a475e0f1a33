// What a login returned: tokens, and where they are renewed. Some servers accept a refresh token once, so it is renewed under a
// lock of all processes, and stored before it is used.
import type { JsonWebKey } from 'node:crypto';
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
  /** The client logged in as itself: another token needs nobody. */
  readonly isOfClient?: boolean;
  /** Tokens are bound to this key. */
  readonly proofKey?: JsonWebKey | undefined;
}

/** What a person agrees to. */
export interface LoginRequest {
  server: AuthorizationServer;
  client: OAuthClient;
  scopes: readonly string[];
  /** RFC 8707. */
  resource?: string | undefined;
}

export function createGrant(
  { server, client, scopes, resource }: LoginRequest,
  token: AccessToken,
  proofKey?: JsonWebKey,
): OAuthGrant {
  const { issuer, tokenEndpoint, authMethods } = server;
  return { server: { issuer, tokenEndpoint, authMethods }, client, scopes, resource, ...token, proofKey };
}

/** Logs in as the client itself, without a person. */
export async function logInAsClient(request: LoginRequest, network: OAuthNetwork): Promise<OAuthGrant> {
  const token = await requestToken(request.server, request.client, clientForm(request), network);
  return { ...createGrant(request, token), isOfClient: true };
}

function clientForm({ scopes, resource }: Pick<LoginRequest, 'scopes' | 'resource'>) {
  return { grant_type: 'client_credentials', scope: scopes.join(' ') || undefined, resource };
}

/** A stored grant. */
export interface GrantRecord {
  read(): Promise<OAuthGrant>;
  /** Changes it while no other process does; `change` gets the current one. */
  update(change: (current: OAuthGrant) => Promise<OAuthGrant>): Promise<OAuthGrant>;
}

/** With an access token that is valid now. `refused`: one that the server did not accept, although it is not expired. */
export async function useGrant(record: GrantRecord, network: OAuthNetwork, refused?: string): Promise<OAuthGrant> {
  const known = await record.read();
  if (isUsable(known, refused)) return known;
  return record.update(async (current) =>
    // Another process may have renewed it meanwhile.
    isUsable(current, refused) ? current : { ...current, ...(await renew(current, network)) },
  );
}

function isUsable({ accessToken, expiresAt = Number.POSITIVE_INFINITY }: OAuthGrant, refused?: string): boolean {
  return accessToken !== refused && expiresAt > Date.now() + marginMs;
}

async function renew(grant: OAuthGrant, network: OAuthNetwork): Promise<AccessToken> {
  const { server, client, refreshToken, resource, proofKey, isOfClient } = grant;
  if (refreshToken === undefined && !isOfClient)
    throw new LoreError('forbidden', 'Cannot use the login: it has expired');
  const form = isOfClient ? clientForm(grant) : { grant_type: 'refresh_token', refresh_token: refreshToken, resource };
  const token = await requestToken(server, client, form, network, proofKey);
  return { expiresAt: undefined, ...token };
}
