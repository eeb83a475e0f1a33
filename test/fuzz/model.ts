// What a message must be answered with, by JSON-RPC and PROTOCOL.md alone: written without a look at the server's code, so
// that the two can disagree. An outcome reads `<id> <error code or "result">`; nothing means no answer at all.
import { isUtf8 } from 'node:buffer';
import { predictMethod } from './model-methods.ts';

export type Outcome = string | undefined;

export interface Ground {
  /** Nothing has been agreed on, or 2025-03-26: batches are allowed, and invalid arguments are a protocol error. */
  batches: boolean;
  maxBytes: number;
}

/** Would change what the connection is (initialize, shutdown) or never end: not for a fuzzer. */
export class Unwanted extends Error {}

const versionKey = 'io.modelcontextprotocol/protocolVersion';

export function predictBytes(bytes: Buffer, ground: Ground): Outcome {
  if (bytes.length > ground.maxBytes) return 'null -32600';
  if (!isUtf8(bytes)) return 'null -32700';
  const text = bytes.toString().trim();
  if (text === '') return undefined;
  if (depthOf(text) > deepest) return 'null -32700';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'null -32700';
  }
  return Array.isArray(value) ? predictBatch(value, ground) : predictMessage(value, ground.batches);
}

/** No client nests as deeply; every deep value here does by far. */
const deepest = 500;

/** Of brackets and braces outside strings. */
function depthOf(text: string): number {
  let [depth, most] = [0, 0];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') most = Math.max(most, ++depth);
    else if (token === ']' || token === '}') depth--;
  }
  return most;
}

function predictBatch(values: unknown[], { batches }: Ground): Outcome {
  if (values.length === 0 || !batches || values.some(carriesEnvelope)) return 'null -32600';
  const outcomes = values.flatMap((value) => predictMessage(value, batches, true) ?? []);
  return outcomes.length === 0 ? undefined : writeBatch(outcomes);
}

/** The order of answers in a batch is free. */
export function writeBatch(outcomes: string[]): string {
  return `[${[...outcomes].sort().join(', ')}]`;
}

function predictMessage(value: unknown, batches: boolean, inBatch = false): Outcome {
  if (!isObject(value)) return 'null -32600';
  const { id, method, params } = value;
  const known = isId(id) ? JSON.stringify(id) : 'null';
  if (value.jsonrpc !== '2.0') return `${known} -32600`;
  if (method === undefined) return predictResponse(value, known);
  if (typeof method !== 'string') return `${known} -32600`;
  // A notification is never answered, whatever is wrong with its parameters.
  if (id === undefined) return undefined;
  if (!isId(id)) return 'null -32600';
  if (params !== undefined && !isObject(params)) return `${known} -32602`;
  const given = params ?? {};
  if (given._meta !== undefined && !isObject(given._meta)) return `${known} -32602`;
  if (inBatch && method === 'initialize') return `${known} -32600`;
  // Whether an id still in use is served or refused is a matter of moments.
  if (typeof id === 'string' && id.startsWith('dup-')) return `${known} answered`;
  return `${known} ${predictMethod(method, given, batches)}`;
}

/** What looks like a response is not answered with its id: that id is one of ours, and the client has its own of that name. */
function predictResponse(value: { [key: string]: unknown }, known: string): Outcome {
  const answers = ['result', 'error'].filter((key) => Object.hasOwn(value, key));
  if (answers.length === 0) return `${known} -32600`;
  const wellFormed = answers.length === 1 && (answers[0] === 'result' || isObject(value.error)) && known !== 'null';
  return wellFormed ? undefined : 'null -32600';
}

function carriesEnvelope(value: unknown): boolean {
  if (!isObject(value) || !isObject(value.params) || !isObject(value.params._meta)) return false;
  return value.params._meta[versionKey] !== undefined;
}

function isId(value: unknown): boolean {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

export function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
