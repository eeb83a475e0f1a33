// Sessions of the dashboard, in the memory of this process. A session has two secrets: a cookie, which scripts cannot read, and
// a token, which the page keeps in its origin's storage. Cookies are shared by all ports of a host, storage is not; so neither a
// page nor a server on another port has both.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export const tokenHeader = 'lore-page';

const idleMs = 12 * 3_600_000;
const mostSessions = 100;

interface PageSession {
  token: Buffer;
  usedAt: number;
}

export class PageSessions {
  /** By the hash of the cookie, so that a lookup takes as long for a wrong one. */
  readonly #sessions = new Map<string, PageSession>();

  begin(request: IncomingMessage): { cookie: string; token: string } {
    const [id, token] = [randomBytes(32), randomBytes(32)].map((bytes) => bytes.toString('base64url')) as [
      string,
      string,
    ];
    this.#sessions.set(hash(id).toString('hex'), { token: hash(token), usedAt: Date.now() });
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > mostSessions && oldest !== undefined) this.#sessions.delete(oldest);
    return { cookie: `${cookieName(request)}=${id}; HttpOnly; SameSite=Strict; Path=/ui`, token };
  }

  isValid(request: IncomingMessage): boolean {
    const key = keyOf(request);
    const session = key === undefined ? undefined : this.#sessions.get(key);
    const token = request.headers[tokenHeader];
    if (key === undefined || !session || typeof token !== 'string') return false;
    if (Date.now() - session.usedAt > idleMs) {
      this.#sessions.delete(key);
      return false;
    }
    if (!timingSafeEqual(session.token, hash(token))) return false;
    session.usedAt = Date.now();
    return true;
  }

  end(request: IncomingMessage): void {
    this.#sessions.delete(keyOf(request) ?? '');
  }
}

function keyOf(request: IncomingMessage): string | undefined {
  const name = cookieName(request);
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim().split('='))
    .find(([key]) => key === name)?.[1];
  return found === undefined ? undefined : hash(found).toString('hex');
}

/** With the port, because servers on other ports share the cookies. */
function cookieName({ headers }: IncomingMessage): string {
  return `lore_${headers.host?.replace(/^.*:(?=\d+$)/, '').replace(/\W/g, '')}`;
}

function hash(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
