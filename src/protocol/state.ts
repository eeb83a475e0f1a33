// `requestState`: what a stateless client carries between two rounds of one request. It comes back from outside, so it is
// authenticated, bound to the caller and to the request it was made for, and expires.
import type { Answer } from '../core/call.ts';
import { loadCrypto } from '../core/crypto.ts';
import { isObject } from '../core/schema.ts';
import { invalidParams } from './code.ts';
import type { Exchange } from './exchange.ts';

const livesMs = 10 * 60_000;

export class StateSeal {
  #key: Buffer | undefined;

  seal(exchange: Exchange, answers: Record<string, Answer>): string {
    const payload = { request: fingerprint(exchange), until: Date.now() + livesMs, answers };
    const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return `${body}.${this.#sign(body)}`;
  }

  open(exchange: Exchange, state: unknown): Record<string, Answer> {
    if (state === undefined) return {};
    const [body = '', signature = '', ...rest] = typeof state === 'string' ? state.split('.') : [];
    const expected = Buffer.from(this.#sign(body));
    const given = Buffer.from(signature);
    if (rest.length > 0 || given.length !== expected.length || !loadCrypto().timingSafeEqual(given, expected)) {
      throw invalidParams('Cannot use requestState: it is not one this server made');
    }
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as { [key: string]: unknown };
    if (typeof payload.until !== 'number' || payload.until < Date.now()) {
      throw invalidParams('Cannot use requestState: it has expired');
    }
    if (payload.request !== fingerprint(exchange)) {
      throw invalidParams('Cannot use requestState: it was made for another request');
    }
    return isObject(payload.answers) ? (payload.answers as Record<string, Answer>) : {};
  }

  #sign(body: string): string {
    this.#key ??= loadCrypto().randomBytes(32);
    return loadCrypto().createHmac('sha256', this.#key).update(body).digest('base64url');
  }
}

/** The caller and all of the request that does not change between rounds. */
function fingerprint({ caller, method, params }: Exchange): string {
  const { name, uri, arguments: args } = params;
  return loadCrypto()
    .createHash('sha256')
    .update(canonical([caller.id, method, name, uri, args]))
    .digest('base64url');
}

/** JSON with sorted keys: a client may rebuild the object between rounds. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, entry) =>
    isObject(entry) ? Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1))) : entry,
  );
}
