// Client credentials: exchanges an id and a secret for an access token, which is kept in memory until it expires.
import { hashHex } from '../crypto.ts';
import type { OAuthNetwork } from './network.ts';
import { type AccessToken, type OAuthClient, requestToken, type TokenServer } from './token.ts';

const tokens = new Map<string, AccessToken>();
const mostTokens = 100;
/** Renewed this long before it expires. */
export const marginMs = 30_000;
const defaultMs = 300_000;

export interface ClientRequest {
  server: TokenServer;
  client: OAuthClient;
  scopes: readonly string[];
  resource?: string | undefined;
  /** An access token that was refused. */
  refused?: string | undefined;
}

export async function fetchClientToken(request: ClientRequest, network: OAuthNetwork): Promise<string> {
  const { server, client, scopes, resource, refused } = request;
  const key = hashHex(JSON.stringify([server.tokenEndpoint, client, scopes, resource]));
  const known = tokens.get(key);
  if (known && known.accessToken !== refused && (known.expiresAt ?? 0) > Date.now() + marginMs)
    return known.accessToken;
  const form = { grant_type: 'client_credentials', scope: scopes.join(' ') || undefined, resource };
  const token = await requestToken(server, client, form, network);
  tokens.set(key, { expiresAt: Date.now() + defaultMs, ...token });
  if (tokens.size > mostTokens) tokens.delete(tokens.keys().next().value as string);
  return token.accessToken;
}

/** `id:secret`, as a person enters it. */
export function readClient(text: string): OAuthClient {
  const at = text.indexOf(':');
  return at === -1 ? { id: text } : { id: text.slice(0, at), secret: text.slice(at + 1) };
}
