// Who may talk to the HTTP server, decided before anything is parsed: the Host and Origin headers (against DNS rebinding
// and foreign pages) and the bearer token.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6 } from 'node:net';
import type { Settings } from '../config/settings.ts';
import { LoreError } from '../core/error.ts';

type Verdict = 'welcome' | 'forbidden' | 'unauthorized';

interface Guard {
  judge(request: IncomingMessage): Verdict;
  /** The Origin header, where a page from there may read our answers. */
  allowedOrigin(request: IncomingMessage): string | undefined;
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'];

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Throws where the server would stand open to the network. */
export function createGuard({ host, token, allowed_hosts, allowed_origins }: Settings): Guard {
  if (!isLoopback(host) && token === '') {
    throw new LoreError('forbidden', `Cannot listen on "${host}": beyond loopback a token is required`, {
      hint: 'Set LORE_TOKEN to a secret that clients send as "Authorization: Bearer …".',
    });
  }
  const hosts = new Set([...loopbackNames, isIPv6(host) ? `[${host}]` : host, ...allowed_hosts].map(lower));
  const origins = new Set(allowed_origins.map(lower));
  const expected = token === '' ? undefined : digest(`Bearer ${token}`);

  // Clients say the same Host every time.
  let lastHost: string | undefined;

  function isKnownHost(header: string | undefined): boolean {
    if (header === undefined || header === lastHost) return header !== undefined;
    const name = header.replace(/:\d*$/, '').toLowerCase();
    const known = hosts.has(name) || hosts.has(header.toLowerCase());
    if (known) lastHost = header;
    return known;
  }

  function isKnownOrigin(origin: string): boolean {
    if (origins.has(origin.toLowerCase())) return true;
    const match = /^https?:\/\/(\[[^\]]*\]|[^/:]*)(:\d+)?$/i.exec(origin);
    return match !== null && loopbackNames.includes((match[1] ?? '').toLowerCase());
  }

  return {
    judge({ headers }) {
      if (!isKnownHost(headers.host)) return 'forbidden';
      if (headers.origin !== undefined && !isKnownOrigin(headers.origin)) return 'forbidden';
      if (expected && !timingSafeEqual(expected, digest(headers.authorization ?? ''))) return 'unauthorized';
      return 'welcome';
    },
    allowedOrigin({ headers }) {
      return headers.origin !== undefined && isKnownOrigin(headers.origin) ? headers.origin : undefined;
    },
  };
}

/** Equal lengths, so that the comparison tells nothing about the token. */
function digest(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

function lower(value: string): string {
  return value.toLowerCase();
}
