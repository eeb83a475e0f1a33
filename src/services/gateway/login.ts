// The login to a mounted server over HTTP: its own description of where to log in, the tokens that are stored, and the header that
// a request gets. One set of tokens serves all processes, and goes only to the origin of the mount.
import type { HttpUpstream } from '../../client/http-wire.ts';
import type { Credential, CredentialStore } from '../../core/credential.ts';
import { LoreError } from '../../core/error.ts';
import { exchangeIdentity, type IdentityProvider, logInWithAssertion } from '../../core/oauth/assertion.ts';
import { type BrowserLogin, logInWithBrowser } from '../../core/oauth/browser-login.ts';
import { logInAsClient, type OAuthGrant, useGrant } from '../../core/oauth/grant.ts';
import type { OAuthNetwork } from '../../core/oauth/network.ts';
import { writeProof } from '../../core/oauth/proof.ts';
import { chooseClient } from '../../core/oauth/register.ts';
import { discoverResource, readChallenge } from '../../core/oauth/resource.ts';
import { type AuthorizationServer, discoverServer } from '../../core/oauth/server.ts';
import type { OAuthClient } from '../../core/oauth/token.ts';
import { send } from '../../core/outgoing/send.ts';
import { type Mount, originOf } from './mount/mount.ts';

const loginName = 'oauth';
/** A person named the server, and logs in where it says. */
const network: OAuthNetwork = { reachOf: () => 'private' };

export interface MountLogin extends Pick<BrowserLogin, 'show' | 'pasted' | 'port'> {
  /** Not needed if the server registers clients. */
  client?: OAuthClient | undefined;
  /** The address of a document that describes the client; used where the server reads such documents. */
  document?: string | undefined;
  /** Default: those that the server asks for. */
  scopes?: readonly string[] | undefined;
  /** As the client itself, without a person. Default: if the server offers nothing else. */
  isClient?: boolean | undefined;
  /** A token of another issuer, which says who asks; also without a person. */
  assertion?: string | undefined;
  /** Where the assertion is exchanged for one that the server accepts. */
  provider?: IdentityProvider | undefined;
}

export async function logInToMount(credentials: CredentialStore, mount: Mount, login: MountLogin): Promise<void> {
  const { url = '', name } = mount;
  if (mount.command)
    throw new LoreError('invalid_input', `Cannot log in to "${name}": it is a program, which logs in itself`);
  const challenge = await readOwnChallenge(url);
  const resource = await discoverResource(url, network, challenge?.metadata);
  const { origin } = new URL(url);
  const [issuer = origin] = resource?.servers ?? [];
  // Servers of revision 2025-03-26 need no metadata.
  const server = (await discoverServer(issuer, network)) ?? (resource ? undefined : usualServer(origin));
  if (!server)
    throw new LoreError('unavailable', `Cannot log in to "${name}": "${issuer}" does not describe its logins`);
  const scopes = login.scopes ?? withRefresh(challenge?.scopes ?? resource?.scopes ?? [], server);
  const grant = await requestGrant(server, { ...login, scopes }, resource?.resource ?? url);
  await credentials.put(name, { name: loginName, origin: originOf(mount), grant });
}

function usualServer(origin: string): AuthorizationServer {
  const [authorize, token, register] = ['authorize', 'token', 'register'].map((path) => `${origin}/${path}`);
  return { tokenEndpoint: token as string, authorizationEndpoint: authorize, registrationEndpoint: register };
}

/** Some servers issue refresh tokens only for this scope. */
function withRefresh(scopes: readonly string[], { scopes: known = [] }: AuthorizationServer): readonly string[] {
  return known.includes(refreshScope) ? [...new Set([...scopes, refreshScope])] : scopes;
}

const refreshScope = 'offline_access';

async function requestGrant(
  server: AuthorizationServer,
  login: MountLogin & { scopes: readonly string[] },
  resource: string,
): Promise<OAuthGrant> {
  const { client, scopes, assertion, provider, document, pasted } = login;
  const { grantTypes = [personal] } = server;
  const hasSecret = client?.secret !== undefined || client?.key !== undefined;
  if (client && assertion !== undefined) {
    const request = { server, client, scopes, resource };
    const accepted = provider ? await exchangeIdentity(provider, assertion, request, network) : assertion;
    return logInWithAssertion(request, accepted, network);
  }
  if (client && (login.isClient ?? (hasSecret && !grantTypes.includes(personal))))
    return logInAsClient({ server, client, scopes, resource }, network);
  if (login.isClient || assertion !== undefined)
    throw new LoreError('invalid_input', 'Cannot log in without a person: the id of a client is missing');
  return logInWithBrowser(
    {
      server,
      scopes,
      client: (redirectUri) => chooseClient(server, { known: client, document, scopes }, redirectUri, network),
      resource,
      canProve: true,
      show: login.show,
      port: login.port,
      ...(pasted && { pasted }),
    },
    network,
  );
}

/** The grant of a login with a browser. */
const personal = 'authorization_code';

async function readOwnChallenge(url: string) {
  const { origin, pathname, search } = new URL(url);
  const headers = [
    ['content-type', 'application/json'],
    ['accept', 'application/json, text/event-stream'],
  ] as const;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'ping' });
  const request = { method: 'POST', origin, target: pathname + search, headers, body };
  const response = await send(request, { reach: 'private', timeoutMs: 20_000, maxBytes: 1 << 20 });
  return readChallenge(response.headers['www-authenticate']);
}

/** The token of a login as headers, and how it is renewed; nothing if nobody has logged in. */
export function authorizeMount(
  credentials: CredentialStore,
  mount: Mount,
): Required<Pick<HttpUpstream, 'headers' | 'answered' | 'renew'>> {
  const { name } = mount;
  let used: OAuthGrant | undefined;
  let nonce: string | undefined;
  const find = async (): Promise<Credential | undefined> =>
    (await credentials.list(name)).find((one) => one.name === loginName && one.origin === originOf(mount));
  const renew = async (refused?: string): Promise<OAuthGrant | undefined> => {
    const credential = await find();
    if (!credential?.grant) return undefined;
    const grant = credential.grant;
    const record = {
      read: async () => grant,
      update: async (change: (current: OAuthGrant) => Promise<OAuthGrant>) => {
        const changed = await credentials.update(name, loginName, async (current) => ({
          ...current,
          grant: await change(current.grant as OAuthGrant),
        }));
        return changed.grant as OAuthGrant;
      },
    };
    return useGrant(record, network, refused).catch((error: unknown) => {
      throw error instanceof LoreError ? loginError(mount, error.message) : error;
    });
  };
  return {
    async headers(request) {
      used = await renew();
      if (used === undefined) return [];
      const { accessToken: token, isBound, proofKey } = used;
      if (!isBound || !proofKey) return [['authorization', `Bearer ${token}`]];
      return [
        ['authorization', `DPoP ${token}`],
        ['dpop', writeProof(proofKey, { ...request, token, nonce })],
      ];
    },
    answered(headers) {
      nonce = headers['dpop-nonce']?.toString() ?? nonce;
    },
    async renew(challenge) {
      const asked = readChallenge(challenge);
      if (asked?.error === 'use_dpop_nonce' && used?.isBound) return nonce !== undefined;
      if (asked?.error === 'insufficient_scope') throw scopeError(mount, used?.scopes ?? [], asked.scopes ?? []);
      if (used === undefined) throw loginError(mount, `Cannot use "${name}": the server requires a login`);
      const refused = used.accessToken;
      used = await renew(refused);
      return used !== undefined && used.accessToken !== refused;
    },
  };
}

/** A person can log in, and then repeat what failed. */
export class LoginNeeded extends LoreError {
  /** Undefined: those that the server asks for. */
  readonly scopes: readonly string[] | undefined;
  constructor(message: string, hint: string, scopes?: readonly string[]) {
    super('forbidden', message, { hint });
    this.scopes = scopes;
  }
}

function loginError({ name }: Mount, message: string, scopes?: readonly string[]): LoginNeeded {
  const more = scopes ? ` --scopes "${scopes.join(' ')}"` : '';
  return new LoginNeeded(message, `A person can log in: lore mount login ${name}${more}`, scopes);
}

/** A login covers what earlier ones covered, too. */
function scopeError(mount: Mount, had: readonly string[], wanted: readonly string[]): LoreError {
  const message = `Cannot use "${mount.name}": the login does not cover this call`;
  const missing = wanted.filter((scope) => !had.includes(scope));
  if (missing.length > 0) return loginError(mount, message, [...had, ...missing]);
  // Another login with the same scopes would end here again.
  return new LoreError('forbidden', message, {
    hint: `The user who logged in lacks a right. Log in as another: lore mount login ${mount.name}`,
  });
}
