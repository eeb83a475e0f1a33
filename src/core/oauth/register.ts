// Which client logs in: one that a person named, a document that describes it, or one registered on the fly (RFC 7591).
import { LoreError } from '../error.ts';
import { describeRefusal, type OAuthNetwork, postJson } from './network.ts';
import type { AuthorizationServer } from './server.ts';
import type { OAuthClient } from './token.ts';

export interface ClientChoice {
  /** As a person entered it. */
  known?: OAuthClient | undefined;
  /** The https address of a client id metadata document. */
  document?: string | undefined;
  scopes: readonly string[];
}

export function canChooseClient(server: AuthorizationServer, { known, document }: ClientChoice): boolean {
  return (
    known !== undefined ||
    (document !== undefined && server.readsClientDocument === true) ||
    server.registrationEndpoint !== undefined
  );
}

export async function chooseClient(
  server: AuthorizationServer,
  { known, document, scopes }: ClientChoice,
  redirectUri: string,
  network: OAuthNetwork,
): Promise<OAuthClient> {
  if (known) return known;
  if (document !== undefined && server.readsClientDocument) return { id: document };
  const { registrationEndpoint } = server;
  if (registrationEndpoint === undefined)
    throw new LoreError('invalid_input', 'Cannot log in: the server registers no clients, and no client id was given');
  const response = await postJson(
    registrationEndpoint,
    {
      client_name: 'Lorekeeper',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    },
    network,
  );
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = response.body;
  if (response.status >= 300 || typeof id !== 'string')
    throw new LoreError('forbidden', `Cannot register with the server: it refused (${describeRefusal(response)})`);
  return {
    id,
    ...(typeof secret === 'string' && { secret }),
    ...(typeof method === 'string' && { authMethod: method }),
  };
}
