// A login on another device (RFC 8628): a person enters a short code there, while this process asks whether it happened.
import { setTimeout as pause } from 'node:timers/promises';
import { LoreError } from '../error.ts';
import { createGrant, type LoginRequest, type OAuthGrant } from './grant.ts';
import { checkEndpoint, describeRefusal, type OAuthNetwork, postForm } from './network.ts';
import { askForToken, readToken } from './token.ts';

export interface DeviceCode {
  readonly code: string;
  /** Where a person enters it; `direct` has the code in it. */
  readonly address: string;
  readonly direct?: string;
}

export interface DeviceLogin extends LoginRequest {
  show(code: DeviceCode): void;
  /** Default: a timer. */
  wait?(ms: number, signal?: AbortSignal): Promise<unknown>;
}

const defaults = { intervalMs: 5_000, expiresMs: 15 * 60_000 };

export async function logInOnDevice(login: DeviceLogin, network: OAuthNetwork): Promise<OAuthGrant> {
  const { server, client, scopes, resource, wait = (ms, signal) => pause(ms, undefined, { signal }) } = login;
  const asked = { client_id: client.id, scope: scopes.join(' ') || undefined, resource };
  const form = Object.entries(asked).filter((field): field is [string, string] => field[1] !== undefined);
  const started = await postForm(server.deviceEndpoint ?? '', new URLSearchParams(form), [], network);
  const { device_code: device, interval, expires_in: expires } = started.body;
  if (started.status !== 200 || typeof device !== 'string')
    throw new LoreError('forbidden', `Cannot log in: the server refused (${describeRefusal(started)})`);
  login.show(readCode(started.body));
  let everyMs = typeof interval === 'number' ? interval * 1000 : defaults.intervalMs;
  let leftMs = typeof expires === 'number' ? expires * 1000 : defaults.expiresMs;
  const grantType = 'urn:ietf:params:oauth:grant-type:device_code';
  for (; leftMs > 0; leftMs -= Math.max(everyMs, 1_000)) {
    await wait(everyMs, network.signal);
    const response = await askForToken(server, client, { grant_type: grantType, device_code: device }, network);
    const token = readToken(response);
    if (token) return createGrant(login, token);
    const error = describeRefusal(response);
    if (error === 'slow_down') everyMs += 5_000;
    else if (error !== 'authorization_pending')
      throw new LoreError('forbidden', `Cannot log in: the server refused (${error})`);
  }
  throw new LoreError('timeout', 'Cannot log in: nobody entered the code in time');
}

/** The code is printed: it must not control the terminal. */
function readCode({
  user_code: code,
  verification_uri: uri,
  verification_uri_complete: whole,
}: {
  [name: string]: unknown;
}): DeviceCode {
  if (typeof code !== 'string' || !/^[\x20-\x7e]{1,64}$/.test(code) || typeof uri !== 'string')
    throw new LoreError('unavailable', 'Cannot log in: the server returned no code');
  const address = checkEndpoint(uri, 'address of the login page').href;
  if (typeof whole !== 'string') return { code, address };
  return { code, address, direct: checkEndpoint(whole, 'address of the login page').href };
}
