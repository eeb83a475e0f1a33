// MCP over WebSocket: the SDK's client, who may connect, and clients that misbehave.
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
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

function dial(url: string): Socket {
  return connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
}

function handshake(url: string, more = ''): string {
  const key = 'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
  return `GET /mcp HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: Upgrade\r\n${key}${more}\r\n`;
}

const smallHeap = { NODE_OPTIONS: '--max-old-space-size=64', LOG_LEVEL: 'error' };

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
    const refused = dial(url);
    refused.write(handshake(url, 'Origin: https://evil.example\r\n'));
    expect(String((await once(refused, 'data'))[0])).toMatch(/^HTTP\/1.1 403/);
    child.kill('SIGTERM');
    expect((await once(child, 'exit'))[0]).toBe(0);
    connection.terminate();
    refused.destroy();
  });

  it('is refused behind a request that is not answered yet', async () => {
    const { url, origin } = await serveLore();
    const socket = dial(url);
    const call = JSON.stringify({
      ...ping,
      method: 'tools/call',
      params: { name: 'recall', arguments: { query: 'x' } },
    });
    const head = `Host: ${new URL(url).host}\r\nContent-Type: application/json\r\nContent-Length: ${call.length}`;
    socket.write(`POST /mcp HTTP/1.1\r\n${head}\r\n\r\n${call}${handshake(url)}`);
    socket.on('end', () => socket.end()).resume();
    await once(socket, 'close');
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  });

  it('is closed if messages that do not end take too much memory', async () => {
    const { url, origin } = await serveLore(smallHeap);
    const connections = Array.from({ length: 24 }, () => open(url));
    const closed = Promise.race(
      connections.map((connection) =>
        once(
          connection.on('error', () => {}),
          'close',
        ),
      ),
    );
    for (const connection of connections) {
      if (connection.readyState === WebSocket.CONNECTING) await once(connection, 'open');
      connection.send('x'.repeat(3_000_000), { fin: false });
    }
    await closed;
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    for (const connection of connections) connection.terminate();
  });

  it('is not read from while its client pings and does not read', async () => {
    const { url, origin } = await serveLore(smallHeap);
    const socket = dial(url);
    socket.write(handshake(url));
    await once(socket, 'data');
    socket.pause();
    const pings = Buffer.from(`\x89\xfd\0\0\0\0${'x'.repeat(125)}`.repeat(300_000), 'latin1');
    let isRead = false;
    socket.write(pings, () => {
      isRead = true;
    });
    for (let count = 0; count < 100; count++) await (await fetch(`${origin}/healthz`)).text();
    expect(isRead).toBe(false);
    socket.destroy();
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
