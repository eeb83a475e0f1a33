// GET /mcp/sse/<operation>: how far an operation is, as server-sent events until it is over. What is told is what the tool
// `status` says, so that the same callers may see it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { App } from '../app.ts';
import { createPlainCall } from '../core/call.ts';
import { LoreError, toLoreError } from '../core/error.ts';
import { callerOf } from './caller.ts';
import { sendFailure } from './rest.ts';
import { startSse } from './stream.ts';

export const operationPath = '/mcp/sse/';

const lookEveryMs = 100;

interface Told {
  state: string;
}

export async function serveOperation(app: App, id: string, request: IncomingMessage, response: ServerResponse) {
  const look = async (): Promise<Told> => {
    const { structured } = await app.registry.call('status', { operation_id: id }, createPlainCall(callerOf(request)));
    const [operation] = (structured as { operations: Told[] }).operations;
    if (operation) return operation;
    throw new LoreError('not_found', `Cannot follow "${id}": there is no such operation`);
  };
  try {
    let operation = await look();
    startSse(response);
    for (let told = ''; !response.destroyed; ) {
      const text = JSON.stringify(operation);
      const isOver = operation.state !== 'queued' && operation.state !== 'running';
      if (text !== told) response.write(`event: ${isOver ? operation.state : 'progress'}\ndata: ${text}\n\n`);
      if (isOver) return void response.end();
      told = text;
      await pause(lookEveryMs);
      operation = await look();
    }
  } catch (error) {
    if (!response.headersSent) return sendFailure(app, `${operationPath}${id}`, error, response);
    const { message } = toLoreError(error, 'follow the operation');
    response.end(`event: error\ndata: ${JSON.stringify({ message })}\n\n`);
  }
}
