// The HTTP server: one guard, one table of paths. It uses node:http directly, because this is the hot path.
import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { App } from '../app.ts';
import { LoreError } from '../core/error.ts';
import { heapShare } from '../core/heap.ts';
import { describeError } from '../core/log.ts';
import { findRoute } from '../core/registry/lookup.ts';
import { version } from '../core/version.ts';
import { code } from '../protocol/code.ts';
import { writeError } from '../protocol/message.ts';
import { drain, hasBody, isJson, sendJson, sendStatus } from './body.ts';
import { admitCaller } from './caller.ts';
import { createGuard, type HttpRefusal } from './guard.ts';
import { createResourceServer } from './oauth/resource-server.ts';
import { operationPath, serveOperation } from './operation.ts';
import { OperationWatch } from './operation-watch.ts';
import { DirectRequest } from './request.ts';
import { sendFailure, serveRest, serveRoute, statusOf } from './rest.ts';
import { Sessions } from './sessions.ts';
import { messagesPath, SseConnections } from './sse.ts';
import { keepStreamsAlive } from './stream.ts';
import { refuse, serveDelete, serveGet, servePost } from './streamable.ts';
import type { Pages } from './ui/pages.ts';
import { WebSockets } from './websocket.ts';
import { sendWelcome } from './welcome.ts';

export interface HttpServer {
  /** URL of the MCP endpoint. */
  readonly url: string;
  /** Completes or refuses running requests, then closes every connection. */
  stop(): Promise<void>;
}

/** Longer than clients and proxies keep idle connections, so that none is closed under a new request. */
const keepAliveMs = 75_000;

/** Memory of a connection at most; it limits their number. */
const connectionBytes = 64 * 1024;

/** The path of the dashboard. */
const uiPath = '/ui';

type Handler = (request: DirectRequest, response: ServerResponse, url: string) => void | Promise<void>;

const corsHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Expose-Headers': 'Mcp-Session-Id, Mcp-Protocol-Version, WWW-Authenticate',
};

export async function serveHttp(app: App): Promise<HttpServer> {
  const { values } = app.config;
  const oauth = createResourceServer(values, app.log);
  const guard = createGuard(app.settings, oauth);
  const sessions = new Sessions(app.protocol, { max: values.max_sessions, idleMs: values.session_idle_ms });
  const sse = new SseConnections(app);
  const webSockets = new WebSockets(app, guard);
  const operations = new OperationWatch(app.graph);
  let pages: Promise<Pages> | undefined;

  const routes: Record<string, Record<string, Handler>> = {
    '/mcp': {
      POST: (request, response) => servePost(app, sessions, request, response),
      GET: (request, response) =>
        request.upgrade ? webSockets.accept(request, response) : serveGet(sessions, request, response),
      DELETE: (request, response) => serveDelete(sessions, request, response),
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

  function route(request: DirectRequest, response: ServerResponse): void | Promise<void> {
    const url = request.url ?? '/';
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    if (path === uiPath || path.startsWith(`${uiPath}/`)) return servePage(request, response, path);
    const refusal = guard.screen(request);
    if (refusal) return turnAway(request, response, refusal);
    // An allowed page may read the response.
    const { origin } = request.headers;
    if (origin !== undefined) allowOrigin(response, origin);
    if (request.method === 'OPTIONS') return sendStatus(response, 204);
    const document = request.method === 'GET' ? oauth?.documents[path] : undefined;
    if (document !== undefined) return sendJson(response, 200, document);
    const stranger = guard.identify(request);
    if (!(stranger instanceof Promise)) return serve(request, response, path, stranger);
    return stranger.then((refused) => {
      if (!response.destroyed) return serve(request, response, path, refused);
    });
  }

  /** The dashboard has its own guard, and is loaded when somebody looks at it. */
  async function servePage(request: DirectRequest, response: ServerResponse, path: string): Promise<void> {
    const refusal = await guard.screenPage(request);
    if (refusal) return turnAway(request, response, refusal);
    pages ??= import('./ui/pages.ts').then(({ createPages }) => createPages(app));
    return (await pages).serve(request, response, path);
  }

  function serve(
    request: DirectRequest,
    response: ServerResponse,
    path: string,
    stranger: HttpRefusal | undefined,
  ): void | Promise<void> {
    if (stranger) {
      if (path === '/healthz' && request.method === 'GET') return sendJson(response, 200, '{"status":"ok"}');
      return turnAway(request, response, stranger);
    }
    // Pages can send other content types without a preflight request.
    if (request.method === 'POST' && hasBody(request) && !isJson(request)) {
      return turnAway(request, response, notJson);
    }
    const admission = admitCaller(app, request);
    if (!admission) return dispatch(request, response, path);
    return admission.then(
      () => (response.destroyed ? undefined : dispatch(request, response, path)),
      (error: unknown) => refuseFolder(request, response, path, error),
    );
  }

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

  function handle(request: DirectRequest, response: ServerResponse): void {
    try {
      const pending = route(request, response);
      if (pending) pending.catch((error: unknown) => fail(response, error));
    } catch (error) {
      fail(response, error);
    }
  }

  const server = createServer({ IncomingMessage: DirectRequest }, (request, response) => {
    // A pipelined request waits until the previous responses are sent, so that a client that does not read causes no more
    // work, and until other clients had their turn.
    if (response.socket === null) response.once('socket', () => setImmediate(handle, request, response));
    else handle(request, response);
  });

  /** Node forgets the sockets of these requests. */
  const upgrading = new Set<Socket>();
  server.on('upgrade', (request: DirectRequest, socket: Socket, head: Buffer) => {
    upgrading.add(socket);
    socket.on('error', () => {}).on('close', () => upgrading.delete(socket));
    socket.unshift(head);
    // A response of our own, so that a refusal is the same as for other requests.
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // Sent behind a request that is not answered yet, which no WebSocket client does.
      return void socket.destroy();
    }
    response.on('finish', () => socket.destroySoon());
    handle(request, response);
  });

  server.keepAliveTimeout = keepAliveMs;
  server.maxConnections = Math.max(256, heapShare(1 / connectionBytes));

  function fail(response: ServerResponse, error: unknown): void {
    app.log.error('http_failed', describeError(error));
    sendJson(response, 500, writeError(null, code.internal, 'Internal error'));
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(values.host, values.port, error)));
    server.listen(values.port, values.host, resolve);
  });

  const stopKeepingAlive = keepStreamsAlive();
  const { port } = server.address() as AddressInfo;
  const host = values.host.includes(':') ? `[${values.host}]` : values.host;
  return {
    url: `http://${host}:${port}/mcp`,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await app.stop();
      stopKeepingAlive();
      sessions.close();
      webSockets.close();
      server.closeIdleConnections();
      // The last responses get one more turn to leave before connections are destroyed.
      setTimeout(() => {
        server.closeAllConnections();
        for (const socket of upgrading) socket.destroy();
      }, 100).unref();
      await closed;
    },
  };
}

const notJson: HttpRefusal = { status: 415, reason: 'Unsupported media type: send application/json' };

function turnAway(request: IncomingMessage, response: ServerResponse, { status, reason, headers }: HttpRefusal): void {
  drain(request);
  refuse(response, status, reason, headers);
}

function allowOrigin(response: ServerResponse, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Vary', 'Origin');
  for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value);
}

function cannotListen(host: string, port: number, error: NodeJS.ErrnoException): LoreError {
  if (error.code === 'EADDRINUSE') {
    return new LoreError('unavailable', `Cannot listen on ${host}:${port}: the port is in use`, {
      hint: 'Another server may be running there already; --port picks another port.',
    });
  }
  return new LoreError('unavailable', `Cannot listen on ${host}:${port}: ${error.code}`);
}
