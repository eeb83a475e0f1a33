// Logins with a token of another issuer, without a browser: the identity of a workload, or that of a person whose company manages the
// access to its servers.
import { LoreError } from '../error.ts';
import { createGrant, type LoginRequest, type OAuthGrant } from './grant.ts';
import { describeRefusal, type OAuthNetwork } from './network.ts';
import { askForToken, type OAuthClient, requestToken } from './token.ts';

const kinds = 'urn:ietf:params:oauth:token-type';

/** RFC 7523. The assertion is used once, so nobody can renew the login. */
export async function logInWithAssertion(
  request: LoginRequest,
  assertion: string,
  network: OAuthNetwork,
): Promise<OAuthGrant> {
  const { server, client, scopes, resource } = request;
  const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const form = { grant_type: grantType, assertion, scope: scopes.join(' ') || undefined, resource };
  return createGrant(request, await requestToken(server, client, form, network));
}

/** The provider that knows who somebody is. */
export interface IdentityProvider {
  readonly tokenEndpoint: string;
  readonly client: OAuthClient;
}

/** Exchanges the id token of a person for an assertion that the server accepts (RFC 8693). */
export async function exchangeIdentity(
  { tokenEndpoint, client }: IdentityProvider,
  idToken: string,
  { server, resource }: Pick<LoginRequest, 'server' | 'resource'>,
  network: OAuthNetwork,
): Promise<string> {
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: `${kinds}:id-jag`,
    subject_token: idToken,
    subject_token_type: `${kinds}:id_token`,
    audience: server.issuer,
    resource,
  };
  const response = await askForToken({ tokenEndpoint }, client, form, network);
  // Its type is none of those that can be sent with a request.
  const { access_token: assertion } = response.body;
  if (response.status === 200 && typeof assertion === 'string') return assertion;
  throw new LoreError('forbidden', `Cannot exchange the identity: ${describeRefusal(response)}`);
}
