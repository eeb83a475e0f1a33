// The paths of one app, for requests whose caller is known: MCP in its transports, plain routes, and those of services.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../app.ts';
import { LoreError } from '../core/error.ts';
import { findRoute } from '../core/registry/lookup.ts';
import { version } from '../core/version.ts';
import { drain, sendJson } from './body.ts';
import { admitCaller } from './caller.ts';
import type { Guard } from './guard.ts';
import { operationPath, serveOperation } from './operation.ts';
import { OperationWatch } from './operation-watch.ts';
import { Peers } from './peers/peers.ts';
import type { DirectRequest } from './request.ts';
import { sendFailure, serveRest, serveRoute, statusOf } from './rest.ts';
import { Sessions } from './sessions.ts';
import { messagesPath, SseConnections } from './sse.ts';
import { refuse, serveDelete, serveGet, servePost } from './streamable.ts';
import { WebSockets } from './websocket.ts';
import { sendWelcome } from './welcome.ts';

export interface HttpEndpoint {
  serve(request: DirectRequest, response: ServerResponse, path: string): void | Promise<void>;
  close(): void;
}

type Handler = (request: DirectRequest, response: ServerResponse, url: string) => void | Promise<void>;

export function createEndpoint(app: App, guard: Guard): HttpEndpoint {
  const { max_sessions: max, session_idle_ms: idleMs, peer_url } = app.config.values;
  const peers = peer_url === '' ? undefined : new Peers(app, peer_url);
  const sessions = new Sessions(app.protocol, { max, idleMs }, peers?.homes);
  const sse = new SseConnections(app, peers);
  const webSockets = new WebSockets(app, guard);
  const operations = new OperationWatch(app.graph);

  const routes: Record<string, Record<string, Handler>> = {
    '/mcp': {
      POST: (request, response) => servePost(app, sessions, request, response, peers),
      GET: (request, response) =>
        request.upgrade ? webSockets.accept(request, response) : serveGet(sessions, request, response, peers),
      DELETE: (request, response) => serveDelete(sessions, request, response, peers),
    },
    '/mcp/sse': { GET: (request, response) => sse.open(request, response) },
    [messagesPath]: {
      POST: (request, response, url) =>
        sse.post(request, response, new URL(url, 'http://host').searchParams.get('sessionId')),
    },
    '/healthz': {
      GET: (_, response) => sendJson(response, 200, JSON.stringify({ status: 'ok', version })),
    },
  };

  /** In the format of the endpoint: the protocol's or that of plain routes. */
  function refuseFolder(request: IncomingMessage, response: ServerResponse, path: string, error: unknown): void {
    drain(request);
    const isPlain = routes[path] === undefined;
    if (isPlain || !(error instanceof LoreError)) return sendFailure(app, path, error, response);
    const { word, message, hint } = error;
    refuse(response, statusOf[word], hint === undefined ? message : `${message}. ${hint}`);
  }

  function dispatch(request: DirectRequest, response: ServerResponse, path: string): void | Promise<void> {
    const url = request.url ?? '/';
    const methods = routes[path];
    if (methods) {
      const handler = methods[request.method ?? ''];
      if (handler) return handler(request, response, url);
      return refuse(response, 405, `Method not allowed: ${request.method}`, { Allow: Object.keys(methods).join(', ') });
    }
    if (path.startsWith(operationPath) && request.method === 'GET') {
      return serveOperation(app, operations, path.slice(operationPath.length), request, response);
    }
    if (path.startsWith('/mcp/') && (request.method === 'POST' || request.method === 'GET')) {
      return serveRest(app, path, request, response);
    }
    return serveOther(request, response, path);
  }

  /** Routes of services. */
  async function serveOther(request: DirectRequest, response: ServerResponse, path: string): Promise<void> {
    await app.load();
    const brought = findRoute(app.registry, request.method ?? '', path);
    if (brought) return serveRoute(app, brought, path, request, response);
    if (path === '/' && request.method === 'GET') return sendWelcome(request, response);
    return refuse(response, 404, 'Not found');
  }

  return {
    serve(request, response, path) {
      const admission = admitCaller(app, request);
      if (!admission) return dispatch(request, response, path);
      return admission.then(
        () => (response.destroyed ? undefined : dispatch(request, response, path)),
        (error: unknown) => refuseFolder(request, response, path, error),
      );
    },
    close() {
      sessions.close();
      webSockets.close();
      peers?.close();
    },
  };
}
