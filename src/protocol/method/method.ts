// A protocol method is a value: in which era it exists and what answers it, as the members of a result object in JSON.
import type { Soon } from '../../core/attempt.ts';
import type { Exchange } from '../exchange.ts';
import type { List } from '../list.ts';
import type { Protocol } from '../protocol.ts';

export interface Method {
  era: 'session' | 'stateless' | 'both';
  /** Needs no service. */
  isGreeting?: true;
  /** Members of the result without the braces; common members of an era are added in one place. */
  run(exchange: Exchange, protocol: Protocol): Soon<string>;
}

/** The members of an object as JSON, without the braces. */
export function members(fields: { readonly [key: string]: unknown }): string {
  return JSON.stringify(fields).slice(1, -1);
}

/** How long a stateless client may cache a list; listeners are notified of changes. */
const listTtlMs = 60_000;

export function cacheable(exchange: Exchange, fields: string, ttlMs = listTtlMs): string {
  if (!exchange.stateless) return fields;
  return `"ttlMs":${ttlMs},"cacheScope":"private",${fields}`;
}

/** One page of a prepared list. */
export function defineList(list: List): Method {
  return {
    era: 'both',
    run: (exchange, { lists }) => cacheable(exchange, lists.page(list, exchange, exchange.params.cursor)),
  };
}
