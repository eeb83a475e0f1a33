// Outgoing requests: which addresses they reach, what a redirect may carry along, limits, and the proxy.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRecordingServer, type RecordingServer } from '../../../test/support/recording-server.ts';
import { networkOf } from './address.ts';
import { findProxy } from './proxy.ts';
import { readRetryAfter } from './retry-after.ts';
import { type OutgoingOptions, type OutgoingRequest, send } from './send.ts';

let server: RecordingServer;
beforeEach(async () => {
  server = await openRecordingServer();
});
afterEach(() => server.close());

const request = (more: Partial<OutgoingRequest> = {}, options: Partial<OutgoingOptions> = {}) =>
  send(
    { method: 'GET', origin: server.origin, target: '/', ...more },
    { reach: 'private', timeoutMs: 60_000, maxBytes: 1_000, ...options },
  );

describe('addresses', () => {
  it('are public, private or refused', () => {
    const networks = (...addresses: string[]) => [...new Set(addresses.map(networkOf))];
    expect(networks('8.8.8.8', '1.1.1.1', '2606:4700::1111', '::ffff:8.8.8.8')).toEqual(['public']);
    expect(networks('127.0.0.1', '127.9.9.9', '10.1.2.3', '172.31.0.1', '192.168.1.1', '100.64.0.1')).toEqual([
      'private',
    ]);
    expect(networks('::1', '::', '0.0.0.0', 'fd12::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1')).toEqual(['private']);
    expect(networks('169.254.169.254', '::ffff:169.254.169.254', 'fe80::1%eth0', 'fd00:ec2::254', '224.0.0.1')).toEqual(
      ['refused'],
    );
    expect(networks('64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::', '100.100.100.200', 'host', '')).toEqual(['refused']);
  });

  it.each(['http://169.254.169.254', 'http://[::ffff:169.254.169.254]', 'http://[fe80::1]', 'http://0xa9.254.169.254'])(
    'of metadata services are never reached: %s',
    async (origin) => {
      await expect(request({ origin: new URL(origin).origin })).rejects.toMatchObject({ word: 'forbidden' });
    },
  );

  it('of this machine are reached only if the request may', async () => {
    const { port } = new URL(server.origin);
    for (const origin of [server.origin, `http://localhost:${port}`, `http://2130706433:${port}`])
      await expect(request({ origin: new URL(origin).origin }, { reach: 'public' })).rejects.toMatchObject({
        word: 'forbidden',
      });
    expect(server.requests).toEqual([]);
    expect((await request({ origin: `http://localhost:${port}` })).status).toBe(200);
  });

  it('must be of http or https, and paths are sent as they are', async () => {
    for (const origin of ['file:///etc/passwd', 'ftp://host', 'http://user@host'])
      await expect(request({ origin })).rejects.toMatchObject({ word: 'invalid_input' });
    for (const target of ['/a b', '/a\r\nX: 1', 'a', '/é'])
      await expect(request({ target })).rejects.toMatchObject({ word: 'invalid_input' });
    await request({ target: '/%2E%2E/%7Ea//b/?x=[1]' });
    expect(server.requests[0]?.line).toBe('GET /%2E%2E/%7Ea//b/?x=[1]');
  });
});

describe('redirects', () => {
  const redirect = (status: number, location: (count: number) => string) => {
    server.answer = ({ line }, response) => {
      if (line.endsWith('/end')) response.end('end');
      else response.writeHead(status, { location: location(server.requests.length) }).end();
    };
  };
  const secret = { headers: [['authorization', 'Bearer secret']] as const };

  it('within the origin are followed three times', async () => {
    redirect(302, (count) => (count < 3 ? `/${count}` : '/end'));
    expect((await request(secret)).body.toString()).toBe('end');
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(Array(4).fill('Bearer secret'));
    redirect(302, (count) => `/${count}`);
    expect((await request()).status).toBe(302);
    expect(server.requests).toHaveLength(8);
  });

  it('to another origin are not followed, unless there are no credentials', async () => {
    const other = await openRecordingServer();
    redirect(307, () => `${other.origin}/end`);
    expect((await request(secret)).status).toBe(307);
    expect(other.requests).toEqual([]);
    expect(await request({}, { isRoaming: true })).toMatchObject({ status: 200, url: `${other.origin}/end` });
    redirect(307, () => 'http://169.254.169.254/latest');
    await expect(request({}, { isRoaming: true })).rejects.toMatchObject({ word: 'forbidden' });
    await other.close();
  });

  it('keep method and body, or turn a form into a page', async () => {
    const form = { method: 'POST', body: 'a=1', headers: [['content-type', 'text/plain']] as const };
    redirect(308, () => '/end');
    await request(form);
    redirect(303, () => '/end');
    await request(form);
    expect(server.requests.map(({ line, body }) => `${line} ${body}`)).toEqual([
      'POST / a=1',
      'POST /end a=1',
      'POST / a=1',
      'GET /end ',
    ]);
    expect(server.requests[3]?.headers['content-type']).toBeUndefined();
  });
});

describe('responses', () => {
  it('are unpacked, and limited in size before and after', async () => {
    const gzip = (content: Buffer) => {
      server.answer = (_, response) => response.setHeader('content-encoding', 'gzip').end(content);
    };
    gzip(gzipSync('text'));
    expect((await request()).body.toString()).toBe('text');
    gzip(gzipSync(Buffer.alloc(100_000)));
    await expect(request()).rejects.toMatchObject({ word: 'limit_exceeded' });
    gzip(Buffer.from('damaged'));
    await expect(request()).rejects.toMatchObject({ word: 'unavailable' });
    server.answer = (_, response) => response.end('x'.repeat(1_001));
    await expect(request()).rejects.toMatchObject({ word: 'limit_exceeded' });
  });

  it('end with the timeout, the signal or the connection', async () => {
    server.answer = (_, response) => void response.write('never ends');
    await expect(request({}, { timeoutMs: 50 })).rejects.toMatchObject({ word: 'timeout' });
    const signal = AbortSignal.abort();
    await expect(request({}, { signal })).rejects.toMatchObject({ name: 'AbortError' });
    server.answer = (_, response) => void response.destroy();
    await expect(request()).rejects.toMatchObject({ word: 'unavailable' });
  });

  it('state the delay before the next request', () => {
    expect([readRetryAfter('2'), readRetryAfter(''), readRetryAfter('soon'), readRetryAfter(undefined)]).toEqual([
      2_000,
      undefined,
      undefined,
      undefined,
    ]);
    expect(readRetryAfter(new Date(Date.now() + 9_000).toUTCString())).toBeGreaterThan(5_000);
  });
});

describe('a connection that the server closed while it was idle', () => {
  it('is opened again', async () => {
    const sockets: object[] = [];
    const closing = createServer(({ socket }, response) => {
      const isReused = sockets.includes(socket);
      sockets.push(socket);
      if (isReused) socket.destroy();
      else response.end('answer');
    });
    await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(closing.address() as AddressInfo).port}`;
    for (let turn = 0; turn < 2; turn++)
      expect((await request({ origin, method: 'POST', body: 'x' })).body.toString()).toBe('answer');
    expect(sockets).toHaveLength(3);
    closing.closeAllConnections();
    closing.close();
  });
});

describe('the proxy', () => {
  it('is taken from the environment, with exceptions', () => {
    const env = { https_proxy: 'proxy:3128', HTTP_PROXY: 'http://p:1', no_proxy: '.corp.example, plain.example' };
    const proxyOf = (url: string) => findProxy(new URL(url), env)?.host;
    expect(proxyOf('https://api.example')).toBe('proxy:3128');
    expect(proxyOf('http://api.example')).toBe('p:1');
    const direct = [
      'https://a.corp.example',
      'https://plain.example',
      'http://localhost:1',
      'http://127.0.0.1',
      'http://[::1]',
    ];
    expect(direct.map(proxyOf)).toEqual(Array(direct.length).fill(undefined));
  });

  it('gets whole addresses of http, and opens tunnels for https', async () => {
    const asked: string[] = [];
    const proxy = createServer((incoming, response) => {
      asked.push(`${incoming.method} ${incoming.url} ${incoming.headers['proxy-authorization']}`);
      response.end('through');
    });
    proxy.on('connect', (incoming, socket) => {
      asked.push(`${incoming.method} ${incoming.url}`);
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = `http://me:pw@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    for (const name of ['http_proxy', 'https_proxy']) vi.stubEnv(name, address);
    vi.stubEnv('no_proxy', '');
    vi.stubEnv('NO_PROXY', '');
    try {
      expect((await request({ origin: 'http://api.example', target: '/x?y' })).body.toString()).toBe('through');
      await expect(request({ origin: 'https://api.example' })).rejects.toThrow('the proxy answered 403');
    } finally {
      vi.unstubAllEnvs();
      proxy.closeAllConnections();
      proxy.close();
    }
    expect(asked).toEqual([`GET http://api.example/x?y Basic ${btoa('me:pw')}`, 'CONNECT api.example:443']);
  });
});
