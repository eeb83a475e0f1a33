// Security requirements of an operation: alternatives, each a list of schemes that are all needed.
import { LoreError } from '../../../core/error.ts';
import { type ApiDocument, asList, asObject, asText, type JsonObject } from './document.ts';
import type { Resolver } from './resolver.ts';

export interface SecurityScheme {
  /** Its name in the document. */
  readonly id: string;
  readonly kind: 'apiKey' | 'basic' | 'bearer' | 'oauth2' | 'unsupported';
  /** The place and name of an API key. */
  readonly in?: 'header' | 'query' | 'cookie';
  readonly name?: string;
  /** Where client credentials are exchanged for a token. */
  readonly tokenUrl?: string;
  /** The login of a person. */
  readonly login?: SchemeLogin;
}

export interface SchemeLogin {
  /** The address of the server's metadata, or its endpoints. */
  readonly metadata?: string;
  readonly authorizationUrl?: string;
  readonly deviceUrl?: string;
  readonly tokenUrl?: string;
  /** All that the document names. */
  readonly scopes: readonly string[];
}

export interface NeededScheme {
  readonly scheme: SecurityScheme;
  readonly scopes: readonly string[];
}

export type SecurityAlternative = readonly NeededScheme[];

/** `security: []` and a missing field both mean that no credentials are sent. */
export function readSecurity(
  { root }: ApiDocument,
  resolver: Resolver,
  operation: JsonObject,
): readonly SecurityAlternative[] {
  return asList(operation.security ?? root.security).map((requirement) =>
    Object.entries(asObject(requirement)).map(([id, scopes]) => ({
      scheme: readScheme(id, findSchemes(root)[id], resolver),
      scopes: asList(scopes).map(String),
    })),
  );
}

export function listSchemes({ root }: ApiDocument, resolver: Resolver): SecurityScheme[] {
  return Object.entries(findSchemes(root)).map(([id, node]) => readScheme(id, node, resolver));
}

function findSchemes(root: JsonObject): JsonObject {
  return asObject(root.securityDefinitions ?? asObject(root.components).securitySchemes);
}

function readScheme(id: string, node: unknown, resolver: Resolver): SecurityScheme {
  const read = resolver.follow(node);
  const { type, in: place, name, scheme, flows, tokenUrl } = read;
  const kind = String(type).toLowerCase();
  if (kind === 'apikey' && (place === 'header' || place === 'query' || place === 'cookie'))
    return { id, kind: 'apiKey', in: place, name: asText(name) };
  const http = kind === 'http' ? String(scheme).toLowerCase() : kind;
  if (http === 'basic' || http === 'bearer') return { id, kind: http };
  const login = readLogin(read);
  if (kind === 'oauth2') {
    const url = asText(asObject(asObject(flows).clientCredentials).tokenUrl);
    // 2.0 has one flow, whose address may be meant for a login.
    const own = url || (read.flow === 'accessCode' ? '' : asText(tokenUrl));
    return { id, kind: 'oauth2', ...(own !== '' && { tokenUrl: own }), ...(login && { login }) };
  }
  // The token is used as a bearer token, however it was obtained.
  return { id, kind: kind === 'openidconnect' ? 'bearer' : 'unsupported', ...(login && { login }) };
}

/** Of 2.0, 3.x and OpenID Connect. */
function readLogin(read: JsonObject): SchemeLogin | undefined {
  const metadata = asText(read.openIdConnectUrl) || asText(read.oauth2MetadataUrl);
  const flows = asObject(read.flows);
  const code = read.flow === 'accessCode' ? read : asObject(flows.authorizationCode);
  const device = asObject(flows.deviceAuthorization);
  const authorizationUrl = asText(code.authorizationUrl);
  const deviceUrl = asText(device.deviceAuthorizationUrl);
  if (metadata === '' && authorizationUrl === '' && deviceUrl === '') return undefined;
  return {
    ...(metadata !== '' && { metadata }),
    ...(authorizationUrl !== '' && { authorizationUrl }),
    ...(deviceUrl !== '' && { deviceUrl }),
    ...((asText(code.tokenUrl) || asText(device.tokenUrl)) !== '' && {
      tokenUrl: asText(code.tokenUrl) || asText(device.tokenUrl),
    }),
    scopes: [...new Set([code, device].flatMap(({ scopes }) => Object.keys(asObject(scopes))))],
  };
}

/** The first alternative whose schemes all have credentials; empty if the operation needs none. */
export function chooseSecurity(
  alternatives: readonly SecurityAlternative[],
  has: (scheme: SecurityScheme) => boolean,
): SecurityAlternative {
  if (alternatives.length === 0) return [];
  const chosen =
    alternatives.find((needed) => needed.length > 0 && needed.every(({ scheme }) => has(scheme))) ??
    alternatives.find((needed) => needed.length === 0);
  if (chosen) return chosen;
  const names = alternatives.map((needed) => needed.map(({ scheme }) => scheme.id).join(' and '));
  throw new LoreError('forbidden', `Cannot send the request: it needs credentials for ${names.join(', or ')}`);
}
