// The other servers of a team, behind any balancer: a request that belongs to a session or task of one of them is passed on. If
// that server is gone, this one continues the session.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../../app.ts';
import { createSecretId } from '../../core/id.ts';
import { readJson } from '../../core/json.ts';
import { describeError } from '../../core/log.ts';
import { isObject } from '../../core/schema.ts';
import { refuse } from '../streamable.ts';
import { forward, forwardedHeader } from './forward.ts';

type Homes = ReturnType<App['homes']>;

interface Passing {
  /** The session or task that the request is about. */
  id: string | undefined;
  body?: string | undefined;
  /** Whether this server holds it. */
  isHere(id: string): boolean;
  /** Continues it in this state; absent if it ends with its server. */
  restore?(id: string, state: unknown): Promise<void>;
  /** Serves the request. */
  here(): void;
}

/** Entries last longer, and a database that was away is told soon. */
const settleEveryMs = 60_000;
/** A server may be gone, and the one that took over as well. */
const maxRounds = 3;

export class Peers {
  readonly homes: Homes;
  /** Ends the ids of tasks: they are found by the server that runs them. */
  readonly place = createSecretId();
  readonly #own: string;
  readonly #app: App;
  readonly #restoring = new Map<string, Promise<void>>();
  readonly #settling: NodeJS.Timeout;

  constructor(app: App, own: string) {
    this.#app = app;
    this.#own = own;
    this.homes = app.homes(own);
    app.protocol.tasks.place = this.place;
    const settle = () =>
      void this.homes
        .settle(this.place, {})
        .catch((error: unknown) => app.log.error('place_not_recorded', describeError(error)));
    settle();
    this.#settling = setInterval(settle, settleEveryMs).unref();
  }

  close(): void {
    clearInterval(this.#settling);
    void this.homes.leave(this.place).catch(() => {});
  }

  pass(request: IncomingMessage, response: ServerResponse, passing: Passing): void {
    const { id, isHere, here } = passing;
    if (id === undefined || isHere(id)) return here();
    this.#pass(request, response, { ...passing, id }).catch((error: unknown) => {
      this.#app.log.error('not_passed_on', describeError(error));
      refuse(response, 503, 'Service unavailable: the session cannot be looked up', { 'Retry-After': '1' });
    });
  }

  async #pass(request: IncomingMessage, response: ServerResponse, passing: Passing & { id: string }): Promise<void> {
    const { id, body, restore, here } = passing;
    const isForwarded = request.headers[forwardedHeader] !== undefined;
    for (let round = 0; round < maxRounds; round++) {
      const home = await this.homes.find(id);
      if (!home || (isForwarded && home.server !== this.#own)) break;
      if (home.server === this.#own) {
        await this.#restoreOnce(id, () => restore?.(id, home.state));
        break;
      }
      if (response.destroyed || (await forward(home.server, request, response, body))) return;
      if (!restore) break;
      await this.homes.adopt(id, home.server);
    }
    here();
  }

  async #restoreOnce(id: string, restore: () => Promise<void> | undefined): Promise<void> {
    const restoring = this.#restoring.get(id) ?? Promise.resolve(restore());
    this.#restoring.set(id, restoring);
    try {
      await restoring;
    } finally {
      this.#restoring.delete(id);
    }
  }
}

/** The place of the task that a stateless request is about: the end of its id. */
export function placeOfTask(request: IncomingMessage, body: string): string | undefined {
  const method = request.headers['mcp-method'];
  if (typeof method !== 'string' || !/^(?:tasks\/|subscriptions\/listen$)/.test(method)) return undefined;
  const { taskId, notifications } = paramsOf(body);
  // A stream about tasks of several servers reports those of the first one's.
  const listened =
    isObject(notifications) && Array.isArray(notifications.taskIds) ? notifications.taskIds[0] : undefined;
  const id = taskId ?? listened;
  return typeof id === 'string' ? id.split('.')[1] : undefined;
}

function paramsOf(body: string): { [name: string]: unknown } {
  try {
    const message: unknown = readJson(body);
    return isObject(message) && isObject(message.params) ? message.params : {};
  } catch {
    // It is refused where it is read.
    return {};
  }
}
