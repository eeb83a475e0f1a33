// An HTTP route of a service, for pages and scripts. It is run through the registry's door like a tool.
import type { Call } from './call.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the service's own path: `/state` of the service "board" is `/board/state`. A final `/*` matches any rest. */
  readonly path: string;
  /** The tool of the same service whose permission covers this; without one, the service's. */
  readonly permission?: string;
  answer(request: RouteRequest, call: Call): RouteAnswer | Promise<RouteAnswer>;
}

export interface RouteRequest {
  /** The rest that `/*` matched, or an empty text. */
  readonly rest: string;
  readonly query: URLSearchParams;
  /** The body, parsed; undefined if there is none. */
  readonly body: unknown;
}

export interface RouteAnswer {
  readonly status?: number;
  /** A text, or a value that is sent as JSON. */
  readonly body: unknown;
  /** The media type of a text. */
  readonly type?: string;
}
