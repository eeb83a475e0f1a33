// An authorization server and its metadata (RFC 8414, OpenID Connect discovery).
import { LoreError } from '../error.ts';
import { checkEndpoint, getJson, type OAuthNetwork } from './network.ts';

export interface AuthorizationServer {
  /** Set if its metadata was read: then its responses have to come from it (RFC 9207). */
  readonly issuer?: string | undefined;
  readonly tokenEndpoint: string;
  readonly authorizationEndpoint?: string | undefined;
  readonly deviceEndpoint?: string | undefined;
  readonly registrationEndpoint?: string | undefined;
  /** The public keys that check its signatures. */
  readonly keysEndpoint?: string | undefined;
  readonly introspectionEndpoint?: string | undefined;
  /** Every response has the issuer. */
  readonly sendsIssuer?: boolean;
  /** The address of a document can be the id of a client. */
  readonly readsClientDocument?: boolean;
  /** Undefined if the metadata does not say. */
  readonly challengeMethods?: readonly string[] | undefined;
  readonly authMethods?: readonly string[] | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly grantTypes?: readonly string[] | undefined;
  /** For tokens that are bound to a key. */
  readonly proofAlgorithms?: readonly string[] | undefined;
}

/** Undefined if no address of RFC 8414 and OpenID Connect answers. */
export async function discoverServer(issuer: string, network: OAuthNetwork): Promise<AuthorizationServer | undefined> {
  const { origin, pathname } = checkEndpoint(issuer, 'issuer');
  const path = pathname.replace(/\/$/, '');
  const candidates = [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
  for (const candidate of new Set(candidates)) {
    const found = await readServer(candidate, network, issuer);
    if (found) return found;
  }
  return undefined;
}

/** Reads metadata from its own address. The issuer must be the expected one, or the one that this address belongs to. */
export async function readServer(
  address: string,
  network: OAuthNetwork,
  expected?: string,
): Promise<AuthorizationServer | undefined> {
  const { status, body } = await getJson(address, network);
  if (status !== 200 || typeof body.token_endpoint !== 'string') return undefined;
  const issuer = text(body.issuer) ?? '';
  const isExpected =
    expected === undefined
      ? new URL(address).origin === checkEndpoint(issuer, 'issuer').origin
      : issuer.replace(/\/$/, '') === expected.replace(/\/$/, '');
  if (!isExpected)
    throw new LoreError('forbidden', `Cannot trust "${address}": it describes the server "${issuer.slice(0, 200)}"`);
  const endpoint = (name: string) => {
    const value = text(body[name]);
    return value && checkEndpoint(value, name.replaceAll('_', ' ')).href;
  };
  return {
    issuer,
    tokenEndpoint: endpoint('token_endpoint') as string,
    authorizationEndpoint: endpoint('authorization_endpoint'),
    deviceEndpoint: endpoint('device_authorization_endpoint'),
    registrationEndpoint: endpoint('registration_endpoint'),
    keysEndpoint: endpoint('jwks_uri'),
    introspectionEndpoint: endpoint('introspection_endpoint'),
    sendsIssuer: body.authorization_response_iss_parameter_supported === true,
    readsClientDocument: body.client_id_metadata_document_supported === true,
    challengeMethods: texts(body.code_challenge_methods_supported),
    authMethods: texts(body.token_endpoint_auth_methods_supported),
    scopes: texts(body.scopes_supported),
    grantTypes: texts(body.grant_types_supported),
    proofAlgorithms: texts(body.dpop_signing_alg_values_supported),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function texts(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}
