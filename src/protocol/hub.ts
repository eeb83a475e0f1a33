// Notifies clients of changes: every initialised session, and every `subscriptions/listen` stream according to its filter.
// Changes in one turn of the event loop are reported once.
import { LoreError } from '../core/error.ts';
import { heapShare } from '../core/heap.ts';
import { isReadable } from '../core/registry/lookup.ts';
import type { Registry, RegistryChange } from '../core/registry/registry.ts';
import type { ListKind } from '../core/service.ts';
import type { Exchange } from './exchange.ts';
import type { Params } from './message.ts';
import { writeNotification } from './message.ts';
import { metaKey } from './revision.ts';
import type { Session } from './session.ts';

export interface ListenFilter {
  lists: ReadonlySet<ListKind>;
  uris: ReadonlySet<string>;
  taskIds: ReadonlySet<string>;
}

/** Longer than any URI of ours. */
export const maxUri = 8_192;
/** Overhead of an entry in a set, in bytes. */
const subscriptionCost = 64;

/** What clients are notified of: every session of lists, and those that subscribed to resources of them as well. */
export type Demand = 'lists' | 'resources';

interface Listener {
  exchange: Exchange;
  filter: ListenFilter;
  end(): void;
}

export class Hub {
  readonly #sessions = new Set<Session>();
  readonly #listeners = new Set<Listener>();
  readonly #waiting = new Map<string, RegistryChange>();
  /** Approximate bytes of all subscriptions. */
  #subscribed = 0;
  #demand: Demand | undefined;
  #onDemand: (demand: Demand | undefined) => void = () => {};
  readonly #registry: Registry;
  readonly #leave: () => void;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#leave = registry.onChange((change) => this.#gather(change));
  }

  /** Throws above the limits: of one subscription, and of all sessions together. */
  subscribe(session: Session, uri: string, end?: () => void): void {
    if (session.subscriptions?.has(uri)) return end?.();
    if (uri.length > maxUri) {
      end?.();
      throw new LoreError('invalid_input', `Cannot subscribe: the URI is longer than ${maxUri} characters`);
    }
    if (this.#subscribed + uri.length > heapShare(1 / 32)) {
      end?.();
      throw new LoreError('limit_exceeded', 'Cannot subscribe: this server has too many subscriptions');
    }
    session.subscriptions ??= new Map();
    session.subscriptions.set(uri, end);
    this.#subscribed += uri.length + subscriptionCost;
    this.#reportDemand();
  }

  unsubscribe(session: Session, uri: string): void {
    if (!session.subscriptions?.has(uri)) return;
    session.subscriptions.get(uri)?.();
    session.subscriptions.delete(uri);
    this.#subscribed -= uri.length + subscriptionCost;
    this.#reportDemand();
  }

  join(session: Session): void {
    this.#sessions.add(session);
    this.#reportDemand();
  }

  part(session: Session): void {
    this.#sessions.delete(session);
    for (const uri of session.subscriptions?.keys() ?? []) this.unsubscribe(session, uri);
    this.#reportDemand();
  }

  /** Resolves when the server ends the stream. */
  listen(exchange: Exchange, filter: ListenFilter): Promise<void> {
    // The client may have left while its resources were looked up.
    if (exchange.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const listener: Listener = { exchange, filter, end: resolve };
      this.#listeners.add(listener);
      this.#reportDemand();
      const leave = () => {
        this.#listeners.delete(listener);
        this.#reportDemand();
        resolve();
      };
      exchange.signal.addEventListener('abort', leave, { once: true });
    });
  }

  notifyTask(taskId: string, params: Params): void {
    for (const listener of this.#listeners) {
      if (listener.filter.taskIds.has(taskId)) this.#notify(listener, 'notifications/tasks', params);
    }
  }

  close(): void {
    this.#leave();
    for (const listener of this.#listeners) listener.end();
    this.#listeners.clear();
    this.#reportDemand();
  }

  /** Called whenever the first client that wants it appears or the last one leaves. */
  onDemand(listener: (demand: Demand | undefined) => void): void {
    this.#onDemand = listener;
  }

  #reportDemand(): void {
    const demand = this.#findDemand();
    if (demand === this.#demand) return;
    this.#demand = demand;
    this.#onDemand(demand);
  }

  #findDemand(): Demand | undefined {
    const filters = [...this.#listeners].map(({ filter }) => filter);
    if (this.#subscribed > 0 || filters.some(({ uris }) => uris.size > 0)) return 'resources';
    return this.#sessions.size > 0 || filters.some(({ lists }) => lists.size > 0) ? 'lists' : undefined;
  }

  #gather(change: RegistryChange): void {
    if (this.#waiting.size === 0) setImmediate(() => this.#describeAll());
    this.#waiting.set('list' in change ? `list ${change.list}` : change.updated, change);
  }

  #describeAll(): void {
    const changes = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const change of changes) {
      if ('list' in change) this.#notifyList(change.list);
      else this.#notifyUpdate(change.updated);
    }
  }

  #notifyList(list: ListKind): void {
    const method = `notifications/${list}/list_changed`;
    const message = writeNotification(method);
    for (const session of this.#sessions) session.push(message);
    for (const listener of this.#listeners) if (listener.filter.lists.has(list)) this.#notify(listener, method, {});
  }

  #notifyUpdate(uri: string): void {
    if (!isReadable(this.#registry, uri)) return;
    const method = 'notifications/resources/updated';
    const message = writeNotification(method, { uri });
    for (const session of this.#sessions) if (session.subscriptions?.has(uri)) session.push(message);
    for (const listener of this.#listeners) if (listener.filter.uris.has(uri)) this.#notify(listener, method, { uri });
  }

  /** A stream that is not read ends: its client listens again and fetches what it missed. */
  #notify(listener: Listener, method: string, params: Params): void {
    if (!listener.exchange.isFull) return notify(listener.exchange, method, params);
    this.#listeners.delete(listener);
    listener.end();
  }
}

/** Everything on a listen stream contains the id of the request that opened it. */
export function notify(exchange: Exchange, method: string, params: Params): void {
  exchange.send(method, { _meta: { [metaKey.subscription]: exchange.id }, ...params });
}
