// JSON-RPC 2.0: classifies a parsed value, and writes messages. Results are passed as JSON text, so that a prepared list is
// never serialised again.
import { isObject } from '../core/schema.ts';
import { code } from './code.ts';

export type Id = string | number;
export type Params = { readonly [key: string]: unknown };

export interface RequestMessage {
  kind: 'request';
  id: Id;
  method: string;
  params: Params;
  meta: Params | undefined;
}

export interface NotificationMessage {
  kind: 'notification';
  method: string;
  params: Params;
}

export interface ResponseMessage {
  kind: 'response';
  id: Id;
  result?: unknown;
  error?: { code?: unknown; message?: unknown };
}

interface InvalidMessage {
  kind: 'invalid';
  id: Id | null;
  code: number;
  reason: string;
}

export type Message = RequestMessage | NotificationMessage | ResponseMessage | InvalidMessage;

const noParams: Params = {};

/** Length limit of names, which errors quote. Data comes in arguments. */
export const longestName = 8_192;
const names = ['uri', 'name', 'cursor', 'level', 'taskId'];

export function classify(value: unknown): Message {
  if (!isObject(value)) return invalid(null, 'a message is an object');
  const { id, method, params } = value;
  const known = isId(id) ? id : null;
  if (value.jsonrpc !== '2.0') return invalid(known, 'jsonrpc must be "2.0"');
  if (method === undefined) return classifyResponse(value, known);
  if (typeof method !== 'string') return invalid(known, 'method must be a string');
  if (id !== undefined && known === null) return invalid(null, 'id must be a string or an integer');
  // A notification is never answered, not even if its parameters are invalid.
  if (known === null) return { kind: 'notification', method, params: isObject(params) ? params : noParams };
  if (params !== undefined && !isObject(params)) {
    return { kind: 'invalid', id: known, code: code.invalidParams, reason: 'params must be an object' };
  }
  const given = params ?? noParams;
  const long = method.length > longestName ? 'method' : names.find((name) => isLong(given[name]));
  if (long !== undefined) {
    const reason = `${long} has more than ${longestName} characters`;
    return { kind: 'invalid', id: known, code: code.invalidParams, reason };
  }
  const meta = given._meta;
  if (meta !== undefined && !isObject(meta)) {
    return { kind: 'invalid', id: known, code: code.invalidParams, reason: 'params._meta must be an object' };
  }
  return { kind: 'request', id: known, method, params: given, meta };
}

function classifyResponse(value: { [key: string]: unknown }, id: Id | null): Message {
  const hasResult = Object.hasOwn(value, 'result');
  const hasError = Object.hasOwn(value, 'error');
  if (!hasResult && !hasError) return invalid(id, 'method is missing');
  // The id is ours: with it, a client would take the refusal for the response to one of its own requests.
  if (id === null || hasResult === hasError)
    return invalid(null, 'a response has an id and either a result or an error');
  if (hasResult) return { kind: 'response', id, result: value.result };
  return isObject(value.error)
    ? { kind: 'response', id, error: value.error }
    : invalid(null, 'error must be an object');
}

function invalid(id: Id | null, reason: string): InvalidMessage {
  return { kind: 'invalid', id, code: code.invalidRequest, reason };
}

export function isLong(value: unknown): boolean {
  return typeof value === 'string' && value.length > longestName;
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

export function writeResult(id: Id, result: string): string {
  return `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":${result}}`;
}

/** Every error has `data.details`: the cause, if `data` has no better text for it, is the message. */
export function writeError(id: Id | null, errorCode: number, message: string, data?: unknown): string {
  const detailed = { details: message, ...(isObject(data) ? data : {}) };
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: errorCode, message, data: detailed } });
}

export function writeNotification(method: string, params?: Params): string {
  return JSON.stringify(params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params });
}

export function writeRequest(id: Id, method: string, params?: Params): string {
  return JSON.stringify(params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params });
}
