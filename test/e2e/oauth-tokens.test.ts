// Which access tokens the resource server accepts, as an attacker would try it, and while the authorization server rotates its
// keys or is away.
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { initialize, post } from '../support/http.ts';
import { challengeOf, resource, serveResource, usualChallenge } from '../support/resource-server.ts';
import { createKey, type IssuerKey, type TokenIssuer, toJwk } from '../support/token-issuer.ts';

const now = () => Math.floor(Date.now() / 1000);

/** Each is wrong in one way, which the reason names. */
function forgeTokens(issuer: TokenIssuer): [token: string, reason: string][] {
  const { origin } = issuer.lab;
  const own = issuer.keys.at(-1) as IssuerKey;
  const stranger = createKey(own.kid);
  const foreign = createKey(own.kid, 'rsa');
  const [head, body, signature] = issuer.token().split('.') as [string, string, string];
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const admin = encode({ ...JSON.parse(atob(body)), scope: 'lore:admin' });
  const other = 'https://other.example.com/mcp';
  const audiences = [
    other,
    `${resource}/`,
    `${resource}2`,
    resource.slice(0, -1),
    resource.toUpperCase(),
    [],
    [other, ''],
    {},
  ];
  return [
    ...[undefined, null, ...audiences].map((aud): [string, string] => [issuer.token({ aud }), 'audience']),
    ...['https://other.example.com', `${origin}/`, [origin]].map((iss): [string, string] => [
      issuer.token({ iss }),
      'server issued',
    ]),
    [issuer.token({ iss: undefined }), 'server issued'],
    [issuer.token({ exp: now() - 60 }), 'expired'],
    [issuer.token({ exp: undefined }), 'claim'],
    [issuer.token({ exp: String(now() + 300) }), 'claim'],
    [issuer.token({ nbf: now() + 60 }), 'not valid yet'],
    [issuer.token({ nbf: 'now' }), 'not valid yet'],
    [issuer.token({ sub: undefined }), 'person'],
    [issuer.token({ sub: { name: 'ada' } }), 'person'],
    [issuer.token({ cnf: { jkt: 'thumbprint' } }), 'bound to a key'],
    [issuer.token({}, { typ: 'logout+jwt' }), 'not an access token'],
    [issuer.token({}, { alg: 'none' }), 'algorithm'],
    [issuer.token({}, { alg: 'None' }), 'algorithm'],
    [issuer.token({}, { alg: 'HS256' }), 'algorithm'],
    [issuer.token({}, { alg: ['ES256'] }), 'signature'],
    [issuer.token({}, { alg: 'ES384' }), 'signature'],
    // An algorithm of another kind of key than the one it names.
    [issuer.token({}, { alg: 'RS256' }), 'signature'],
    [issuer.token({}, { alg: 'RS256' }, foreign), 'signature'],
    [issuer.token({}, {}, stranger), 'signature'],
    [issuer.token({}, { kid: 'unknown' }, stranger), 'signature'],
    [issuer.token({}, { kid: { $ne: '' } }, stranger), 'signature'],
    // A key that the token brings along, or the address of one.
    [issuer.token({}, { jwk: toJwk(stranger) }, stranger), 'signature'],
    [issuer.token({}, { jwk: toJwk(stranger), kid: undefined }, stranger), 'signature'],
    [issuer.token({}, { jku: `${origin}/stolen-keys`, kid: 'unknown' }, stranger), 'signature'],
    [issuer.token({}, { x5u: `${origin}/stolen-keys`, kid: 'unknown' }, stranger), 'signature'],
    [issuer.token({}, { x5c: ['MIIB'], kid: 'unknown' }, stranger), 'signature'],
    [issuer.token({}, { crit: ['lore'], lore: true }), 'signature'],
    [issuer.token({}, { crit: ['b64'], b64: false }), 'signature'],
    [`${head}.${admin}.${signature}`, 'signature'],
    [`${head}.${body}.`, 'signature'],
    [`${head}.${body}.${Buffer.alloc(64).toString('base64url')}`, 'signature'],
    [`${head}.${body}.${signature.slice(0, -4)}`, 'signature'],
    [`${encode([])}.${body}.${signature}`, 'signature'],
    [`${head}.${encode([])}.${signature}`, 'signature'],
    ['a.b.c', 'signature'],
    ['opaque', 'active'],
    [`${head}..${body}.${signature}.${signature}`, 'active'],
    ['o'.repeat(12_000), 'active'],
    ['"', 'malformed'],
  ];
}

it('OAuth: refuses tokens that are wrong in one way', async () => {
  const { issuer, list } = await serveResource();
  const refuse = async ([token, reason]: [string, string]) => {
    const response = await list(token);
    expect([response.status, challengeOf(response), await response.text()], `${reason}: ${token}`).toEqual([
      401,
      { error: 'invalid_token', ...usualChallenge },
      expect.stringContaining(reason),
    ]);
  };
  // Together, because the keys are not read for each of them.
  await Promise.all(forgeTokens(issuer).map(refuse));
  expect(issuer.lab.server.requests.map(({ line }) => line).join()).not.toContain('stolen');
  // Node refuses headers of this size.
  expect((await list(issuer.token({ pad: 'x'.repeat(20_000) }))).status).toBe(431);
  // Unlike those above, these are only unusual.
  const unusual = [
    issuer.token({ pad: 'x'.repeat(8_000) }),
    issuer.token({ aud: ['https://other.example.com', resource] }),
    issuer.token({}, { typ: 'at+jwt' }),
    issuer.token({}, { typ: 'application/at+JWT' }),
    issuer.token({}, { kid: undefined }),
  ];
  for (const token of unusual) expect((await list(token)).status, token).toBe(200);
});

it('OAuth: knows new keys at once, while requests continue', async () => {
  const { issuer, list } = await serveResource();
  const rotations = 4;
  const statuses: number[] = [];
  const request = async (rounds: number) => {
    for (let at = 0; at < rounds; at++) {
      // Every other one does not name its key.
      const token = issuer.token({ jti: Math.random() }, at % 2 ? { kid: undefined } : {});
      statuses.push((await list(token)).status);
    }
  };
  await request(1);
  const requesting = Promise.all(Array.from({ length: 8 }, () => request(12)));
  for (let at = 1; at <= rotations; at++) {
    await expect.poll(() => statuses.length).toBeGreaterThan(at * 16);
    issuer.keys.push(createKey());
  }
  await requesting;
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(issuer.keyReads).toBeLessThanOrEqual(rotations + 1);
  // A new token with a key that was withdrawn is refused, once the keys are read again.
  const [withdrawn] = issuer.keys.splice(0, 1);
  expect((await list(issuer.token({}, {}, createKey()))).status).toBe(401);
  expect((await list(issuer.token())).status).toBe(200);
  expect((await list(issuer.token({}, {}, withdrawn))).status).toBe(401);
});

it('OAuth: serves with the keys it has while the authorization server is away', async () => {
  const { issuer, list } = await serveResource();
  expect((await list(issuer.token())).status).toBe(200);
  await issuer.lab.server.close();
  expect((await list(issuer.token({ jti: 'later' }))).status).toBe(200);
  expect((await list(issuer.token({}, {}, createKey()))).status).toBe(401);
  const unchecked = await list('opaque');
  expect([unchecked.status, unchecked.headers.get('retry-after')]).toEqual([503, '5']);
});

it('OAuth: introspects tokens that are not signed', async () => {
  const { issuer, list } = await serveResource();
  const claims = { aud: [resource, 'other'], sub: 'ada', scope: 'lore:read', exp: now() + 60 };
  issuer.opaque.set('good', claims);
  issuer.opaque.set('other', { ...claims, aud: 'other' });
  issuer.opaque.set('none', { ...claims, aud: undefined });
  issuer.opaque.set('issuer', { ...claims, iss: 'https://other.example.com' });
  issuer.opaque.set('stale', { ...claims, exp: claims.exp - 600 });
  issuer.opaque.set('early', { ...claims, nbf: claims.exp + 600 });
  issuer.opaque.set('bound', { ...claims, cnf: {} });
  issuer.opaque.set('inactive', { ...claims, active: 'true' });
  const statuses = await Promise.all(
    ['good', 'good', ...issuer.opaque.keys(), 'unknown'].map(async (one) => (await list(one)).status),
  );
  expect(statuses).toEqual([200, 200, 200, 401, 401, 401, 401, 401, 401, 401, 401]);
  const asked = issuer.lab.server.requests.filter(({ line }) => line === 'POST /introspect');
  expect(asked).toHaveLength(issuer.opaque.size + 1);
  // A failure is not a refusal, and is not remembered.
  const introspect = issuer.lab.documents['POST /introspect'];
  delete issuer.lab.documents['POST /introspect'];
  issuer.opaque.set('later', claims);
  expect((await list('later')).status).toBe(503);
  if (introspect) issuer.lab.documents['POST /introspect'] = introspect;
  expect((await list('later')).status).toBe(200);
});

it('OAuth: streams end when the token that opened them expires', async () => {
  const { issuer, url, origin } = await serveResource();
  const session = await initialize(url, '2025-11-25', { Authorization: `Bearer ${issuer.token()}` });
  const Authorization = `Bearer ${issuer.token({ exp: now() + 2 })}`;
  const headers = { Accept: 'text/event-stream', Authorization };
  const version = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const _meta = { ...version, 'io.modelcontextprotocol/clientCapabilities': {} };
  const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { _meta, notifications: {} } };
  const streams = [
    await fetch(url, { headers: { ...headers, ...session } }),
    await fetch(`${origin}/mcp/sse`, { headers }),
    await post(url, listen, { Authorization, 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': listen.method }),
  ];
  const socket = new WebSocket(url.replace('http', 'ws'), { headers: { Authorization } });
  const closed = new Promise((resolve) => socket.on('close', resolve));
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
  await Promise.all(streams.map((stream) => stream.text()));
  expect(await closed).toBe(1008);
});
