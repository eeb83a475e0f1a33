// Tools as plain HTTP routes, for scripts: POST /mcp/checkpoint/save calls checkpoint_save with the body as arguments, through
// the registry's door. If the body is a JSON-RPC request, with the arguments as `params`, the response is one as well.
import type { ServerResponse } from 'node:http';
import type { App } from '../app.ts';
import { createPlainCall } from '../core/call.ts';
import { type ErrorWord, LoreError, toLoreError } from '../core/error.ts';
import { explainUnreadable, readJson } from '../core/json.ts';
import { type findRoute, readResource } from '../core/registry/lookup.ts';
import type { RouteAnswer } from '../core/route.ts';
import { isObject } from '../core/schema.ts';
import { errorFacts, toRpcError } from '../protocol/code.ts';
import { classify, type Id, writeError, writeResult } from '../protocol/message.ts';
import { newestLegacy } from '../protocol/revision.ts';
import { type Body, readBody, sendJson } from './body.ts';
import { callerOf, stepUpHeaders } from './caller.ts';
import type { DirectRequest } from './request.ts';
import { refuseBody } from './streamable.ts';

export const statusOf: Record<ErrorWord, number> = {
  invalid_input: 400,
  not_found: 404,
  conflict: 409,
  forbidden: 403,
  limit_exceeded: 429,
  timeout: 504,
  unavailable: 503,
  internal: 500,
};

/** The id of a JSON-RPC request; undefined if the body is plain. */
interface RpcBody {
  id?: Id;
}

export async function serveRest(app: App, path: string, request: DirectRequest, response: ServerResponse) {
  const rpc: RpcBody = {};
  try {
    const result = await answer(app, path.slice('/mcp/'.length), request, response, rpc);
    if (response.headersSent) return;
    const text = typeof result === 'string' ? result : JSON.stringify(result);
    sendJson(response, 200, rpc.id === undefined ? text : writeResult(rpc.id, text));
  } catch (error) {
    sendFailure(app, path, error, response, rpc);
  }
}

export function sendFailure(app: App, path: string, error: unknown, response: ServerResponse, rpc: RpcBody = {}): void {
  const failure = toLoreError(error, `answer ${path}`);
  if (failure !== error) app.log.error('internal_error', { ...failure.details, error: String(failure.cause) });
  sendJson(response, statusOf[failure.word], writeFailure(failure, rpc), stepUpHeaders(response.req, failure));
}

function writeFailure(failure: LoreError, { id }: RpcBody): string {
  if (id === undefined) return JSON.stringify({ success: false, error: errorFacts(failure) });
  const { code, message, data } = toRpcError(failure, false);
  return writeError(id, code, message, data);
}

async function answer(
  app: App,
  route: string,
  request: DirectRequest,
  response: ServerResponse,
  rpc: RpcBody,
): Promise<unknown> {
  const { registry, protocol } = app;
  await app.load();
  // A route returns data, so its tools are listed with output schemas.
  const list = (kind: 'tools' | 'resources') => {
    const reader = { revision: newestLegacy, caller: callerOf(request), structured: true };
    const cursor = new URL(request.url ?? '', 'http://host').searchParams.get('cursor') ?? undefined;
    return `{${protocol.lists.page(kind, reader, cursor)}}`;
  };
  if (request.method === 'GET') {
    if (route === 'tools/list') return list('tools');
    if (route === 'resources/list') return list('resources');
    throw new LoreError('not_found', `Cannot GET "${route}": there is no such route`);
  }
  const body = await readArguments(app, request, response);
  if (!body) return undefined;
  const args = readRpcBody(body, rpc) ?? body;
  const call = beginCall(request, response);
  if (route === 'resources/read') {
    if (typeof args.uri !== 'string')
      throw new LoreError('invalid_input', 'Cannot read a resource: uri must be a string');
    return { contents: await readResource(registry, args.uri, call) };
  }
  const { structured, content } = await registry.call(route.replaceAll('/', '_'), args, call);
  return structured ?? { content };
}

/** The arguments in a JSON-RPC request: its `params`, or those of a tools/call. Undefined if the body is none. */
function readRpcBody(body: { [key: string]: unknown }, rpc: RpcBody): { [key: string]: unknown } | undefined {
  if (!Object.hasOwn(body, 'jsonrpc')) return undefined;
  const message = classify(body);
  if (message.kind !== 'request') throw new LoreError('invalid_input', 'Cannot read the body: it is not a request');
  rpc.id = message.id;
  const { method, params } = message;
  return method === 'tools/call' && isObject(params.arguments) ? params.arguments : params;
}

/** A route of a service. */
export async function serveRoute(
  app: App,
  answerRoute: NonNullable<ReturnType<typeof findRoute>>,
  path: string,
  request: DirectRequest,
  response: ServerResponse,
): Promise<void> {
  try {
    const isRead = request.method === 'GET';
    const body = isRead ? undefined : await readArguments(app, request, response);
    if (!isRead && body === undefined) return;
    const query = new URL(request.url ?? '', 'http://host').searchParams;
    const answered = await answerRoute({ query, body }, beginCall(request, response));
    sendAnswer(response, answered);
  } catch (error) {
    sendFailure(app, path, error, response);
  }
}

function sendAnswer(response: ServerResponse, { status = 200, type, body }: RouteAnswer): void {
  if (typeof body !== 'string') return sendJson(response, status, JSON.stringify(body));
  sendJson(response, status, body, {
    'Content-Type': type ?? 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  });
}

/** Aborts when the client disconnects. */
function beginCall(request: DirectRequest, response: ServerResponse) {
  const call = createPlainCall(callerOf(request), undefined, undefined, request.socket);
  response.on('close', () => {
    if (!response.writableFinished) call.cancel(new LoreError('timeout', 'Cannot answer: the client disconnected'));
  });
  return call;
}

/** Undefined if the body was refused; the response has been sent then. */
export async function readArguments(
  app: App,
  request: DirectRequest,
  response: ServerResponse,
): Promise<{ [key: string]: unknown } | undefined> {
  const body = await new Promise<Body>((resolve) =>
    readBody(request, response, app.config.values.max_message_bytes, resolve),
  );
  if ('refused' in body) {
    refuseBody(response, body.refused);
    return undefined;
  }
  if (body.text.trim() === '') return {};
  let args: unknown;
  try {
    args = readJson(body.text);
  } catch (error) {
    throw new LoreError('invalid_input', `Cannot read the body: it ${explainUnreadable(error)}`);
  }
  if (isObject(args)) return args;
  throw new LoreError('invalid_input', 'Cannot read the body: it is not an object');
}
