// Changes of single resources. Without sessions they are reported to a request that stays open, `subscriptions/listen`; here the same
// request works in sessions, where resources are subscribed one by one.
import type { LoreError } from '../core/error.ts';
import { isObject } from '../core/schema.ts';
import type { Params } from '../protocol/message.ts';
import type { ClientSession, RequestContext } from './session.ts';

export const watchMethod = 'subscriptions/listen';
export const watchBegun = 'notifications/subscriptions/acknowledged';
export const resourceUpdated = 'notifications/resources/updated';

interface OpenWatch {
  uris: readonly string[];
  context: RequestContext;
  fail(error: LoreError): void;
}

export class SessionWatches {
  readonly #session: ClientSession;
  readonly #open = new Set<OpenWatch>();

  constructor(session: ClientSession) {
    this.#session = session;
  }

  /** Until it is cancelled, or the connection is closed. */
  async listen({ notifications }: Params, context: RequestContext): Promise<Params> {
    const wanted = isObject(notifications) ? notifications.resourceSubscriptions : undefined;
    const uris = (Array.isArray(wanted) ? wanted : []).filter((uri) => typeof uri === 'string');
    const fresh = uris.filter((uri) => !this.#isWatched(uri));
    const watch: OpenWatch = { uris, context, fail: () => {} };
    const ended = new Promise<never>((_, reject) => {
      watch.fail = reject;
      context.signal?.addEventListener('abort', () => reject(context.signal?.reason), { once: true });
    });
    ended.catch(() => {});
    this.#open.add(watch);
    try {
      for (const uri of fresh) await this.#session.request('resources/subscribe', { uri }, { signal: context.signal });
      context.notice?.(watchBegun, {});
      return await ended;
    } finally {
      this.#open.delete(watch);
      for (const uri of uris)
        if (!this.#isWatched(uri)) this.#session.request('resources/unsubscribe', { uri }).catch(() => {});
    }
  }

  note(method: string, params: Params): void {
    if (method !== resourceUpdated) return;
    for (const { uris, context } of this.#open)
      if (uris.includes(params.uri as string)) context.notice?.(method, params);
  }

  fail(error: LoreError): void {
    for (const watch of this.#open) watch.fail(error);
  }

  #isWatched(uri: string): boolean {
    return [...this.#open].some(({ uris }) => uris.includes(uri));
  }
}
