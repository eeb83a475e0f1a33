// Judges what the server sends by the schema of the revision it is sent in: each message as a message, and each result,
// notification and request as what its method makes it.
import type { Revision } from '../../src/protocol/revision.ts';
import { loadOracle } from './schema.ts';
import { errorTypes, notificationTypes, otherResultTypes, requestTypes, resultTypes } from './types.ts';

export interface Message {
  jsonrpc?: unknown;
  id?: string | number | null;
  method?: string;
  params?: { [key: string]: unknown };
  result?: { [key: string]: unknown };
  error?: { code: number; message: string; data?: unknown };
}

export interface Judge {
  /** What has been found wrong, each with the first message it is wrong in. */
  readonly problems: string[];
  /** What has been seen: methods, kinds of result and error codes. A judge that saw nothing has shown nothing. */
  readonly seen: ReadonlySet<string>;
  /** An answer, to a request of this method where it could be read. */
  judgeAnswer(text: string, method: string | undefined): void;
  /** A notification or a request of the server. */
  judgeMessage(text: string): void;
}

export function createJudge(revision: Revision): Judge {
  const oracle = loadOracle(revision);
  const problems: string[] = [];
  const told = new Set<string>();
  const seen = new Set<string>();

  function expectType(type: string, value: unknown, text: string): void {
    const problem = oracle.knows(type) ? oracle.findProblem(type, value) : `${revision} has no ${type}`;
    if (problem === undefined || told.has(problem)) return;
    told.add(problem);
    problems.push(`${problem} in ${shorten(text)}`);
  }

  function judgeError(message: Message, text: string): void {
    const { code } = message.error as { code: number };
    seen.add(`error ${code}`);
    // JSON-RPC: the id is null where the request's could not be read. The schema has no word for such an answer.
    if (message.id === null) return expectType('JSONRPCMessage', { ...message, id: 0 }, text);
    expectType('JSONRPCMessage', message, text);
    const type = errorTypes[code];
    if (type !== undefined && oracle.knows(type)) expectType(type, message, text);
  }

  function judgeResult(message: Message, method: string, text: string): void {
    expectType('JSONRPCMessage', message, text);
    const kind = message.result?.resultType;
    const other = typeof kind === 'string' && kind !== 'complete' ? otherResultTypes[kind] : undefined;
    seen.add(`result ${method}${other ? ` ${kind}` : ''}`);
    if (other && !other.methods.includes(method)) problems.push(`${method} cannot be answered with ${kind}`);
    if (!other && kind !== undefined && kind !== 'complete') problems.push(`unknown resultType ${kind}`);
    const type = other?.type ?? resultTypes[method];
    if (type === undefined) problems.push(`no type is known for the result of ${method}`);
    else expectType(type, message.result, text);
  }

  return {
    problems,
    seen,
    judgeAnswer(text, method) {
      const message = JSON.parse(text) as Message;
      if (message.error) return judgeError(message, text);
      if (method === undefined) problems.push(`a result where only an error can be: ${shorten(text)}`);
      else judgeResult(message, method, text);
    },
    judgeMessage(text) {
      const message = JSON.parse(text) as Message;
      const { id, method = '' } = message;
      expectType('JSONRPCMessage', message, text);
      seen.add(id === undefined ? `notification ${method}` : `request ${method}`);
      if (id !== undefined && !oracle.knows('ServerRequest')) problems.push(`${revision} has no requests of a server`);
      const type = (id === undefined ? notificationTypes : requestTypes)[method];
      if (type === undefined) problems.push(`no type is known for ${method}`);
      else expectType(type, message, text);
    },
  };
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
