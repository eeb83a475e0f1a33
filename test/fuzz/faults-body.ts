// Requests whose headers are right and whose body may be anything, in a session and without one.
import { type Fault, goodRequest, type HttpCase } from './http-cases.ts';
import { postTo, writeRequest } from './http-message.ts';
import { makeBody } from './line-cases.ts';
import type { Outcome } from './model.ts';
import type { Random } from './random.ts';

const version = 'io.modelcontextprotocol/protocolVersion';
const capabilities = 'io.modelcontextprotocol/clientCapabilities';

export const bodyFaults: Fault[] = [
  {
    weight: 40,
    kind: 'body in a session',
    make(random, number, around) {
      const { bytes, expected } = makeBody(around.seed + 2, number, around.ground);
      const tooLong = bytes.length > around.ground.maxBytes;
      // What is stateless needs headers of its own, and has its own faults below.
      if (bytes.includes(version)) return this.make(random, number + 1_000_000, around);
      const whole = writeRequest(goodRequest(around, bytes));
      if (tooLong) return { bytes: whole, expected: [{ status: 413, closes: true }] };
      return { bytes: whole, expected: [{ status: statusesOf(expected), outcome: expected }] };
    },
  },
  {
    weight: 12,
    kind: 'stateless',
    make: (random) => makeStateless(random),
  },
  {
    weight: 3,
    kind: 'without a session',
    make: (random) => {
      const body = random.pick([
        '{"jsonrpc":"2.0","id":1,"method":"ping"}',
        '{"jsonrpc":"2.0","method":"notifications/initialized"}',
        '{"jsonrpc":"2.0","id":1,"result":{}}',
        '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
      ]);
      return { bytes: writeRequest(postTo('/mcp', Buffer.from(body))), expected: [{ status: 400 }] };
    },
  },
  {
    weight: 4,
    kind: 'rest body',
    make(random) {
      const [path, body, status] = random.pick([
        ['/mcp/greet', '{', 400],
        ['/mcp/greet', '[]', 400],
        ['/mcp/greet', '{"name":7}', 400],
        ['/mcp/greet', '{"__proto__":{"name":"Ada"}}', 400],
        ['/mcp/greet', '', 400],
        ['/mcp/greet', '{"name":"Ada"}', 200],
        ['/mcp/nothing/there', '{}', 404],
        ['/mcp/constructor', '{}', 404],
        ['/mcp/resources/read', '{"uri":{"toString":1}}', 400],
        ['/mcp/resources/read', '{"uri":"test://nowhere"}', 404],
      ] as const);
      return { bytes: writeRequest(postTo(path, Buffer.from(body))), expected: [{ status }] };
    },
  },
];

/** Only the status of what could not be read at all is decided; a method's own refusal is an answer like any other. */
function statusesOf(outcome: Outcome): number | number[] {
  if (outcome === undefined) return 202;
  if (outcome.startsWith('[') || outcome.endsWith('result') || outcome.endsWith('answered')) return 200;
  if (outcome === 'null -32700' || outcome === 'null -32600') return 400;
  return [200, 400];
}

interface Stateless {
  body: { [key: string]: unknown };
  headers: Record<string, string>;
  status: number;
  outcome: string;
}

function goodStateless(): Stateless {
  const _meta = { [version]: '2026-07-28', [capabilities]: {} };
  return {
    body: { jsonrpc: '2.0', id: 'm', method: 'tools/call', params: { name: 'greet', arguments: { name: 'A' }, _meta } },
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'greet' },
    status: 200,
    outcome: '"m" result',
  };
}

/** One half of the request at odds with the other, or with the revision. */
const statelessFaults: ((request: Stateless, random: Random) => Partial<Stateless>)[] = [
  () => ({}),
  ({ headers }) => mismatch({ headers: { ...headers, 'Mcp-Method': 'tools/list' } }),
  ({ headers }, random) =>
    mismatch({ headers: { ...headers, 'Mcp-Name': random.pick(['', 'Greet', 'greet, greet']) } }),
  ({ headers }, random) => {
    const name = random.pick(['=?base64?!!?=', '=?base64?Z3JlZXQ?=', 'gr\xe9et', '=?base64?Z3JlZXR0?=']);
    return mismatch({ headers: { ...headers, 'Mcp-Name': name } });
  },
  ({ headers }) => ({ headers: { ...headers, 'Mcp-Name': '=?base64?Z3JlZXQ=?=' } }),
  ({ headers: { 'Mcp-Name': _, ...headers } }) => mismatch({ headers }),
  ({ headers: { 'Mcp-Method': _, ...headers } }) => mismatch({ headers }),
  ({ headers: { 'MCP-Protocol-Version': _, ...headers } }) => mismatch({ headers }),
  ({ headers }, random) => {
    return mismatch({
      headers: { ...headers, 'MCP-Protocol-Version': random.pick(['2025-06-18', '7', 'x'.repeat(500)]) },
    });
  },
  ({ body, headers }, random) => {
    const name = random.pick([{ toString: 1 }, null, 7, ['greet'], '__proto__', [[[[[]]]]]]);
    return mismatch({ headers, body: { ...body, params: { ...(body.params as object), name } } });
  },
  ({ body, headers }) => ({
    body: { ...body, method: 'nothing/there' },
    headers: { ...headers, 'Mcp-Method': 'nothing/there' },
    status: 404,
    outcome: '"m" -32601',
  }),
  ({ body }) => ({ body: { ...body, params: { name: 'greet' } }, status: 400, outcome: '"m" -32602' }),
  ({ body, headers }) => {
    const _meta = { [version]: '2031-01-01', [capabilities]: {} };
    return {
      body: { ...body, params: { name: 'greet', _meta } },
      headers: { ...headers, 'MCP-Protocol-Version': '2031-01-01' },
      status: 400,
      outcome: '"m" -32022',
    };
  },
  ({ body }, random) => {
    const _meta = { [version]: '2026-07-28', [capabilities]: random.pick([undefined, null, [], 'x', 7]) };
    return { body: { ...body, params: { name: 'greet', _meta } }, status: 400, outcome: '"m" -32602' };
  },
];

function mismatch(change: Partial<Stateless>): Partial<Stateless> {
  return { status: 400, outcome: '"m" -32020', ...change };
}

function makeStateless(random: Random): Omit<HttpCase, 'number' | 'kind'> {
  const good = goodStateless();
  const { body, headers, status, outcome } = { ...good, ...random.pick(statelessFaults)(good, random) };
  const request = postTo('/mcp', Buffer.from(JSON.stringify(body)), Object.entries(headers));
  return { bytes: writeRequest(request), expected: [{ status, outcome }] };
}
