// Our client over HTTP, with our own server of both eras and transports, and with the official one.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFixtureService } from '../../test/conformance/fixture/service.ts';
import { createOfficial } from '../../test/differential/twin-official.ts';
import { createFolder } from '../../test/support/folder.ts';
import type { Questions } from '../core/call.ts';
import { createApp, createLog, loadConfig, serveHttp } from '../index.ts';
import type { Client, ClientOptions } from './client.ts';
import { connectHttp } from './connect.ts';

async function serve(): Promise<string> {
  const env = { LORE_DB: join(createFolder('client'), 'lore.db'), LORE_PORT: '0' };
  const app = await createApp({
    config: loadConfig({ env }),
    log: createLog('error'),
    services: [createFixtureService()],
    only: true,
  });
  const server = await serveHttp(app);
  onTestFinished(() => server.stop());
  return server.url;
}

async function connect(url: string, options: ClientOptions = {}): Promise<Client> {
  const client = await connectHttp({ url, reach: 'private' }, options);
  onTestFinished(() => client.close());
  return client;
}

const call = (client: Client, name: string, args: object = {}, context = {}) =>
  client.request('tools/call', { name, arguments: args }, context);
const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';
const answers = async (questions: Questions) =>
  Object.fromEntries(
    Object.keys(questions).map((key) => [key, { action: 'accept', content: { name: 'Ada', username: 'ada' } }]),
  );
const can = ['elicitation', 'sampling', 'roots'];

describe.each([
  ['without sessions', '', undefined, '2026-07-28'],
  ['in a session', '', 'session', '2025-11-25'],
  ['over HTTP+SSE', '/sse', undefined, '2025-11-25'],
] as const)('a client over HTTP %s', (_name, path, era, revision) => {
  it('calls, reports, asks, cancels', async () => {
    const client = await connect(`${await serve()}${path}`, { era });
    expect(client.server.revision).toBe(revision);
    expect(textOf(await call(client, 'test_simple_text'))).toBe('This is a simple text response for testing.');
    const seen: unknown[] = [];
    await call(client, 'test_tool_with_progress', {}, { progress: (done: number) => seen.push(done) });
    expect(seen).toEqual([0, 50, 100]);
    const isStateless = revision === '2026-07-28';
    const tool = isStateless ? 'test_input_required_result_elicitation' : 'test_elicitation';
    const args = isStateless ? {} : { message: 'Who?' };
    expect(textOf(await call(client, tool, args, { can, ask: answers }))).toContain(
      isStateless ? 'Hello, Ada!' : 'ada',
    );
    const controller = new AbortController();
    const asking = call(
      client,
      'test_elicitation',
      { message: 'Who?' },
      {
        can,
        signal: controller.signal,
        ask: () => {
          controller.abort(new Error('enough'));
          return new Promise(() => {});
        },
      },
    );
    await expect(asking).rejects.toThrow('enough');
    expect(await client.list('resources')).not.toEqual([]);
  });
});

describe('a client over HTTP', () => {
  it('resumes a stream that the server closed', async () => {
    const client = await connect(await serve(), { era: 'session' });
    expect(textOf(await call(client, 'test_reconnection'))).not.toBe('');
  });

  it('sends annotated arguments as headers, in any characters', async () => {
    const client = await connect(await serve());
    const tools = await client.list('tools');
    const tool = tools.find(({ inputSchema }) => JSON.stringify(inputSchema).includes('x-mcp-header')) as {
      name: string;
      inputSchema: { properties: Record<string, { 'x-mcp-header'?: string }> };
    };
    const args = Object.fromEntries(Object.keys(tool.inputSchema.properties).map((key) => [key, 'Zürich\n']));
    const context = { schema: tool.inputSchema };
    await expect(call(client, tool.name, args, context)).resolves.toMatchObject({ resultType: 'complete' });
    await expect(call(client, tool.name, args)).rejects.toMatchObject({ code: -32020 });
  });

  it('hears of changed lists', async () => {
    const url = await serve();
    for (const era of ['session', 'stateless'] as const) {
      let heard = () => {};
      const changed = new Promise<void>((resolve) => {
        heard = resolve;
      });
      const client = await connect(url, { era, notice: (method) => method.endsWith('tools/list_changed') && heard() });
      // The stream that carries it may not be open yet.
      await expect
        .poll(async () => Promise.race([changed.then(() => 'heard'), call(client, 'test_trigger_tool_change')]))
        .toBe('heard');
    }
  });

  it('speaks with the official server, and begins again after its session was ended', async () => {
    const transports = new Map<string, StreamableHTTPServerTransport>();
    const server = createServer(async (request, response) => {
      const known = transports.get(String(request.headers['mcp-session-id']));
      if (known) return known.handleRequest(request, response);
      if (request.headers['mcp-session-id']) return void response.writeHead(404).end();
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void transports.set(id, transport),
      });
      await createOfficial().connect(transport as never);
      await transport.handleRequest(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    let closed = '';
    const client = await connect(url, {
      closed: (error) => {
        closed = error.message;
      },
    });
    expect(client.server).toMatchObject({ name: 'official', revision: '2025-11-25' });
    expect(textOf(await call(client, 'greet', { name: 'Ada' }))).toBe('Hello, Ada!');
    transports.clear();
    await expect(call(client, 'greet', { name: 'Ada' })).rejects.toMatchObject({ word: 'unavailable' });
    expect(closed).toContain('ended the session');
    expect(textOf(await call(await connect(url), 'greet', { name: 'Bob' }))).toBe('Hello, Bob!');
  });

  it('reports the first refusal of a server that speaks nothing we know', async () => {
    const server = createServer((_, response) => void response.writeHead(404).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    await expect(connect(url)).rejects.toMatchObject({ word: 'not_found', message: expect.stringContaining('404') });
  });
});

describe('a connection that fails', () => {
  it.each([
    ['because nobody is logged in', 'log in first'],
    ['because its stream names no address', 'it names no address'],
  ])('%s is closed, so that a command can end', async (_name, reason) => {
    const server = createServer((request, response) => {
      if (reason === 'log in first') response.writeHead(401).end('{}');
      else if (request.method === 'POST') response.writeHead(405).end();
      else response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: message\ndata: {}\n\n');
    });
    server.keepAliveTimeout = 0;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => server.closeAllConnections());
    const sockets: Promise<unknown>[] = [];
    server.on('connection', (socket) => sockets.push(once(socket, 'close')));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const renew = async () => {
      throw new Error('log in first');
    };
    await expect(connectHttp({ url, reach: 'private', renew })).rejects.toThrow(reason);
    await Promise.race(sockets.slice(-1));
  });
});
