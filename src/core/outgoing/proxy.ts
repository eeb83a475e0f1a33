// The proxy of a request, from the usual environment variables.
import { isIP } from 'node:net';
import { networkOf } from './address.ts';

/** Undefined if the request goes directly, as those to this machine always do. */
export function findProxy(url: URL, env: NodeJS.ProcessEnv = process.env): URL | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (host === 'localhost' || (isIP(host) !== 0 && networkOf(host) !== 'public')) return undefined;
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const given = env[name] || env[name.toUpperCase()] || env.all_proxy || env.ALL_PROXY || '';
  const address = given === '' || given.includes('://') ? given : `http://${given}`;
  if (!URL.canParse(address) || isExcluded(url, env.no_proxy || env.NO_PROXY || '')) return undefined;
  const proxy = new URL(address);
  return proxy.protocol === 'http:' ? proxy : undefined;
}

/** `NO_PROXY`: hosts, domains and `host:port`, separated by commas; `*` for all. */
function isExcluded({ hostname, host }: URL, list: string): boolean {
  return list
    .split(/[\s,]+/)
    .map((entry) => entry.replace(/^\*?\./, '').toLowerCase())
    .some(
      (entry) =>
        entry !== '' && (entry === '*' || entry === host || entry === hostname || hostname.endsWith(`.${entry}`)),
    );
}

export function proxyHeaders({ username, password }: URL): { [name: string]: string } {
  if (username === '') return {};
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` };
}
