// MCP over WebSocket: the SDK's client, who may connect, and clients that misbehave.
import { once } from 'node:events';
import { request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { describe, expect, it } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { serveLore } from '../support/http.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

function open(url: string, options: ClientOptions = {}): WebSocket {
  return new WebSocket(url.replace('http', 'ws'), 'mcp', options);
}

/** The status of a refused handshake. */
async function statusOf(connection: WebSocket): Promise<number | undefined> {
  const [, response] = await once(connection, 'unexpected-response');
  return response.statusCode;
}

async function nextMessage(connection: WebSocket): Promise<unknown> {
  const [data] = await once(connection, 'message');
  return JSON.parse(String(data));
}

describe('a WebSocket', () => {
  it('serves the client of the SDK', async () => {
    const { url } = await serveLore();
    Object.assign(globalThis, { WebSocket });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new WebSocketClientTransport(new URL(url.replace('http', 'ws'))));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('recall');
    const called = await client.callTool({ name: 'remember', arguments: { content: 'The port is 7070.' } });
    expect(called).toMatchObject({ content: [{ text: expect.stringMatching(/^Stored/) }] });
    await client.close();
  });

  it('is refused like any other request', async () => {
    const { url } = await serveLore({ LORE_TOKEN: 'hunter2', LORE_TOKEN_REQUIRED: '1' });
    const Authorization = 'Bearer hunter2';
    expect(await statusOf(open(url))).toBe(401);
    expect(await statusOf(open(url, { headers: { Authorization, Origin: 'https://evil.example' } }))).toBe(403);
    expect(await statusOf(open(url, { headers: { Authorization, Host: 'evil.example' } }))).toBe(403);
    expect(await statusOf(open(url, { headers: { Authorization, 'Lore-Project': '/' } }))).toBe(403);
    expect(await statusOf(open(`${url}/nowhere`, { headers: { Authorization } }))).toBe(404);
    const admitted = open(url, { headers: { Authorization } });
    await once(admitted, 'open');
    admitted.send(JSON.stringify(ping));
    expect(await nextMessage(admitted)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    admitted.close();
  });

  it('answers what is not a message, and closes on one that is too large', async () => {
    const { url } = await serveLore({ LORE_MAX_MESSAGE_BYTES: '1024' });
    const connection = open(url);
    await once(connection, 'open');
    for (const wrong of ['{', Buffer.from('binary')]) {
      connection.send(wrong);
      expect(await nextMessage(connection)).toMatchObject({ id: null, error: { code: -32700 } });
    }
    connection.send('x'.repeat(2_000));
    expect((await once(connection, 'close'))[0]).toBe(1009);
    const other = open(url);
    await once(other, 'open');
    other.send(JSON.stringify(ping));
    expect(await nextMessage(other)).toMatchObject({ id: 1 });
    other.close();
  });

  it('answers every request of a client that reads late', async () => {
    const { url } = await serveLore();
    const connection = open(url);
    await once(connection, 'open');
    connection.pause();
    const count = 1_200;
    for (let id = 0; id < count; id++) {
      connection.send(JSON.stringify({ ...ping, id, method: id % 4 === 0 ? 'tools/list' : 'ping' }));
    }
    const answered = new Set<number>();
    const all = new Promise<void>((resolve) => {
      connection.on('message', (data) => {
        answered.add(JSON.parse(String(data)).id);
        if (answered.size === count) resolve();
      });
    });
    connection.resume();
    await all;
    connection.close();
  });

  it('does not keep a stopping server waiting', async () => {
    const { url, child } = await serveLore();
    const connection = open(url);
    await once(connection, 'open');
    connection.pause();
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
    connection.terminate();
  });

  it('is not what other upgrades get: they are ignored', async () => {
    const { origin } = await serveLore();
    const headers = {
      Connection: 'Upgrade, HTTP2-Settings',
      Upgrade: 'h2c',
      'HTTP2-Settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
    };
    const [response] = await once(request(`${origin}/healthz`, { headers }).end(), 'response');
    expect(response.statusCode).toBe(200);
    response.resume();
  });
});
