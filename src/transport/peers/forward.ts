// Passes a request on to another server of the team, and its response back, as it comes. The other server checks the caller
// again, so nothing of this has to be trusted.
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { openRequest } from '../../core/outgoing/connect.ts';
import { refuse } from '../streamable.ts';

/** A request with it is not passed on again. */
export const forwardedHeader = 'lore-forwarded';

/** Between servers that are near each other. */
const connectMs = 2_000;

const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT']);

/** False if the server cannot be reached and has got nothing of the request; then nothing was sent to the client either. */
export async function forward(
  server: string,
  request: IncomingMessage,
  response: ServerResponse,
  body: string | undefined,
): Promise<boolean> {
  const { 'content-length': _, ...headers } = { ...withoutHops(request.headers), [forwardedHeader]: '1' };
  const { method = 'GET', url = '/' } = request;
  // On a new connection, so that a server that is gone is noticed before it could have got anything.
  const outgoing = await openRequest(new URL(server), url, 'private', { method, headers, agent: false });
  response.on('close', () => outgoing.destroy());
  limitConnecting(outgoing);
  return new Promise((resolve) => {
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (unreachable.has(error.code ?? '') && !response.headersSent) return resolve(false);
      // It may have done what was asked before it stopped.
      refuse(response, 503, 'Service unavailable: the server of this session stopped', { 'Retry-After': '0' });
      resolve(true);
    });
    outgoing.on('response', (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, withoutHops(incoming.headers));
      response.flushHeaders();
      incoming.on('error', () => response.destroy()).pipe(response);
      incoming.on('close', () => incoming.complete || response.destroy());
      resolve(true);
    });
    outgoing.end(body);
  });
}

function limitConnecting(outgoing: ClientRequest): void {
  const timer = setTimeout(
    () => outgoing.destroy(Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' })),
    connectMs,
  );
  outgoing.on('socket', (socket) => {
    if (socket.connecting) socket.once('connect', () => clearTimeout(timer));
    else clearTimeout(timer);
  });
  outgoing.on('close', () => clearTimeout(timer));
}

/** These are about one connection; Node sets its own. */
function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hops.has(name)));
}

const hops = new Set(['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']);
