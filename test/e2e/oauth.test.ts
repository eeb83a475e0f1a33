// The server as an OAuth resource server, with tokens of an authorization server on this machine.
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { findPort } from '../support/balancer.ts';
import { initialize, post } from '../support/http.ts';
import { challengeOf, resource, serveResource as serve, usualChallenge as usual } from '../support/resource-server.ts';
import type { TokenIssuer } from '../support/token-issuer.ts';

describe('OAuth: the resource server', () => {
  it('describes itself, and asks for a token', async () => {
    const { issuer, origin, url } = await serve();
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      const found = await fetch(origin + path);
      expect([found.status, await found.json()]).toEqual([
        200,
        {
          resource,
          authorization_servers: [issuer.lab.origin],
          scopes_supported: ['lore:read', 'lore:write'],
          bearer_methods_supported: ['header'],
          resource_name: 'Lorekeeper',
        },
      ]);
    }
    const token = issuer.token();
    const without = [
      await post(url, {}),
      await post(`${url}?access_token=${token}`, {}),
      await post(url, {}, { 'X-API-Key': token }),
      await post(url, {}, { Authorization: `Basic ${btoa('ada:secret')}` }),
      await fetch(`${origin}/mcp/tools/list`),
      await fetch(`${origin}/mcp/sse`),
    ];
    for (const response of without) expect([response.status, challengeOf(response)]).toEqual([401, usual]);
    expect(issuer.lab.server.requests).toEqual([]);
  });

  it('asks for a further scope when a call needs one', async () => {
    const { issuer, url, origin, list } = await serve();
    const headers = (scope: string) => ({ Authorization: `Bearer ${issuer.token({ scope })}` });
    const none = await list(issuer.token({ scope: 'openid' }));
    expect([none.status, challengeOf(none)]).toEqual([403, { error: 'insufficient_scope', ...usual }]);
    const store = { name: 'remember', arguments: { content: 'Deploys happen on Tuesdays.' } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: store };
    const session = await initialize(url, '2025-11-25', headers('lore:read'));
    const listed = await post(
      url,
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
      { ...session, ...headers('lore:read') },
    );
    expect(await listed.text()).toContain('"remember"');
    const refused = [
      await post(url, call, { ...session, ...headers('lore:read') }),
      await fetch(`${origin}/mcp/remember`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers('lore:read') },
        body: JSON.stringify(store.arguments),
      }),
    ];
    for (const response of refused)
      expect([response.status, challengeOf(response)]).toEqual([403, { error: 'insufficient_scope', ...usual }]);
    const allowed = await post(url, call, { ...session, ...headers('lore:write') });
    expect([allowed.status, await allowed.text()]).toEqual([200, expect.stringContaining('"isError":false')]);
    const edit = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'permission_list', arguments: {} } };
    const admin = await post(url, edit, { ...session, ...headers('lore:write') });
    expect(challengeOf(admin)).toEqual({
      ...usual,
      error: 'insufficient_scope',
      scope: 'lore:read lore:write lore:admin',
    });
  });

  it('does not serve the session of one person to another', async () => {
    const { issuer, url } = await serve();
    const [ada, bob] = ['ada', 'bob'].map((sub) => ({ Authorization: `Bearer ${issuer.token({ sub })}` }));
    const session = await initialize(url, '2025-11-25', ada);
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await post(url, ping, { ...session, ...ada })).status).toBe(200);
    expect((await post(url, ping, { ...session, ...bob })).status).toBe(404);
    expect((await fetch(url, { method: 'DELETE', headers: { ...session, ...bob } })).status).toBe(404);
  });

  it('gives each person memories of their own, and a team the projects that bear its name', async () => {
    const { issuer, origin } = await serve({}, resource, { person: 'email', teams: 'realm.groups' });
    const call = async (person: string, tool: string, args: object, project?: string) => {
      const realm = { groups: person === 'cy' ? ['/sales'] : ['/platform', 'ops'] };
      const token = issuer.token({ email: `${person}@example.com`, realm });
      const response = await fetch(`${origin}/mcp/${tool}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${token}`,
          ...(project !== undefined && { 'Lore-Project': project }),
        },
        body: JSON.stringify(args),
      });
      return `${response.status} ${await response.text()}`;
    };
    const find = (person: string, project?: string, args = {}) =>
      call(person, 'recall', { query: 'which port does the gateway use', ...args }, project);
    const port = /9443/;
    expect(await call('ada', 'remember', { content: 'The gateway uses port 9443.' })).toMatch(/^200/);
    expect(await find('ada')).toMatch(port);
    expect(await find('ada', 'platform/shop')).toMatch(port);
    expect(await find('bob')).not.toMatch(port);
    expect(await find('bob', undefined, { project: 'all' })).not.toMatch(port);
    expect(await call('ada', 'remember', { content: 'The gateway uses port 7001.' }, 'platform/shop')).toMatch(/^200/);
    const shared = /7001/;
    expect(await find('bob', 'Platform/shop')).toMatch(shared);
    expect(await find('bob', 'platform/shop')).not.toMatch(port);
    expect(await find('bob', undefined, { project: 'all' })).toMatch(shared);
    expect(await find('bob')).not.toMatch(shared);
    expect(await find('cy', 'platform/shop')).toMatch(/^403.*another team/);
    expect(await find('cy', 'sales/shop')).not.toMatch(shared);
    expect(await find('cy', undefined, { project: 'all' })).not.toMatch(shared);
    expect(await find('cy', undefined, { project: 'platform/shop' })).toMatch(/^404/);
    const outside = await call('ada', 'remember', { content: 'No.', project: '/tmp' });
    expect(outside).toMatch(/^400.*Folders of your machine/);
    expect(await call('ada', 'read_file', { path: 'config.json' })).toMatch(/^403/);
  });

  it('accepts the static token beside', async () => {
    const { list } = await serve({ LORE_TOKEN: 'one-person' });
    expect((await list('one-person')).status).toBe(200);
    expect((await list('another')).status).toBe(401);
  });

  it('works with the OAuth client of the official SDK, which asks for more when it needs more', async () => {
    const port = await findPort();
    const { issuer, url } = await serve({ LORE_PORT: String(port) }, `http://127.0.0.1:${port}/mcp`);
    const provider = createProvider(issuer);
    const open = () => new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
    const client = new Client({ name: 'test', version: '1' });
    const first = open();
    await expect(client.connect(first)).rejects.toThrow(UnauthorizedError);
    await first.finishAuth(provider.code());
    const second = open();
    await client.connect(second);
    const stored = { name: 'remember', arguments: { content: 'The staging database is reset every night.' } };
    expect(await client.callTool(stored)).toMatchObject({ isError: false });
    await expect(client.callTool({ name: 'permission_list', arguments: {} })).rejects.toThrow();
    await second.finishAuth(provider.code());
    expect(await client.callTool({ name: 'permission_list', arguments: {} })).toMatchObject({ isError: false });
    expect(provider.asked).toEqual(['lore:read lore:write', 'lore:read lore:write lore:admin']);
    await client.close();
  });
});

/** What a program with a browser does: it keeps its login, and opens the address at which a person agrees. */
function createProvider({ lab }: TokenIssuer) {
  let tokens: Awaited<ReturnType<OAuthClientProvider['tokens']>>;
  let verifier = '';
  let address: URL | undefined;
  const asked: (string | null)[] = [];
  return {
    asked,
    /** The code that the browser brings back. */
    code: () => new URL(lab.approve((address as URL).href)).searchParams.get('code') as string,
    redirectUrl: 'http://127.0.0.1:9/callback',
    clientMetadata: { redirect_uris: ['http://127.0.0.1:9/callback'], client_name: 'test' },
    clientInformation: () => ({ client_id: 'app' }),
    tokens: () => tokens,
    // The SDK would renew a login that has a refresh token, with the scopes it has, instead of asking for more.
    saveTokens({ refresh_token: _, ...given }) {
      tokens = given;
    },
    redirectToAuthorization(given) {
      address = given;
      asked.push(given.searchParams.get('scope'));
    },
    saveCodeVerifier(given) {
      verifier = given;
    },
    codeVerifier: () => verifier,
  } satisfies OAuthClientProvider & Record<string, unknown>;
}
