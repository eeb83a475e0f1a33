// Attacks by a web page on the HTTP server, with the headers that Chromium 150 sends from a page on another loopback
// port.
import { describe, expect, it } from 'vitest';
import { jsonHeaders, post, serveLore } from '../support/http.ts';
import { send } from '../support/http-request.ts';

const page = 'http://localhost:3000';
const fromPage = { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Dest': 'empty', Referer: `${page}/` };
const cors = { ...fromPage, Origin: page, 'Sec-Fetch-Mode': 'cors' };
const noCors = { ...fromPage, 'Sec-Fetch-Mode': 'no-cors' };
const text = { 'Content-Type': 'text/plain' };
const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const planted = '{"content":"The page planted this sentence."}';
const navigate = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document', 'Upgrade-Insecure-Requests': '1' };

/** Method, path, headers, body. */
const attempts: Record<string, [string, string, Record<string, string>, string?]> = {
  'fetch, no-cors, text/plain': ['POST', '/mcp/remember', { ...noCors, ...text, Origin: page }, planted],
  'fetch, cors, text/plain': ['POST', '/mcp/remember', { ...cors, ...text }, planted],
  'fetch, cors, JSON': ['POST', '/mcp/remember', { ...cors, ...json }, planted],
  'fetch of the protocol': [
    'POST',
    '/mcp',
    { ...cors, ...jsonHeaders },
    '{"jsonrpc":"2.0","id":1,"method":"initialize"}',
  ],
  preflight: ['OPTIONS', '/mcp', { ...cors, 'Access-Control-Request-Method': 'POST' }],
  'fetch of a list': ['GET', '/mcp/tools/list', cors],
  'fetch of a list, no-cors': ['GET', '/mcp/tools/list', noCors],
  'fetch of the health': ['GET', '/healthz', cors],
  EventSource: ['GET', '/mcp/sse', { ...cors, Accept: 'text/event-stream' }],
  WebSocket: [
    'GET',
    '/mcp',
    { Origin: page, Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' },
  ],
  script: ['GET', '/mcp/tools/list', { ...noCors, 'Sec-Fetch-Dest': 'script' }],
  iframe: ['GET', '/mcp/tools/list', { ...fromPage, ...navigate, 'Sec-Fetch-Dest': 'iframe' }],
  form: ['POST', '/mcp/remember', { ...fromPage, ...navigate, ...form, Origin: page }, planted],
  'sandboxed frame': [
    'POST',
    '/mcp/remember',
    { ...noCors, ...text, Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
    planted,
  ],
  'page on the internet': [
    'POST',
    '/mcp/remember',
    { ...cors, ...json, Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    planted,
  ],
  'address typed or redirected to': [
    'GET',
    '/mcp/tools/list',
    { ...navigate, 'Sec-Fetch-Site': 'none', 'Sec-Fetch-User': '?1' },
  ],
  'old browser, Origin only': ['POST', '/mcp/remember', { ...json, Origin: page }, planted],
};

describe('a page on another port', () => {
  it('reads nothing and writes nothing', async () => {
    const { origin } = await serveLore();
    for (const [name, [method, path, headers, body]] of Object.entries(attempts)) {
      const answer = await send(origin + path, { method, headers, body });
      expect([answer.status, answer.headers['access-control-allow-origin']], name).toEqual([403, undefined]);
      expect(answer.body, name).not.toMatch(/version|tools|endpoint|3000/);
    }
    const status = await send(`${origin}/mcp/status`, { method: 'POST' });
    expect(JSON.parse(status.body)).toMatchObject({ store: { nodes: 0 } });
  });

  it('gets no access by DNS rebinding', async () => {
    const { origin } = await serveLore();
    const { port } = new URL(origin);
    const rebound = { ...json, Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` };
    const headers = { ...rebound, 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors' };
    expect(await send(`${origin}/mcp/status`, { method: 'POST', headers, body: '{}' })).toMatchObject({ status: 403 });
  });
});

describe('a page that may connect', () => {
  it('may read responses from an exactly allowed origin', async () => {
    const { url, origin } = await serveLore({ LORE_ALLOWED_ORIGINS: `${page},app://studio` });
    const preflight = await send(url, {
      method: 'OPTIONS',
      headers: { ...cors, 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': page,
        'access-control-allow-methods': expect.stringContaining('POST'),
        vary: 'Origin',
      },
    });
    const call = { method: 'POST', headers: { ...cors, ...json }, body: '{}' };
    expect(await send(`${origin}/mcp/status`, call)).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': page, vary: 'Origin' },
    });
    const app = { Origin: 'app://studio', 'Sec-Fetch-Site': 'cross-site' };
    expect((await send(`${origin}/mcp/tools/list`, { headers: app })).status).toBe(200);
    for (const other of [`${page}0`, 'http://localhost', 'https://localhost:3000', `${page}/`, 'null']) {
      expect((await send(`${origin}/mcp/tools/list`, { headers: { Origin: other } })).status, other).toBe(403);
    }
  });

  it('or is served by this server itself', async () => {
    const { origin } = await serveLore();
    const same = { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' };
    expect((await send(`${origin}/mcp/tools/list`, { headers: same })).status).toBe(200);
    const call = { method: 'POST', headers: { ...same, ...json, Origin: origin }, body: '{}' };
    expect((await send(`${origin}/mcp/status`, call)).status).toBe(200);
    // The same name and another scheme is another page, unless the browser says that it is the same.
    const secure = origin.replace('http:', 'https:');
    expect((await send(`${origin}/mcp/tools/list`, { headers: { Origin: secure } })).status).toBe(403);
    expect((await send(`${origin}/mcp/tools/list`, { headers: { ...same, Origin: secure } })).status).toBe(200);
  });
});

describe('a program other than a browser', () => {
  it("is not treated as a page, although Node's fetch sends Sec-Fetch-Mode", async () => {
    const { url, origin } = await serveLore({ LORE_TOKEN: 'hunter2' });
    const token = { Authorization: 'Bearer hunter2' };
    expect((await send(`${origin}/mcp/tools/list`, { headers: { 'Sec-Fetch-Mode': 'cors' } })).status).toBe(200);
    expect((await post(url, { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(400);
    // Electron's net.fetch says what an address typed into a browser says, which can carry no token.
    const electron = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'empty' };
    const list = (extra: object) => send(`${origin}/mcp/tools/list`, { headers: { ...electron, ...extra } });
    expect((await list({})).status).toBe(403);
    expect((await list(token)).status).toBe(200);
  });
});

describe('plain routes', () => {
  it('accept only JSON bodies', async () => {
    const { origin } = await serveLore();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
      for (const path of ['/mcp/status', '/mcp/resources/read', '/mcp/messages?sessionId=x']) {
        const answer = await send(origin + path, { method: 'POST', headers: { 'Content-Type': type }, body: '{}' });
        expect(answer.status, `${path} ${type}`).toBe(415);
      }
    }
    const typed = { 'Content-Type': 'Application/JSON; charset=utf-8' };
    expect((await send(`${origin}/mcp/status`, { method: 'POST', headers: typed, body: '{}' })).status).toBe(200);
    expect((await send(`${origin}/mcp/status`, { method: 'POST' })).status).toBe(200);
  });
});
