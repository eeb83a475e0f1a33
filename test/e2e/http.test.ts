// The HTTP server from outside: the status of every refusal, sessions, streams, routes, and who may connect.
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { legacyRevisions, modernRevisions } from '../../src/protocol/revision.ts';
import { initialize, jsonHeaders, nextEvent, post, readEvents, serveLore } from '../support/http.ts';
import { runLore } from '../support/lore.ts';

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const callStatus = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'status', arguments: {} } };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('the curl lines of a client without a library', () => {
  it('initialize, call a tool, open the stream, end the session', async () => {
    const { url } = await serveLore();
    const opening = await post(url, {
      jsonrpc: '2.0',
      id: '1',
      method: 'initialize',
      params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'test', version: '1.0' } },
    });
    expect(opening.status).toBe(200);
    expect(opening.headers.get('mcp-protocol-version')).toBe('2024-11-05');
    expect(await opening.json()).toMatchObject({ id: '1', result: { protocolVersion: '2024-11-05' } });
    const session = { 'Mcp-Session-Id': opening.headers.get('mcp-session-id') as string };

    const answer = await post(url, callStatus, session);
    expect(await answer.json()).toMatchObject({
      id: 2,
      result: { content: [{ text: expect.stringMatching(/^lorekeeper/) }] },
    });

    const stream = await fetch(url, { headers: { Accept: 'text/event-stream', ...session } });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.headers.get('cache-control')).toBe('no-cache, no-transform');

    expect((await fetch(url, { method: 'DELETE', headers: session })).status).toBe(204);
    expect((await post(url, callStatus, session)).status).toBe(404);
    expect(await readEvents(stream).next()).toMatchObject({ done: true });
  });
});

describe('a request is refused', () => {
  it.each([
    ['without a session', 400, ping, {}, -32000],
    ['with an unknown session', 404, ping, { 'Mcp-Session-Id': 'nonsense' }, -32000],
    ['with an unknown revision', 400, ping, { 'MCP-Protocol-Version': '1999-01-01' }, -32022],
    ['with a body that is not JSON', 400, '{', {}, -32700],
    ['with a body that is not a message', 400, '7', {}, -32600],
    ['with a content type that is not JSON', 415, ping, { 'Content-Type': 'text/plain' }, -32000],
    ['when it accepts neither form of answer', 406, ping, { Accept: 'text/html' }, -32000],
    ['from a foreign page', 403, ping, { Origin: 'https://evil.example' }, -32000],
    ['from a page without an origin', 403, ping, { Origin: 'null' }, -32000],
    ['when the body is too large', 413, 'x'.repeat(2000), {}, -32000],
    ['in a batch without a session', 400, [ping], {}, -32000],
  ])('%s: %d', async (_, status, message, headers, code) => {
    const { url } = await serveLore({ LORE_MAX_MESSAGE_BYTES: '1024' });
    const answer = await post(url, message, headers);
    expect(answer.status).toBe(status);
    const error = { code, message: expect.any(String), data: { details: expect.any(String) } };
    expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error });
  });

  it('with an unknown revision, and is told all that are supported', async () => {
    const { url } = await serveLore();
    const unknown = await post(url, ping, { ...(await initialize(url)), 'MCP-Protocol-Version': '1999-01-01' });
    const { error } = (await unknown.json()) as { error: { data: object } };
    expect(error.data).toMatchObject({ supported: [...legacyRevisions, ...modernRevisions] });
  });

  it('with a foreign Host, and with a method or path that is not there', async () => {
    const { url, origin } = await serveLore();
    const status = await new Promise((resolve) => {
      request(url, { headers: { Host: 'evil.example' } }, (answer) => resolve(answer.statusCode)).end();
    });
    expect(status).toBe(403);
    const put = await fetch(url, { method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST, GET, DELETE']);
    expect((await fetch(`${origin}/nonsense`)).status).toBe(404);
    expect((await fetch(`${origin}/.well-known/oauth-protected-resource`)).status).toBe(404);
  });
});

describe('a refusal', () => {
  /** Sends all of it before it reads anything. */
  function exchange(url: string, lines: readonly string[], body: Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', reject);
      socket.pause();
      socket.write([...lines, `Content-Length: ${body.length}`, '', ''].join('\r\n'));
      socket.write(body, () => {
        socket.resume();
        socket.once('data', (answer) => {
          resolve(answer.toString());
          socket.destroy();
        });
      });
    });
  }

  const start = ['POST /mcp HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
  const large = Buffer.alloc(20 << 20, 'x');

  it('reaches a client that sends a large body first', async () => {
    const { url } = await serveLore();
    expect(await exchange(url, start, large)).toMatch(/^HTTP\/1.1 413 /);
    expect(await exchange(url, [...start, 'Origin: https://evil.example'], large)).toMatch(/^HTTP\/1.1 403 /);
  });

  it('is the response to two Host headers', async () => {
    const { url } = await serveLore();
    for (const second of ['localhost', 'evil.example']) {
      const lines = ['POST /mcp/status HTTP/1.1', ...start.slice(1), `host: ${second}`];
      expect(await exchange(url, lines, Buffer.from('{}'))).toMatch(/^HTTP\/1.1 400 /);
    }
  });
});

describe('the stateless revision', () => {
  const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'status' };
  const message = { ...callStatus, params: { ...callStatus.params, _meta: envelope } };

  it('needs no session, and ignores one', async () => {
    const { url } = await serveLore();
    const answer = await post(url, message, { ...headers, 'Mcp-Session-Id': 'whatever' });
    expect(answer.status).toBe(200);
    expect(answer.headers.has('mcp-session-id')).toBe(false);
    expect(await answer.json()).toMatchObject({
      result: { resultType: 'complete', content: [{ text: expect.stringMatching(/^lorekeeper/) }] },
    });
  });

  it('ends a listen stream when the server stops', async () => {
    const { url, child } = await serveLore();
    const params = { _meta: envelope, notifications: { toolsListChanged: true } };
    const listen = { jsonrpc: '2.0', id: 'l', method: 'subscriptions/listen', params };
    const stream = await post(url, listen, { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': listen.method });
    const events = readEvents(stream);
    expect(JSON.parse((await nextEvent(events)).data as string).method).toBe(
      'notifications/subscriptions/acknowledged',
    );
    child.kill('SIGTERM');
    expect(JSON.parse((await nextEvent(events)).data as string)).toMatchObject({
      id: 'l',
      result: { resultType: 'complete' },
    });
  });
});

describe('the first transport', () => {
  it('answers through the stream that named its address', async () => {
    const { origin } = await serveLore();
    const stream = await fetch(`${origin}/mcp/sse`, { headers: { Accept: 'text/event-stream' } });
    const events = readEvents(stream);
    const endpoint = await nextEvent(events);
    expect(endpoint).toMatchObject({ event: 'endpoint', data: expect.stringMatching(/^\/mcp\/messages\?sessionId=/) });
    expect((await post(`${origin}${endpoint.data}`, ping)).status).toBe(202);
    expect(await nextEvent(events)).toMatchObject({ event: 'message', data: '{"jsonrpc":"2.0","id":1,"result":{}}' });
    expect((await post(`${origin}/mcp/messages?sessionId=nonsense`, ping)).status).toBe(404);
  });
});

describe('plain routes', () => {
  it('call the same tools', async () => {
    const { origin } = await serveLore();
    const answer = await fetch(`${origin}/mcp/status`, { method: 'POST' });
    expect(await answer.json()).toMatchObject({ name: 'lorekeeper', store: { engine: 'sqlite', nodes: 0 } });
    expect(await (await fetch(`${origin}/mcp/tools/list`)).json()).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'status' })]),
    });
    expect(await (await fetch(`${origin}/mcp/resources/list`)).json()).toMatchObject({
      resources: [{ uri: 'lore://checkpoint' }, { uri: 'lore://project' }, { uri: 'lore://recent' }],
    });
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    const page = await fetch(`${origin}/`, { headers: { Accept: 'text/html,*/*' } });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain(`lorekeeper ${origin}/mcp</p>`);
    expect(await (await fetch(`${origin}/`)).text()).toMatch(/^Lorekeeper \S+ is running\./);
  });

  it.each([
    ['no/such/tool', '{}', 404, 'not_found'],
    ['status', '{"x":1}', 400, 'invalid_input'],
    ['status', '{', 400, 'invalid_input'],
    ['resources/read', '{"uri":"lore://nothing"}', 404, 'not_found'],
  ])('answer %s %s with %d', async (route, body, status, code) => {
    const { origin } = await serveLore();
    const answer = await fetch(`${origin}/mcp/${route}`, { method: 'POST', body, headers: jsonHeaders });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ success: false, error: { code } });
  });
});

describe('a token', () => {
  it('is required of every request once it is mandatory', async () => {
    const { url, origin } = await serveLore({ LORE_TOKEN: 'hunter2', LORE_TOKEN_REQUIRED: '1' });
    const refused = await post(url, ping);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect((await post(url, ping, { Authorization: 'Bearer wrong' })).status).toBe(401);
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await post(url, ping, { Authorization: `${scheme} hunter2` })).status).toBe(400);
    }
    expect((await post(url, ping, { 'X-API-Key': 'hunter2' })).status).toBe(400);
    expect((await post(url, ping, { 'X-API-Key': 'wrong' })).status).toBe(401);
    expect((await fetch(`${origin}/mcp/tools/list`)).status).toBe(401);
    expect(await (await fetch(`${origin}/healthz`)).text()).toBe('{"status":"ok"}');
  });
});

describe('sessions', () => {
  it('are evicted above the limit, longest idle first', async () => {
    const { url } = await serveLore({ LORE_MAX_SESSIONS: '2' });
    const [first, second] = [await initialize(url), await initialize(url)];
    expect((await post(url, ping, first)).status).toBe(200);
    await initialize(url);
    expect((await post(url, ping, second)).status).toBe(404);
    expect((await post(url, ping, first)).status).toBe(200);
  });

  it('end by shutdown, after its answer', async () => {
    const { url } = await serveLore();
    const session = await initialize(url);
    expect(await (await post(url, { ...ping, method: 'shutdown' }, session)).json()).toMatchObject({ result: {} });
    expect((await post(url, ping, session)).status).toBe(404);
  });

  it('accept batches only in revisions that have them', async () => {
    const { url } = await serveLore();
    const batch = [
      ping,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { nonsense: 1 },
      { ...ping, id: 'x' },
    ];
    const answer = await post(url, batch, await initialize(url, '2025-03-26'));
    expect(await answer.json()).toMatchObject([
      { id: 1, result: {} },
      { error: { code: -32600 } },
      { id: 'x', result: {} },
    ]);
    const refused = await post(url, batch, await initialize(url, '2025-06-18'));
    expect(await refused.json()).toMatchObject({ error: { code: -32600 } });
  });
});

describe('a port in use', () => {
  it('is reported with a hint', async () => {
    const { url } = await serveLore();
    const { code, stderr } = await runLore(['serve', '--port', new URL(url).port]);
    expect(code).toBe(8);
    expect(stderr).toContain('the port is in use\nAnother server may be running there already');
  });
});
