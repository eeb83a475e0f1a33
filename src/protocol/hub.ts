// Tells clients what has changed: every session that was initialised, and every `subscriptions/listen` stream what it
// asked for. Changes of one turn of the event loop are told once.
import type { Change, Registry } from '../core/registry.ts';
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

interface Listener {
  exchange: Exchange;
  filter: ListenFilter;
  end(): void;
}

export class Hub {
  readonly #sessions = new Set<Session>();
  readonly #listeners = new Set<Listener>();
  readonly #waiting = new Map<string, Change>();
  readonly #leave: () => void;

  constructor(registry: Registry) {
    this.#leave = registry.onChange((change) => this.#gather(change));
  }

  join(session: Session): void {
    this.#sessions.add(session);
  }

  part(session: Session): void {
    this.#sessions.delete(session);
  }

  /** Resolves when the stream is to end because the server ends it. */
  listen(exchange: Exchange, filter: ListenFilter): Promise<void> {
    return new Promise((resolve) => {
      const listener: Listener = { exchange, filter, end: resolve };
      this.#listeners.add(listener);
      const leave = () => {
        this.#listeners.delete(listener);
        resolve();
      };
      exchange.signal.addEventListener('abort', leave, { once: true });
    });
  }

  tellTask(taskId: string, params: Params): void {
    for (const { exchange, filter } of this.#listeners) {
      if (filter.taskIds.has(taskId)) tell(exchange, 'notifications/tasks', params);
    }
  }

  close(): void {
    this.#leave();
    for (const listener of this.#listeners) listener.end();
    this.#listeners.clear();
  }

  #gather(change: Change): void {
    if (this.#waiting.size === 0) setImmediate(() => this.#tellAll());
    this.#waiting.set('list' in change ? `list ${change.list}` : change.updated, change);
  }

  #tellAll(): void {
    const changes = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const change of changes) {
      if ('list' in change) this.#tellList(change.list);
      else this.#tellUpdate(change.updated);
    }
  }

  #tellList(list: ListKind): void {
    const method = `notifications/${list}/list_changed`;
    const message = writeNotification(method);
    for (const session of this.#sessions) session.push(message);
    for (const { exchange, filter } of this.#listeners) if (filter.lists.has(list)) tell(exchange, method, {});
  }

  #tellUpdate(uri: string): void {
    const method = 'notifications/resources/updated';
    const message = writeNotification(method, { uri });
    for (const session of this.#sessions) if (session.subscriptions?.has(uri)) session.push(message);
    for (const { exchange, filter } of this.#listeners) if (filter.uris.has(uri)) tell(exchange, method, { uri });
  }
}

/** Everything on a listen stream names the request that opened it. */
export function tell(exchange: Exchange, method: string, params: Params): void {
  exchange.send(method, { _meta: { [metaKey.subscription]: exchange.id }, ...params });
}
