// This server as an OAuth resource server (RFC 6750, RFC 9728): it accepts tokens that an authorization server issued for it.
// It issues none, reads none from an address, and passes none on.
import type { IncomingMessage } from 'node:http';
import type { Settings } from '../../config/settings.ts';
import type { Caller, CallerScope } from '../../core/call.ts';
import { hashHex } from '../../core/crypto.ts';
import { LoreError } from '../../core/error.ts';
import { isShared } from '../../core/location.ts';
import { describeError, type Log } from '../../core/log.ts';
import { checkEndpoint } from '../../core/oauth/network.ts';
import { keepRecent } from '../../core/recent.ts';
import { identifyCaller } from '../caller.ts';
import type { HttpRefusal } from '../guard.ts';
import { type Claims, meanings, scopeNames, toCaller } from './claims.ts';
import { createVerifier, TokenRefused } from './verify.ts';

export interface ResourceServer {
  /** The host by which clients know this server. */
  readonly host: string;
  /** The metadata of RFC 9728 at its addresses. */
  readonly documents: { readonly [path: string]: string };
  /** Refuses the request, or notes its caller. A promise unless the token was verified shortly before. */
  identify(request: IncomingMessage): HttpRefusal | undefined | Promise<HttpRefusal | undefined>;
}

/** Times are by the clock of the day, like the token's. */
interface Verified {
  caller: Caller;
  expiresAt: number;
  /** It is not checked again before. */
  until: number;
}

const wellKnown = '/.well-known/oauth-protected-resource';
/** A revoked token is accepted this long. */
const cacheMs = 60_000;
const maxCached = 10_000;
/** Agents read and write; whoever administers asks for more. */
const usualScopes: readonly CallerScope[] = ['read', 'write'];

type OAuthSettings = Pick<
  Settings,
  'db' | 'oauth_issuer' | 'oauth_resource' | 'oauth_client_id' | 'oauth_client_secret' | 'oauth_claims'
>;

/** Undefined if the settings name no authorization server. */
export function createResourceServer(values: OAuthSettings, log: Log): ResourceServer | undefined {
  const { oauth_issuer: issuer, oauth_resource: audience, oauth_claims: names } = values;
  if (issuer === '') return undefined;
  const { origin, pathname, host } = checkSettings(values);
  const path = pathname.replace(/\/$/, '');
  const metadata = `${origin}${wellKnown}${path}`;
  const verify = createVerifier({
    issuer,
    audience,
    clientId: values.oauth_client_id,
    clientSecret: values.oauth_client_secret,
  });
  const document = JSON.stringify({
    resource: audience,
    authorization_servers: [issuer],
    // Some clients ask for all of them: one for administration is asked for when a call needs it.
    scopes_supported: usualScopes.map((scope) => scopeNames[scope]),
    bearer_methods_supported: ['header'],
    resource_name: 'Lorekeeper',
  });
  const verified = new Map<string, Verified>();
  const verifying = new Map<string, Promise<Verified>>();

  function refuse(status: number, reason: string, error?: string, scopes = usualScopes): HttpRefusal {
    return { status, reason, headers: { 'WWW-Authenticate': challenge(scopes, error) } };
  }

  function challenge(scopes: readonly CallerScope[], error?: string): string {
    const parts = {
      ...(error !== undefined && { error }),
      scope: scopes.map((scope) => scopeNames[scope]).join(' '),
      resource_metadata: metadata,
    };
    const written = Object.entries(parts).map(([name, value]) => `${name}="${value}"`);
    return `Bearer ${written.join(', ')}`;
  }

  function accept(request: IncomingMessage, { caller, expiresAt }: Verified): HttpRefusal | undefined {
    const all = Object.keys(scopeNames) as CallerScope[];
    const stepUp = (scope: CallerScope) => ({
      'WWW-Authenticate': challenge(all.slice(0, all.indexOf(scope) + 1), 'insufficient_scope'),
    });
    identifyCaller(request, { caller, stepUp, expiresAt });
    if (caller.scopes.length > 0) return undefined;
    return refuse(403, `Forbidden: the token lacks the scope "${scopeNames.read}".`, 'insufficient_scope');
  }

  async function check(key: string, token: string): Promise<Verified> {
    const claims = await verify(token);
    const caller = toCaller(claims, names);
    if (typeof caller === 'string') throw new TokenRefused(caller);
    const expiresAt = expiryOf(claims);
    const one = { caller, expiresAt, until: Math.min(expiresAt, Date.now() + cacheMs) };
    keepRecent(verified, key, one, maxCached);
    return one;
  }

  function checkOnce(key: string, token: string): Promise<Verified> {
    const checking = verifying.get(key) ?? check(key, token).finally(() => verifying.delete(key));
    verifying.set(key, checking);
    return checking;
  }

  function explain(error: unknown): HttpRefusal {
    if (error instanceof TokenRefused)
      return refuse(401, `Unauthorized: cannot accept the token: ${error.message}.`, 'invalid_token');
    log.error('token_not_checked', describeError(error));
    const reason =
      'Service unavailable: the token cannot be checked, because the authorization server does not answer.';
    return { status: 503, reason, headers: { 'Retry-After': '5' } };
  }

  return {
    host,
    documents: { [wellKnown]: document, [`${wellKnown}${path}`]: document },
    identify(request) {
      const [, token] = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '') ?? [];
      if (token === undefined)
        return refuse(401, 'Unauthorized: send an access token as "Authorization: Bearer <token>".');
      const key = hashHex(token);
      const known = verified.get(key);
      if (known && known.until > Date.now()) return accept(request, known);
      return checkOnce(key, token).then((one) => accept(request, one), explain);
    },
  };
}

function checkSettings({ db, oauth_resource, oauth_issuer, oauth_claims }: OAuthSettings): URL {
  if (oauth_claims.tenant !== undefined && !isShared(db)) {
    throw new LoreError('invalid_input', 'Cannot use the setting oauth_claims: tenants need a PostgreSQL database', {
      hint: 'Set LORE_DB to its postgres:// address.',
    });
  }
  const wrong = Object.keys(oauth_claims).find((name) => !(meanings as readonly string[]).includes(name));
  if (wrong !== undefined) {
    throw new LoreError('invalid_input', `Cannot use the setting oauth_claims: "${wrong}" has no meaning`, {
      hint: `It has ${meanings.join(', ')}, each with the name of a claim.`,
    });
  }
  checkEndpoint(oauth_issuer, 'setting oauth_issuer');
  if (oauth_resource !== '') return checkEndpoint(oauth_resource, 'setting oauth_resource');
  throw new LoreError('invalid_input', 'Cannot use the settings: oauth_issuer needs oauth_resource', {
    hint: 'Set oauth_resource to the address of this server, such as https://lore.example.com/mcp.',
  });
}

function expiryOf({ exp }: Claims): number {
  return typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY;
}
