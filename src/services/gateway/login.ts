// The login to a mounted server over HTTP: its own description of where to log in, the tokens that are stored, and the header that
// a request gets. One set of tokens serves all processes, and goes only to the origin of the mount.
import type { HttpUpstream } from '../../client/http-wire.ts';
import type { Credential, CredentialStore } from '../../core/credential.ts';
import { LoreError } from '../../core/error.ts';
import { type BrowserLogin, logInWithBrowser } from '../../core/oauth/browser-login.ts';
import { type OAuthGrant, useGrant } from '../../core/oauth/grant.ts';
import type { OAuthNetwork } from '../../core/oauth/network.ts';
import { chooseClient } from '../../core/oauth/register.ts';
import { discoverResource, readChallenge } from '../../core/oauth/resource.ts';
import { discoverServer } from '../../core/oauth/server.ts';
import type { OAuthClient } from '../../core/oauth/token.ts';
import { send } from '../../core/outgoing/send.ts';
import { type Mount, originOf } from './mount/mount.ts';

const loginName = 'oauth';
/** A person named the server, and logs in where it says. */
const network: OAuthNetwork = { reachOf: () => 'private' };

export interface MountLogin extends Pick<BrowserLogin, 'show' | 'pasted' | 'port'> {
  /** Not needed if the server registers clients. */
  client?: OAuthClient | undefined;
  /** Default: those that the server asks for. */
  scopes?: readonly string[] | undefined;
}

export async function logInToMount(credentials: CredentialStore, mount: Mount, login: MountLogin): Promise<void> {
  const { url = '', name } = mount;
  if (mount.command)
    throw new LoreError('invalid_input', `Cannot log in to "${name}": it is a program, which logs in itself`);
  const challenge = await readOwnChallenge(url);
  const resource = await discoverResource(url, network, challenge?.metadata);
  const [issuer = new URL(url).origin] = resource?.servers ?? [];
  const server = await discoverServer(issuer, network);
  if (!server)
    throw new LoreError('unavailable', `Cannot log in to "${name}": "${issuer}" does not describe its logins`);
  const scopes = login.scopes ?? challenge?.scopes ?? resource?.scopes ?? [];
  const grant = await logInWithBrowser(
    {
      server,
      scopes,
      client: (redirectUri) => chooseClient(server, { known: login.client, scopes }, redirectUri, network),
      resource: resource?.resource ?? url,
      show: login.show,
      port: login.port,
      ...(login.pasted && { pasted: login.pasted }),
    },
    network,
  );
  await credentials.put(name, { name: loginName, origin: originOf(mount), grant });
}

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

/** The token of a login as a header, and how it is renewed; nothing if nobody has logged in. */
export function authorizeMount(
  credentials: CredentialStore,
  mount: Mount,
): Required<Pick<HttpUpstream, 'headers' | 'renew'>> {
  const { name } = mount;
  let used: string | undefined;
  const find = async (): Promise<Credential | undefined> =>
    (await credentials.list(name)).find((one) => one.name === loginName && one.origin === originOf(mount));
  const renew = async (refused?: string): Promise<string | undefined> => {
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
    async headers() {
      used = await renew();
      return used === undefined ? [] : [['authorization', `Bearer ${used}`]];
    },
    async renew(challenge) {
      const asked = readChallenge(challenge);
      if (asked?.error === 'insufficient_scope') {
        const scopes = asked.scopes?.join(' ') ?? '';
        throw loginError(mount, `Cannot use "${name}": the login does not cover this call`, scopes);
      }
      if (used === undefined) throw loginError(mount, `Cannot use "${name}": the server requires a login`);
      const refused = used;
      used = await renew(refused);
      return used !== undefined && used !== refused;
    },
  };
}

export class LoginNeeded extends LoreError {}

function loginError({ name }: Mount, message: string, scopes = ''): LoginNeeded {
  const more = scopes === '' ? '' : ` --scopes "${scopes}"`;
  return new LoginNeeded('forbidden', message, { hint: `A person can log in: lore mount login ${name}${more}` });
}
