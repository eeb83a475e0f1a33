// `requestState`: what a stateless client sends back in the second round of a request. It comes from outside, so it is
// authenticated, bound to the caller and the request, and expires. Its key is shared by the processes of
// one database, because the second round may reach another process.
import type { ClientAnswer } from '../core/call.ts';
import { loadCrypto } from '../core/crypto.ts';
import { isObject } from '../core/schema.ts';
import { invalidParams } from './code.ts';
import type { Exchange } from './exchange.ts';

const livesMs = 10 * 60_000;
/** Longest wait for the shared key, in ms. */
const timeoutMs = 2_000;
const retryMs = 60_000;

export type LoadKey = () => Promise<Buffer>;

export class StateSeal {
  readonly #load: LoadKey | undefined;
  #shared: Promise<Buffer | undefined> | undefined;
  #own: Buffer | undefined;

  constructor(load?: LoadKey) {
    this.#load = load;
  }

  async seal(exchange: Exchange, answers: Record<string, ClientAnswer>): Promise<string> {
    const payload = { request: fingerprint(exchange), until: Date.now() + livesMs, answers };
    const body = Buffer.from(JSON.stringify(payload)).toString('base64url');
    const [key] = await this.#keys();
    return `${body}.${sign(key, body)}`;
  }

  async open(exchange: Exchange, state: unknown): Promise<Record<string, ClientAnswer>> {
    if (state === undefined) return {};
    const [body = '', signature = '', ...rest] = typeof state === 'string' ? state.split('.') : [];
    const keys = await this.#keys();
    if (rest.length > 0 || !keys.some((key) => isSame(signature, sign(key, body)))) {
      throw invalidParams('Cannot use requestState: this server did not create it');
    }
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString()) as { [key: string]: unknown };
    if (typeof payload.until !== 'number' || payload.until < Date.now()) {
      throw invalidParams('Cannot use requestState: it has expired');
    }
    if (payload.request !== fingerprint(exchange)) {
      throw invalidParams('Cannot use requestState: it was made for another request');
    }
    return isObject(payload.answers) ? (payload.answers as Record<string, ClientAnswer>) : {};
  }

  /** The key for sealing, then any other for opening: this process's own if the shared one could not be loaded. */
  async #keys(): Promise<[Buffer, ...Buffer[]]> {
    this.#shared ??= this.#loadShared();
    const shared = await this.#shared;
    if (shared && !this.#own) return [shared];
    this.#own ??= loadCrypto().randomBytes(32);
    return shared ? [shared, this.#own] : [this.#own];
  }

  async #loadShared(): Promise<Buffer | undefined> {
    const loading = this.#load?.().catch(() => undefined);
    const key = await Promise.race([loading, wait(timeoutMs)]);
    if (key) return key;
    setTimeout(() => {
      this.#shared = undefined;
    }, retryMs).unref();
    return key;
  }
}

function wait(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}

function sign(key: Buffer, body: string): string {
  return loadCrypto().createHmac('sha256', key).update(body).digest('base64url');
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && loadCrypto().timingSafeEqual(a, b);
}

/** The caller and the parts of the request that do not change between rounds. */
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
