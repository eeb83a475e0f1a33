// Requests whose HTTP is broken: lengths that lie, transfer codings, limits, halves of requests, requests in a row with
// something else behind them.
import { type Expected, type Fault, goodRequest, type HttpCase, pingBody, type Surroundings } from './http-cases.ts';
import { setHeader, writeRequest } from './http-message.ts';
import type { Random } from './random.ts';

const served: Expected = { status: 200, outcome: '"p" result' };
const dropped: Expected = { status: 400, closes: true };

const noHttp = [
  '\x00\x01\x02\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
  'GET\r\n\r\n',
  'GET /mcp HTTP/9.9\r\nHost: localhost\r\n\r\n',
  'GET /mcp HTTP/1.1\r\n\r\n',
  'GET /mcp HTTP/1.1\r\nHost localhost\r\n\r\n',
  'GET /mcp HTTP/1.1\r\nHost: localhost\r\nX: a\x00b\r\n\r\n',
  'GET /mcp HTTP/1.1\r\nHost: localhost\r\nX Y: 1\r\n\r\n',
  'GET /mcp\x7f HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n',
];

const lyingLengths = ['abc', '-1', '1e3', '0x10', '99999999999999999999999999', '4, 5', ''];
const badCodings = ['chunked, gzip', 'xchunked', 'identity', 'chunked, identity'];

type Made = Omit<HttpCase, 'number' | 'kind'>;

function chunk(body: Buffer, random: Random): Buffer {
  const cut = 1 + random.int(body.length - 1);
  const parts = [body.subarray(0, cut), body.subarray(cut)];
  const written = parts.map((part) => `${part.length.toString(16)};x=y\r\n${part.toString('latin1')}\r\n`);
  return Buffer.from(`${written.join('')}0\r\nTrailer: 1\r\n\r\n`, 'latin1');
}

function chunked(around: Surroundings, body: Buffer): Buffer {
  const request = setHeader(
    setHeader(goodRequest(around), 'Content-Length', undefined),
    'Transfer-Encoding',
    'chunked',
  );
  return writeRequest({ ...request, body });
}

function oversized(random: Random, around: Surroundings): Made {
  const { maxBytes } = around.ground;
  if (random.chance(0.5)) {
    const line = `POST ${random.pick(['/mcp', '/mcp/greet'])} HTTP/1.1`;
    const length = String(maxBytes + 1 + random.int(1e9));
    const announced = setHeader({ ...goodRequest(around), line }, 'Content-Length', length);
    return { bytes: writeRequest(announced), expected: [{ status: 413, closes: true }] };
  }
  const size = maxBytes + 1;
  const body = Buffer.concat([
    Buffer.from(`${size.toString(16)}\r\n`),
    Buffer.alloc(size, 'x'),
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
  return { bytes: chunked(around, body), expected: [{ status: 413 }] };
}

export const framingFaults: Fault[] = [
  {
    weight: 3,
    kind: 'no HTTP',
    make: (random) => ({ bytes: Buffer.from(random.pick(noHttp), 'latin1'), expected: [dropped] }),
  },
  {
    weight: 3,
    kind: 'length',
    make: (random, _, around) => {
      const request = setHeader(goodRequest(around), 'Content-Length', random.pick(lyingLengths));
      return { bytes: writeRequest(request), expected: [dropped] };
    },
  },
  {
    weight: 2,
    kind: 'length too short',
    make: (random, _, around) => {
      const length = 1 + random.int(pingBody.length - 2);
      const request = setHeader(goodRequest(around), 'Content-Length', String(length));
      return { bytes: writeRequest(request), expected: [dropped] };
    },
  },
  {
    weight: 3,
    kind: 'transfer coding',
    make: (random, _, around) => {
      const request = goodRequest(around);
      const both = {
        ...request,
        headers: [...request.headers, ['Transfer-Encoding', 'chunked']] as [string, string][],
      };
      if (random.chance(0.3)) return { bytes: writeRequest(both), expected: [dropped] };
      const coded = setHeader(
        setHeader(request, 'Content-Length', undefined),
        'Transfer-Encoding',
        random.pick(badCodings),
      );
      return { bytes: writeRequest(coded), expected: [dropped] };
    },
  },
  {
    weight: 2,
    kind: 'chunks',
    make: (random, _, around) => {
      if (random.chance(0.5)) return { bytes: chunked(around, chunk(pingBody, random)), expected: [served] };
      const bad = random.pick([
        'zz\r\n',
        '-5\r\nhello\r\n',
        '5\r\nhello',
        'ffffffffffffffffff\r\n',
        '5 5\r\nhello\r\n',
      ]);
      return { bytes: chunked(around, Buffer.from(`${bad}zz\r\n0\r\n\r\n`)), expected: [dropped] };
    },
  },
  {
    weight: 2,
    kind: 'head too large',
    make: (random, _, around) => {
      const request = goodRequest(around);
      const long = setHeader(request, 'X-Long', 'x'.repeat(20_000));
      const many: [string, string][] = Array.from({ length: 3_000 }, (_, index) => [`X-${index}`, '1']);
      const addressed = { ...request, line: `POST /mcp?${'x'.repeat(20_000)} HTTP/1.1` };
      const head = random.pick([long, { ...request, headers: [...request.headers, ...many] }, addressed]);
      return { bytes: writeRequest(head), expected: [{ status: 431, closes: true }] };
    },
  },
  { weight: 0.3, kind: 'body too large', make: (random, _, around) => oversized(random, around) },
  {
    weight: 4,
    kind: 'half a request',
    make: (random, _, around) => {
      const whole = writeRequest(goodRequest(around));
      const bytes = whole.subarray(0, 1 + random.int(whole.length - 1));
      return { bytes, expected: [dropped], finishes: true };
    },
  },
  {
    weight: 4,
    kind: 'in a row',
    make: (random, _, around) => {
      const count = 1 + random.int(4);
      const row = Array.from({ length: count }, () => writeRequest(goodRequest(around)));
      const expected = row.map(() => served);
      if (random.chance(0.5)) return { bytes: Buffer.concat(row), expected };
      const garbage = Buffer.from(random.pick(noHttp), 'latin1');
      // Node ends a connection at once where it cannot go on reading, whatever it still owed to what came before.
      return { bytes: Buffer.concat([...row, garbage]), expected: [{ status: [200, 400], closes: true }] };
    },
  },
  {
    weight: 2,
    kind: 'expectations',
    make: (random, _, around) => {
      const [name, value, status] = random.pick<[string, string, number]>([
        ['Expect', '100-continue', 200],
        ['Expect', 'the impossible', 417],
        ['Upgrade', 'websocket', 200],
        ['Connection', 'keep-alive, Content-Length', 200],
        ['X-Forwarded-Host', 'evil.example', 200],
        ['Content-Encoding', 'gzip', 200],
      ]);
      return { bytes: writeRequest(setHeader(goodRequest(around), name, value)), expected: [{ status }] };
    },
  },
];
