// Opens the connection of a request: directly, with every address of the host checked when it is resolved, or through a proxy.
import type { LookupAddress } from 'node:dns';
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { LoreError } from '../error.ts';
import { networkOf } from './address.ts';
import { findProxy, proxyHeaders } from './proxy.ts';

/** The networks that a request may reach: the internet, or also this machine and private networks. */
export type Reach = 'public' | 'private';

/** Kept apart by reach, because a kept connection is used again without another check. */
const agents = new Map<string, Agent>();

export async function openRequest(
  url: URL,
  target: string,
  reach: Reach,
  { signal, ...options }: RequestOptions,
): Promise<ClientRequest> {
  const outgoing = await start(url, target, reach, { ...options, signal });
  if (signal) endWith(signal, outgoing);
  return outgoing;
}

/**
 * Not by the request's own option: that also destroys the socket of a response that has ended, while it is between two requests
 * and nobody handles its errors.
 */
function endWith(signal: AbortSignal, outgoing: ClientRequest): void {
  let answer: IncomingMessage | undefined;
  const end = () => {
    if (answer?.complete) return;
    (answer ?? outgoing).destroy(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
  };
  outgoing.on('response', (received) => {
    answer = received;
  });
  outgoing.on('error', () => {}).on('close', () => signal.removeEventListener('abort', end));
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
}

async function start(
  url: URL,
  target: string,
  reach: Reach,
  { signal, ...options }: RequestOptions,
): Promise<ClientRequest> {
  const isSecure = url.protocol === 'https:';
  const [http, https] = await Promise.all([import('node:http'), import('node:https')]);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port || (isSecure ? 443 : 80);
  if (isIP(host) !== 0) checkAddress(host, host, reach);
  const proxy = findProxy(url);
  const plain = { ...options, host, port, path: target, setHost: false };
  if (!proxy) {
    const key = `${url.protocol} ${reach}`;
    const { Agent, request } = isSecure ? https : http;
    const agent = agents.get(key) ?? new Agent({ keepAlive: true });
    agents.set(key, agent);
    return request({ ...plain, agent: options.agent ?? agent, lookup: await lookupIn(reach) });
  }
  const through = { host: proxy.hostname, port: proxy.port || 80 };
  if (!isSecure) {
    const headers = { ...(options.headers as object), ...proxyHeaders(proxy) };
    return http.request({ ...plain, ...through, headers, path: `${url.origin}${target}` });
  }
  const socket = await openTunnel(http.request, { ...through, signal }, `${host}:${port}`, proxy);
  const { connect } = await import('node:tls');
  return https.request({ ...plain, agent: false, createConnection: () => connect({ socket, servername: host }) });
}

function openTunnel(
  request: typeof import('node:http').request,
  options: RequestOptions,
  path: string,
  proxy: URL,
): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const headers = { host: path, ...proxyHeaders(proxy) };
    const connecting = request({ ...options, method: 'CONNECT', path, headers, agent: false });
    connecting.on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) resolve(socket);
      else {
        socket.destroy();
        reject(new LoreError('unavailable', `Cannot reach "${path}": the proxy answered ${statusCode}`));
      }
    });
    connecting.on('error', reject).end();
  });
}

async function lookupIn(reach: Reach): Promise<LookupFunction> {
  const { lookup } = await import('node:dns');
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, []);
      try {
        for (const { address } of found) checkAddress(address, host, reach);
      } catch (refusal) {
        return done(refusal as Error, []);
      }
      const [first] = found;
      if (options.all || !first) done(null, found);
      else done(null, first.address, first.family);
    });
  };
}

function checkAddress(address: string, host: string, reach: Reach): void {
  const network = networkOf(address);
  if (network === 'public' || network === reach) return;
  const state = network === 'refused' ? 'its address is reserved' : 'it is in a private network';
  throw new LoreError('forbidden', `Cannot reach "${host}": ${state}`);
}
