// GET /mcp/sse/<operation>: the progress of an operation as server-sent events until it ends. Every event is the result of the
// tool `status`, so that the same permissions apply.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { App } from '../app.ts';
import { createPlainCall } from '../core/call.ts';
import { LoreError, toLoreError } from '../core/error.ts';
import { callerOf } from './caller.ts';
import type { OperationWatch } from './operation-watch.ts';
import { isFull, writeText } from './outbox.ts';
import { sendFailure } from './rest.ts';
import { startSse } from './stream.ts';

export const operationPath = '/mcp/sse/';

interface Shown {
  id: string;
  state: string;
}

export async function serveOperation(
  app: App,
  watch: OperationWatch,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const call = createPlainCall(callerOf(request), undefined, undefined, request.socket);
  let hasChanged = false;
  let wake = () => {};
  const notice = () => {
    hasChanged = true;
    wake();
  };
  const look = async (): Promise<Shown> => {
    hasChanged = false;
    await app.load();
    const { structured } = await app.registry.call('status', { operation_id: id }, call);
    const [operation] = (structured as { operations: Shown[] }).operations;
    if (operation) return operation;
    throw new LoreError('not_found', `Cannot follow "${id}": there is no such operation`);
  };
  response.on('close', () => {
    call.cancel(new LoreError('timeout', 'Cannot answer: the client disconnected'));
    wake();
  });
  let leave = () => {};
  try {
    let operation = await look();
    leave = watch.follow(operation.id, notice);
    startSse(response);
    for (let sent = ''; !call.signal.aborted; ) {
      const text = JSON.stringify(operation);
      const isOver = operation.state !== 'queued' && operation.state !== 'running';
      // A client that does not read receives only the end.
      if (text !== sent && (isOver || !isFull(response))) {
        writeText(response, `event: ${isOver ? operation.state : 'progress'}\ndata: ${text}\n\n`);
        sent = text;
      }
      if (isOver) return void response.end();
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (hasChanged || call.signal.aborted) resolve();
      });
      if (!call.signal.aborted) operation = await look();
    }
  } catch (error) {
    if (!response.headersSent) return sendFailure(app, `${operationPath}${id}`, error, response);
    const { message } = toLoreError(error, 'follow the operation');
    response.end(`event: error\ndata: ${JSON.stringify({ message })}\n\n`);
  } finally {
    leave();
  }
}
