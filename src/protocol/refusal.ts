// Errors of requests that reach no method.
import { code, RpcError } from './code.ts';
import { modernRevisions } from './revision.ts';

export function methodNotFound(method: string, stateless: boolean): RpcError {
  return new RpcError(code.methodNotFound, `Method not found: ${method}`, stateless ? { status: 404 } : {});
}

export function envelopeError(reason: string): RpcError {
  return new RpcError(code.invalidParams, `Invalid params: ${reason}`, { status: 400 });
}

/** `supported`: by default those that an envelope can name. */
export function unsupportedVersion(requested: string, supported: readonly string[] = modernRevisions): RpcError {
  const data = { supported, requested };
  return new RpcError(code.unsupportedVersion, 'Unsupported protocol version', { data, status: 400 });
}

export function noSession(): RpcError {
  const data = { hint: 'Send initialize first.' };
  return new RpcError(code.refused, 'Bad Request: No session ID provided', { data, status: 400 });
}
