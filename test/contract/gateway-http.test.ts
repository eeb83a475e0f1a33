// Mounted servers over HTTP: a session that the server forgot is opened again, and the call is sent again.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { describeTool, MountLab } from '../support/mounts-lab.ts';

it('a mounted server over HTTP: a forgotten session is opened again, and the call is run once', async () => {
  const lab = new MountLab();
  onTestFinished(() => lab.close());
  const sessions = new Set<string>();
  let runs = 0;
  const answers: Record<string, (params: { protocolVersion?: string }) => object> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'web', version: '1' },
    }),
    'tools/list': () => ({ tools: [describeTool('count')] }),
    'tools/call': () => ({ content: [{ type: 'text', text: `run ${++runs}` }] }),
  };
  const server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse((await text(request)) || '{}');
    const session = request.headers['mcp-session-id'] as string | undefined;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    if (method === 'initialize') {
      sessions.add(`s${sessions.size}-${Date.now()}`);
      response.setHeader('mcp-session-id', [...sessions].at(-1) as string);
    } else if (session === undefined || !sessions.has(session))
      return void response.writeHead(session ? 404 : 400).end();
    if (id === undefined) return void response.writeHead(202).end();
    const result = answers[method]?.(params);
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await lab.gateway.add(
    { name: 'web', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, addedAt: 0 },
    {},
  );
  await lab.start();
  expect((await lab.read('web_count')).text).toBe('run 1');
  sessions.clear();
  expect((await lab.read('web_count')).text).toBe('run 2');
});
