// Subscriptions to resources of mounted servers. All subscribers of one resource share one watch; it is renewed if the server is
// restarted, and ends with the last of them.
import { setTimeout as wait } from 'node:timers/promises';
import { resourceUpdated, watchBegun, watchMethod } from '../../client/watch.ts';
import { isObject } from '../../core/schema.ts';
import type { Gateway } from './gateway.ts';

interface ResourceWatch {
  controller: AbortController;
  /** Settles when the server reports changes, or refuses to. */
  begun: Promise<void>;
  subscribers: number;
}

const mostFailures = 5;
const retryMs = 1_000;

export class ResourceWatches {
  readonly #gateway: Gateway;
  readonly #watches = new Map<string, ResourceWatch>();

  constructor(gateway: Gateway) {
    this.#gateway = gateway;
  }

  /** Returns what ends it; nothing if the server reports no changes. */
  async add(mount: string, uri: string, changed: () => void): Promise<(() => void) | undefined> {
    const resources = this.#gateway.store.get(mount).listing?.server.capabilities.resources;
    if (!isObject(resources) || resources.subscribe !== true) return undefined;
    const key = JSON.stringify([mount, uri]);
    const watch = this.#watches.get(key) ?? this.#begin(mount, uri, changed);
    this.#watches.set(key, watch);
    watch.subscribers++;
    await watch.begun;
    return () => {
      if (--watch.subscribers > 0) return;
      this.#watches.delete(key);
      watch.controller.abort();
    };
  }

  close(): void {
    for (const { controller } of this.#watches.values()) controller.abort();
    this.#watches.clear();
  }

  #begin(mount: string, uri: string, changed: () => void): ResourceWatch {
    const controller = new AbortController();
    let settle = () => {};
    const begun = new Promise<void>((resolve) => {
      settle = resolve;
    });
    void this.#follow(mount, uri, controller.signal, settle, changed).finally(settle);
    return { controller, begun, subscribers: 0 };
  }

  async #follow(
    mount: string,
    uri: string,
    signal: AbortSignal,
    begun: () => void,
    changed: () => void,
  ): Promise<void> {
    const params = { notifications: { resourceSubscriptions: [uri] } };
    for (let failures = 0; failures < mostFailures && !signal.aborted; failures++) {
      const notice = (method: string) => {
        if (method === watchBegun) {
          // What happened while nobody listened is unknown.
          if (failures > 0) changed();
          failures = 0;
          begun();
        } else if (method === resourceUpdated) changed();
      };
      const state = this.#gateway.store.find(mount);
      if (!state) return;
      await this.#gateway.request(state, watchMethod, params, { signal, notice }).catch(() => {});
      await wait(retryMs * 2 ** failures, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
