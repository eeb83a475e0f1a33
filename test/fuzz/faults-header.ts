// Requests that are refused by a header, the path or the method, before or without a look at the body.
import { type Fault, goodRequest, refused } from './http-cases.ts';
import { postTo, setHeader } from './http-message.ts';

const badHosts = [
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.0.0.1@evil.example',
  '',
  ':8081',
];
const badOrigins = [
  'http://evil.example',
  'null',
  'https://localhost.evil.example',
  'file://',
  'http://localhost:1/x',
  '',
];
const badTypes = [undefined, 'text/plain', 'application/json-seq', 'application/x-www-form-urlencoded', 'json', ''];
const badAccepts = ['text/html', 'image/png;q=0.9', 'application/xml, text/plain', 'garbage'];
const badSessions = ['nothing', '../../etc/passwd', 'a, b', '%00', 'x'.repeat(4_000), '__proto__', 'constructor'];
const badVersions = ['1999-01-01', 'latest', '2025-06-18, 2025-06-18', 'x'.repeat(1_000), '0'];
const badPaths = [
  '/index.html',
  '/mcp/',
  '//mcp',
  '/MCP',
  '/mcp%00',
  '/mcp/../etc/passwd',
  '/.well-known/x',
  '/__proto__',
  '*',
];
const oddMethods = ['PUT', 'PATCH', 'TRACE', 'PROPFIND', 'M-SEARCH'];

export const headerFaults: Fault[] = [
  {
    weight: 5,
    kind: 'host',
    make: (random, _, around) => refused(setHeader(goodRequest(around), 'Host', random.pick(badHosts)), 403),
  },
  {
    weight: 5,
    kind: 'origin',
    make: (random, _, around) => refused(setHeader(goodRequest(around), 'Origin', random.pick(badOrigins)), 403),
  },
  {
    // Host and Origin come before anything else that may be wrong.
    weight: 2,
    kind: 'host and all else',
    make: (random) => {
      const request = postTo(random.pick(badPaths.slice(0, 8)), Buffer.from('{'), [['Mcp-Session-Id', 'nothing']]);
      return refused(setHeader(setHeader(request, 'Host', 'evil.example'), 'Accept', 'text/html'), 403);
    },
  },
  {
    weight: 3,
    kind: 'accept',
    make: (random, _, around) => refused(setHeader(goodRequest(around), 'Accept', random.pick(badAccepts)), 406),
  },
  {
    weight: 3,
    kind: 'content type',
    make: (random, _, around) => refused(setHeader(goodRequest(around), 'Content-Type', random.pick(badTypes)), 415),
  },
  {
    weight: 3,
    kind: 'session',
    make: (random, _, around) => {
      return refused(setHeader(goodRequest(around), 'Mcp-Session-Id', random.pick(badSessions)), 404);
    },
  },
  {
    weight: 3,
    kind: 'version',
    make: (random, _, around) => {
      return refused(setHeader(goodRequest(around), 'MCP-Protocol-Version', random.pick(badVersions)), 400);
    },
  },
  {
    weight: 4,
    kind: 'path',
    make: (random, _, around) => {
      const path = random.pick(badPaths);
      const line = `${random.pick(['GET', 'POST', 'DELETE'])} ${path} HTTP/1.1`;
      const emptied = setHeader({ ...goodRequest(around), line, body: Buffer.alloc(0) }, 'Content-Length', '0');
      return refused(emptied, 404);
    },
  },
  {
    weight: 3,
    kind: 'method',
    make: (random, _, around) => {
      const path = random.pick(['/mcp', '/mcp/sse', '/mcp/messages?sessionId=x', '/healthz']);
      const line = `${random.pick(oddMethods)} ${path} HTTP/1.1`;
      const emptied = setHeader({ ...goodRequest(around), line, body: Buffer.alloc(0) }, 'Content-Length', '0');
      return refused(emptied, 405);
    },
  },
  {
    weight: 3,
    kind: 'get and delete',
    make: (random) => {
      const [line, headers, status] = random.pick<[string, [string, string][], number]>([
        ['GET /mcp HTTP/1.1', [], 400],
        ['DELETE /mcp HTTP/1.1', [], 400],
        ['GET /mcp HTTP/1.1', [['Mcp-Session-Id', 'nothing']], 404],
        ['DELETE /mcp HTTP/1.1', [['Mcp-Session-Id', 'nothing']], 404],
        ['GET /mcp HTTP/1.1', [['Accept', 'application/json']], 406],
        ['GET /mcp/nothing HTTP/1.1', [], 404],
        ['GET / HTTP/1.1', [], 200],
        ['GET /mcp/tools/list HTTP/1.1', [], 200],
        ['OPTIONS /mcp HTTP/1.1', [], 204],
      ]);
      const request = {
        line,
        headers: [['Host', '127.0.0.1:1'], ...headers] as [string, string][],
        body: Buffer.alloc(0),
      };
      return refused(request, status);
    },
  },
  {
    weight: 2,
    kind: 'old transport',
    make: (random) => {
      const [path, status] = random.pick<[string, number]>([
        ['/mcp/messages', 400],
        ['/mcp/messages?sessionId=nothing', 404],
        ['/mcp/messages?sessionId=%00%ff', 404],
        ['/mcp/messages?sessionId=__proto__', 404],
      ]);
      return refused(postTo(path, Buffer.from('{}')), status);
    },
  },
];
