// What a protected resource says about its authorization: the challenge of a 401 (RFC 6750) and its metadata (RFC 9728).
import { LoreError } from '../error.ts';
import { checkEndpoint, getJson, type OAuthNetwork } from './network.ts';
import { texts } from './server.ts';

export interface BearerChallenge {
  /** The address of the resource's metadata. */
  readonly metadata?: string;
  readonly scopes?: readonly string[];
  readonly error?: string;
}

export interface ProtectedResource {
  /** Names the resource in requests for tokens (RFC 8707). */
  readonly resource: string;
  readonly servers: readonly string[];
  readonly scopes: readonly string[];
}

/** Of the header WWW-Authenticate; undefined if it asks for no token. */
export function readChallenge(header: string | undefined): BearerChallenge | undefined {
  const [found, given] = /(?:^|,)\s*(?:bearer|dpop)(?:\s+(.*))?$/is.exec(header?.slice(0, 4_000) ?? '') ?? [];
  if (found === undefined) return undefined;
  const values = new Map(
    [...(given ?? '').matchAll(/([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi)].map(
      ([, name = '', quoted, plain]) => [name.toLowerCase(), (quoted ?? plain ?? '').replace(/\\(.)/g, '$1')],
    ),
  );
  const [metadata, scope, error] = [values.get('resource_metadata'), values.get('scope'), values.get('error')];
  return {
    ...(metadata !== undefined && { metadata }),
    ...(scope !== undefined && { scopes: scope.split(' ').filter(Boolean) }),
    ...(error !== undefined && { error }),
  };
}

/** From the address that a challenge has, else from the usual ones. Undefined if there is no metadata. */
export async function discoverResource(
  address: string,
  network: OAuthNetwork,
  metadata?: string,
): Promise<ProtectedResource | undefined> {
  const { origin, pathname, href } = checkEndpoint(address, 'address');
  const usual = `${origin}/.well-known/oauth-protected-resource`;
  const candidates = metadata ? [metadata] : [`${usual}${pathname.replace(/\/$/, '')}`, usual];
  for (const candidate of new Set(candidates)) {
    const { status, body } = await getJson(candidate, network);
    if (status !== 200 || typeof body.resource !== 'string') continue;
    if (!covers(body.resource, href))
      throw new LoreError('forbidden', `Cannot trust "${candidate}": it describes another resource than "${href}"`);
    return {
      resource: body.resource,
      servers: texts(body.authorization_servers) ?? [],
      scopes: texts(body.scopes_supported) ?? [],
    };
  }
  return undefined;
}

/** Some servers describe all of their paths at once. */
function covers(resource: string, address: string): boolean {
  if (!URL.canParse(resource)) return false;
  const { origin, pathname } = new URL(resource);
  const path = pathname.endsWith('/') ? pathname : `${pathname}/`;
  const wanted = new URL(address);
  return wanted.origin === origin && `${wanted.pathname}/`.startsWith(path);
}
