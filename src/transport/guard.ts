// Decides who may talk to the HTTP server, before anything of a request is read. Web pages are recognised by Origin and
// Sec-Fetch-Site: only browsers send the latter, and a page can change neither. The other Sec-Fetch headers prove nothing,
// since Node's fetch, and so most MCP clients, sends Sec-Fetch-Mode. Programs need a token or a connection of our own user.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import type { Settings } from '../config/settings.ts';
import { LoreError } from '../core/error.ts';
import type { ResourceServer } from './oauth/resource-server.ts';
import { canSeePeers, createPeers, type PeerUser } from './peer.ts';

export interface HttpRefusal {
  status: number;
  reason: string;
  headers?: Record<string, string>;
}

export interface Guard {
  /** Refuses unknown Host names, against DNS rebinding, and web pages that are not allowed. */
  screen(request: IncomingMessage): HttpRefusal | undefined;
  /** Refuses programs that have no token and need one. A promise while the connection's user is looked up. */
  identify(request: IncomingMessage): HttpRefusal | undefined | Promise<HttpRefusal | undefined>;
  /**
   * Screens requests to the dashboard, which need no token because its pages prove who they are. Only its own pages of the
   * same user are accepted; allowed_origins and allowed_hosts are for MCP clients and do not count here.
   */
  screenPage(request: IncomingMessage): HttpRefusal | undefined | Promise<HttpRefusal | undefined>;
}

type HostKind = 'loopback' | 'further' | 'unknown';

const apiKeyHeader = 'x-api-key';

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

const twoHosts: HttpRefusal = { status: 400, reason: 'Bad request: more than one Host header' };
const unknownHost: HttpRefusal = {
  status: 403,
  reason: 'Forbidden: unknown Host header. Add the name to the setting allowed_hosts.',
};
const foreignPage: HttpRefusal = {
  status: 403,
  reason: 'Forbidden: web pages may connect only from the origins in the setting allowed_origins.',
};
const notLoopback: HttpRefusal = {
  status: 403,
  reason: 'Forbidden: the dashboard is served on loopback only. From another machine, forward the port with ssh -L.',
};
const otherPage: HttpRefusal = { status: 403, reason: 'Forbidden: only the dashboard itself may send this request.' };
const noToken: HttpRefusal = {
  status: 401,
  reason:
    'Unauthorized: send the token, which "lore token" prints, as "Authorization: Bearer <token>" or "X-API-Key: <token>".',
  headers: { 'WWW-Authenticate': 'Bearer' },
};
const otherUser: HttpRefusal = {
  status: 403,
  reason:
    'Forbidden: without a token only programs of the user who runs the server may connect, and this connection is not ' +
    'recognised as one of theirs. Send the token, which "lore token" prints, as "Authorization: Bearer <token>".',
};

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Reads the settings with each request, since some are live. Throws if the server would be open to the network. */
export function createGuard(settings: () => Settings, oauth?: ResourceServer): Guard {
  const userOf = createPeers();
  let values = settings();
  // The address stays as bound, whatever the settings say later.
  const { host } = values;
  if (!oauth) expectToken(values);
  let rules = createRules(values, userOf, oauth);
  const current = () => {
    const now = settings();
    if (now !== values) rules = createRules({ ...now, host }, userOf, oauth);
    values = now;
    return rules;
  };
  return {
    screen: (request) => current().screen(request),
    identify: (request) => current().identify(request),
    screenPage: (request) => current().screenPage(request),
  };
}

function expectToken({ host, token, token_required }: Settings): void {
  if (token !== '' || (isLoopback(host) && !token_required)) return;
  const reason = token_required
    ? 'token_required is set, but there is no token'
    : 'addresses other than loopback need a token';
  throw new LoreError('forbidden', `Cannot listen on "${host}": ${reason}`, {
    hint: 'Run lore token to create one, or set LORE_TOKEN.',
  });
}

function createRules(
  { host, token, token_required, allowed_hosts, allowed_origins }: Settings,
  userOf: ReturnType<typeof createPeers>,
  oauth: ResourceServer | undefined,
): Guard {
  const bound = lower(isIPv6(host) ? `[${host}]` : host);
  const local = new Set(isLoopback(host) ? [...loopbackNames, bound] : loopbackNames);
  const further = new Set([bound, ...allowed_hosts.map(lower), ...(oauth ? [lower(oauth.host)] : [])]);
  const origins = new Set(allowed_origins.map((origin) => lower(origin).replace(/\/$/, '')));
  const expected = token === '' ? undefined : digest(token);
  // If users cannot be distinguished, an optional token would protect nothing.
  const isRequired = token_required || !isLoopback(host) || (expected !== undefined && !canSeePeers);

  // Clients send the same Host every time.
  let lastHost: string | undefined;
  let lastKind: HostKind = 'unknown';

  function kindOf(header: string | undefined): HostKind {
    if (header === undefined || header === lastHost) return header === undefined ? 'unknown' : lastKind;
    const name = lower(header.replace(/:\d*$/, ''));
    lastHost = header;
    lastKind = local.has(name) ? 'loopback' : further.has(name) || further.has(lower(header)) ? 'further' : 'unknown';
    return lastKind;
  }

  function isForeignPage(headers: IncomingHttpHeaders): boolean {
    const { origin, 'sec-fetch-site': site } = headers;
    if (origin === undefined && site === undefined) return false;
    const isOwn = site === 'same-origin';
    // Without an Origin the page is unknown, or there is none: browsers send "none" for typed addresses and redirects, and
    // Electron's net.fetch always does. A page cannot add a token to such a request.
    if (origin === undefined) return !isOwn && !hasToken(headers);
    if (origins.has(origin.toLowerCase())) return false;
    if (site !== undefined && !isOwn) return true;
    const host = headers.host?.toLowerCase();
    // Behind a proxy that terminates TLS our pages have the other scheme; then Sec-Fetch-Site decides.
    return origin.toLowerCase() !== `http://${host}` && !(isOwn && origin.toLowerCase() === `https://${host}`);
  }

  function hasToken(headers: IncomingHttpHeaders): boolean {
    const given = tokenOf(headers);
    return expected !== undefined && given !== undefined && timingSafeEqual(expected, digest(given));
  }

  return {
    screen({ headers, rawHeaders }) {
      if (countHosts(rawHeaders) > 1) return twoHosts;
      if (kindOf(headers.host) === 'unknown') return unknownHost;
      return isForeignPage(headers) ? foreignPage : undefined;
    },
    identify(request) {
      const { headers, socket } = request;
      if (hasToken(headers)) return undefined;
      if (oauth) return oauth.identify(request);
      // A Host other than loopback means that the request came through a proxy. A wrong token is reported.
      const isWrong = expected !== undefined && (headers.authorization ?? headers[apiKeyHeader]) !== undefined;
      if (isRequired || isWrong || kindOf(headers.host) !== 'loopback') return noToken;
      if (!canSeePeers) return undefined;
      const user = userOf(socket);
      return typeof user === 'string' ? judgeUser(user) : user.then(judgeUser);
    },
    screenPage(request) {
      if (countHosts(request.rawHeaders) > 1) return twoHosts;
      if (kindOf(request.headers.host) !== 'loopback') return notLoopback;
      if (isOtherPage(request)) return otherPage;
      if (!canSeePeers) return undefined;
      // A browser in another network namespace is unknown; it still needs the link.
      const judge = (user: PeerUser) => (user === 'other' ? otherUser : undefined);
      const user = userOf(request.socket);
      return typeof user === 'string' ? judge(user) : user.then(judge);
    },
  };
}

/** A page elsewhere may link to the dashboard, but not embed it, call it or load parts of it. */
function isOtherPage({ headers, method }: Pick<IncomingMessage, 'headers' | 'method'>): boolean {
  const { origin, host, 'sec-fetch-site': site, 'sec-fetch-dest': target } = headers;
  if (origin !== undefined && origin !== `http://${host}`) return true;
  if (method !== 'GET') return origin === undefined || (site !== undefined && site !== 'same-origin');
  return site !== undefined && site !== 'same-origin' && target !== 'document';
}

function tokenOf({ authorization, [apiKeyHeader]: key }: IncomingHttpHeaders): string | undefined {
  const bearer = authorization === undefined ? undefined : /^bearer +(.*)$/i.exec(authorization)?.[1];
  return bearer ?? (Array.isArray(key) ? key[0] : key);
}

function judgeUser(user: PeerUser): HttpRefusal | undefined {
  return user === 'own' ? undefined : otherUser;
}

/** Node keeps only the first Host header; a proxy in front may have checked another one. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') count++;
  }
  return count;
}

/** Compares hashes of equal length, so that timing reveals nothing about the token. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

function lower(value: string): string {
  return value.toLowerCase();
}
