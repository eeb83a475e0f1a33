// The HTTP server: one guard, and one table of paths for each tenant. It uses node:http directly, because this is the hot path.
import { createServer, type IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { App } from '../app.ts';
import { LoreError } from '../core/error.ts';
import { heapShare } from '../core/heap.ts';
import { describeError } from '../core/log.ts';
import { code } from '../protocol/code.ts';
import { writeError } from '../protocol/message.ts';
import { drain, hasBody, isJson, sendJson, sendStatus } from './body.ts';
import { tenantOf } from './caller.ts';
import { createEndpoint, type HttpEndpoint } from './endpoint.ts';
import { createGuard, type HttpRefusal } from './guard.ts';
import { createResourceServer } from './oauth/resource-server.ts';
import { DirectRequest } from './request.ts';
import { keepStreamsAlive } from './stream.ts';
import { refuse } from './streamable.ts';
import type { Pages } from './ui/pages.ts';

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

const corsHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Expose-Headers': 'Mcp-Session-Id, Mcp-Protocol-Version, WWW-Authenticate',
};

export async function serveHttp(app: App): Promise<HttpServer> {
  const { values } = app.config;
  const oauth = createResourceServer(values, app.log);
  const guard = createGuard(app.settings, oauth);
  /** By tenant. */
  const endpoints = new Map<string | undefined, HttpEndpoint>();
  let pages: Promise<Pages> | undefined;

  function endpointOf(tenant: string | undefined): HttpEndpoint {
    const known = endpoints.get(tenant);
    if (known) return known;
    const endpoint = createEndpoint(tenant === undefined ? app : app.forTenant(tenant), guard);
    endpoints.set(tenant, endpoint);
    return endpoint;
  }

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
    return endpointOf(tenantOf(request)).serve(request, response, path);
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
      for (const endpoint of endpoints.values()) endpoint.close();
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
