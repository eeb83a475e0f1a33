// JSON-RPC error codes, and the code for each error word. -32001 to -32003 are only for sessions: the stateless revisions
// reserve that range.

import type { ErrorWord, LoreError } from '../core/error.ts';
import { ResultTooLarge } from '../core/registry/bound.ts';
import { missingScope } from '../core/registry/permission.ts';
import { fenceAsData } from '../core/text/fence.ts';

export const code = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  urlRequired: -32042,
  /** Refused by the transport: the request did not reach the protocol. */
  refused: -32000,
  unavailable: -32001,
  resourceNotFound: -32002,
  timeout: -32003,
  cancelled: -32800,
  tooLarge: -32801,
} as const;

/** An error of the protocol itself. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;
  /** The HTTP status, if the revision prescribes one. */
  readonly status: number | undefined;

  constructor(errorCode: number, message: string, options: { data?: unknown; status?: number } = {}) {
    super(message);
    this.code = errorCode;
    this.data = options.data;
    this.status = options.status;
  }
}

export function invalidParams(message: string, data?: unknown): RpcError {
  return new RpcError(code.invalidParams, message, { data });
}

/** Sent when the server ends a request early. */
export function ended(reason: string): RpcError {
  return new RpcError(code.cancelled, `Request cancelled: ${reason}`);
}

type RpcCode = number | 'as result';

/**
 * How a client is answered. Revision 2025-03-26 sends invalid arguments and internal errors as protocol errors. Later ones
 * send them as results, and clients of the first one expect that as well.
 */
export type Era = 'session' | 'stateless' | 'assumed';

/** A failing tool returns a result that a model can read; only a server that cannot serve is a protocol error. */
const toolFailure: Record<ErrorWord, Record<Era, RpcCode>> = {
  invalid_input: { session: 'as result', stateless: 'as result', assumed: code.invalidParams },
  not_found: { session: 'as result', stateless: 'as result', assumed: 'as result' },
  conflict: { session: 'as result', stateless: 'as result', assumed: 'as result' },
  forbidden: { session: 'as result', stateless: 'as result', assumed: 'as result' },
  limit_exceeded: { session: 'as result', stateless: 'as result', assumed: 'as result' },
  timeout: { session: code.timeout, stateless: 'as result', assumed: code.timeout },
  unavailable: { session: code.unavailable, stateless: code.internal, assumed: code.unavailable },
  internal: { session: 'as result', stateless: 'as result', assumed: code.internal },
};

/** The words of the first revision's servers. */
const firstCode: Record<ErrorWord, string> = {
  invalid_input: 'InvalidParams',
  not_found: 'ToolExecutionError',
  conflict: 'ToolExecutionError',
  forbidden: 'ToolExecutionError',
  limit_exceeded: 'ToolExecutionError',
  timeout: 'ToolExecutionError',
  unavailable: 'ToolExecutionError',
  internal: 'InternalError',
};

/** Only tools have a result that can contain a failure. */
const otherFailure: Record<ErrorWord, { session: number; stateless: number }> = {
  invalid_input: { session: code.invalidParams, stateless: code.invalidParams },
  not_found: { session: code.resourceNotFound, stateless: code.invalidParams },
  conflict: { session: code.internal, stateless: code.internal },
  forbidden: { session: code.internal, stateless: code.internal },
  limit_exceeded: { session: code.internal, stateless: code.internal },
  timeout: { session: code.timeout, stateless: code.internal },
  unavailable: { session: code.unavailable, stateless: code.internal },
  internal: { session: code.internal, stateless: code.internal },
};

/** The error as an object. Codex and Gemini CLI show it to their model, so the advice in it is fenced as in the text. */
export function errorFacts(error: LoreError): { [fact: string]: unknown } {
  return {
    code: error.word,
    message: error.message,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.details === undefined ? {} : { details: error.details }),
    ...adviceOf(error),
  };
}

/** The same for clients of the first revision, as a member of the result. */
export function firstErrorFacts(error: LoreError): { [fact: string]: unknown } {
  return { ...errorFacts(error), code: firstCode[error.word] };
}

function adviceOf({ advice }: LoreError): { advice?: string } {
  return advice.length === 0 ? {} : { advice: fenceAsData(advice) };
}

export function toolErrorCode(error: LoreError, era: Era): RpcCode {
  if (error instanceof ResultTooLarge && era !== 'stateless') return code.tooLarge;
  // The client acts on it, not the model.
  if (error.details?.[missingScope] !== undefined) return code.refused;
  return toolFailure[error.word][era];
}

/**
 * The error as a protocol error, with details in `data`. `rpcCode` is that of a failed tool: its client shows only the message
 * to the model, so the hint is added to it.
 */
export function toRpcError(error: LoreError, stateless: boolean, rpcCode?: number): RpcError {
  const { word, message, hint, details } = error;
  const missing = details?.received === 'nothing' ? details.path?.replace(/^arguments\./, '') : undefined;
  const data = {
    ...(missing === undefined ? {} : { details: `Required parameter '${missing}' is missing` }),
    code: word,
    ...(hint === undefined ? {} : { hint }),
    ...details,
    ...adviceOf(error),
  };
  const tooLarge = error instanceof ResultTooLarge && !stateless ? code.tooLarge : undefined;
  const other = otherFailure[word][stateless ? 'stateless' : 'session'];
  const text = rpcCode === undefined || hint === undefined ? message : `${message}. ${hint}`;
  const isStepUp = details?.[missingScope] !== undefined;
  return new RpcError(rpcCode ?? tooLarge ?? other, text, { data, ...(isStepUp && { status: 403 }) });
}
