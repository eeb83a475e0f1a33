// The login of a person to an API: the server that the document names, the client, and the tokens that are stored.
import { LoreError } from '../../core/error.ts';
import { type BrowserLogin, logInWithBrowser } from '../../core/oauth/browser-login.ts';
import { type DeviceLogin, logInOnDevice } from '../../core/oauth/device-login.ts';
import type { OAuthNetwork } from '../../core/oauth/network.ts';
import { chooseClient } from '../../core/oauth/register.ts';
import { type AuthorizationServer, readServer } from '../../core/oauth/server.ts';
import type { OAuthClient } from '../../core/oauth/token.ts';
import type { Forge } from './forge.ts';
import type { SchemeLogin, SecurityScheme } from './openapi/security.ts';
import type { Source } from './source/source.ts';

export interface ForgeLogin {
  source: Source;
  scheme: SecurityScheme;
  /** Not needed if the server registers clients. */
  client?: OAuthClient | undefined;
  /** Default: all that the document names. */
  scopes?: readonly string[] | undefined;
  /** On another device, where the server offers it. */
  isDevice: boolean;
  port?: number | undefined;
  /** Store the tokens in the keychain of the system. */
  isInKeychain?: boolean;
  showAddress: BrowserLogin['show'];
  showCode: DeviceLogin['show'];
  pasted?: BrowserLogin['pasted'];
  signal?: AbortSignal | undefined;
}

export async function logIn(forge: Pick<Forge, 'credentials'>, login: ForgeLogin): Promise<void> {
  const { source, scheme, client, isDevice, isInKeychain } = login;
  const network: OAuthNetwork = { reachOf: () => source.reach, signal: login.signal };
  const server = await findServer(scheme.login as SchemeLogin, source, network);
  const scopes = login.scopes ?? scheme.login?.scopes ?? [];
  const { authorizationEndpoint, deviceEndpoint } = server;
  const useDevice = deviceEndpoint !== undefined && (isDevice || authorizationEndpoint === undefined);
  if (isDevice && !useDevice)
    throw new LoreError('invalid_input', `Cannot log in to "${source.name}": the server offers no device codes`);
  if (useDevice && !client)
    throw new LoreError('invalid_input', 'Cannot log in: a device code needs the id of a client');
  const grant = useDevice
    ? await logInOnDevice({ server, client: client as OAuthClient, scopes, show: login.showCode }, network)
    : await logInWithBrowser(
        {
          server,
          scopes,
          client: (redirectUri) => chooseClient(server, { known: client, scopes }, redirectUri, network),
          port: login.port,
          show: login.showAddress,
          ...(login.pasted && { pasted: login.pasted }),
        },
        network,
      );
  await forge.credentials.put(source.name, {
    name: scheme.id,
    origin: source.origin,
    grant,
    ...(isInKeychain && { isInKeychain }),
  });
}

async function findServer(login: SchemeLogin, source: Source, network: OAuthNetwork): Promise<AuthorizationServer> {
  const base = source.address || source.origin;
  const whole = (address: string | undefined) => (address === undefined ? undefined : new URL(address, base).href);
  const found = login.metadata === undefined ? undefined : await readServer(whole(login.metadata) as string, network);
  if (found) return found;
  const tokenEndpoint = whole(login.tokenUrl);
  if (tokenEndpoint !== undefined)
    return {
      tokenEndpoint,
      authorizationEndpoint: whole(login.authorizationUrl),
      deviceEndpoint: whole(login.deviceUrl),
    };
  throw new LoreError('unavailable', `Cannot log in to "${source.name}": its login server does not describe itself`);
}
