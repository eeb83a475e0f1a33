// Requests of the OAuth client: forms and JSON, without redirects, and only over TLS or to this machine.
import { LoreError } from '../error.ts';
import type { Reach } from '../outgoing/connect.ts';
import { type OutgoingRequest, send } from '../outgoing/send.ts';
import { isObject } from '../schema.ts';

export interface OAuthNetwork {
  /** The networks that a server at this origin may be in. */
  reachOf(origin: string): Reach;
  signal?: AbortSignal | undefined;
}

export interface OAuthResponse {
  status: number;
  /** Empty if the response is not a JSON object. */
  body: { [name: string]: unknown };
  /** For the next proof of possession. */
  nonce?: string;
}

const limits = { timeoutMs: 20_000, maxBytes: 200_000, redirects: 0 };

/** Throws `invalid_input` unless it is https, or http on this machine. */
export function checkEndpoint(address: string, what: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isLocal = url?.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url && (url.protocol === 'https:' || isLocal) && url.username === '' && url.hash === '') return url;
  throw new LoreError('invalid_input', `Cannot use the ${what} "${address.slice(0, 200)}": expected an https address`);
}

export async function postForm(
  address: string,
  form: URLSearchParams,
  headers: readonly (readonly [string, string])[],
  network: OAuthNetwork,
): Promise<OAuthResponse> {
  const type = ['content-type', 'application/x-www-form-urlencoded'] as const;
  return exchange(address, { method: 'POST', headers: [type, ...headers], body: form.toString() }, network);
}

export async function postJson(address: string, body: unknown, network: OAuthNetwork): Promise<OAuthResponse> {
  const type = ['content-type', 'application/json'] as const;
  return exchange(address, { method: 'POST', headers: [type], body: JSON.stringify(body) }, network);
}

export async function getJson(address: string, network: OAuthNetwork): Promise<OAuthResponse> {
  return exchange(address, { method: 'GET' }, network);
}

async function exchange(
  address: string,
  { headers = [], ...request }: Omit<OutgoingRequest, 'origin' | 'target'>,
  { reachOf, signal }: OAuthNetwork,
): Promise<OAuthResponse> {
  const { origin, pathname, search } = checkEndpoint(address, 'address');
  const accept = ['accept', 'application/json'] as const;
  const response = await send(
    { ...request, origin, target: pathname + search, headers: [accept, ...headers] },
    { ...limits, reach: reachOf(origin), signal },
  );
  const nonce = response.headers['dpop-nonce'];
  return {
    status: response.status,
    body: parse(response.body.toString('utf8')),
    ...(typeof nonce === 'string' && { nonce }),
  };
}

function parse(text: string): { [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** An error code of RFC 6749, or a status: never the words of the other side. */
export function describeRefusal({ status, body }: OAuthResponse): string {
  return typeof body.error === 'string' && /^[a-z_]{1,40}$/.test(body.error) ? body.error : `status ${status}`;
}
