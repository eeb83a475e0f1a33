// Logins to mounted servers over HTTP, with a real authorization server whose refresh tokens work once.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createOfficial } from '../differential/twin-official.ts';
import { AuthorizationLab } from '../support/authorization-server.ts';
import { spawnLore } from '../support/lore.ts';
import { MountLab } from '../support/mounts-lab.ts';

let lab: MountLab;
let login: AuthorizationLab;
beforeEach(async () => {
  lab = new MountLab();
  login = await AuthorizationLab.open();
});
afterEach(async () => {
  await lab.close();
  await login.server.close();
});

/** Scopes that the server asks for, although there is a login. */
const needed = { value: '' };

/** The official server behind a check of the token. */
async function serve() {
  const seen: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const { origin } = new URL(`http://${request.headers.host}`);
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      const body = { resource: `${origin}/mcp`, authorization_servers: [login.origin], scopes_supported: ['tools'] };
      return void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    }
    const token = request.headers.authorization;
    seen.push(token);
    if (token && needed.value) {
      const challenge = `Bearer error="insufficient_scope", scope="${needed.value}"`;
      return void response.writeHead(403, { 'www-authenticate': challenge }).end();
    }
    if (!token || !login.access.has(token.replace('Bearer ', ''))) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      return void response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
    }
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined as never });
    await createOfficial().connect(transport as never);
    await transport.handleRequest(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen };
}

const mountOf = (url: string) => ({ name: 'remote', url, addedAt: 0 });
const browse = { show: (address: string) => void login.browse(address) };

describe('a mounted server that requires a login', () => {
  it('is stored, says so, and is approved after the login', async () => {
    const { url, seen } = await serve();
    await expect(lab.gateway.add(mountOf(url), {})).rejects.toMatchObject({
      word: 'forbidden',
      hint: expect.stringContaining('lore mount login remote'),
    });
    await lab.gateway.logIn('remote', browse);
    await lab.start({ remote: 'write' });
    const { structured } = await lab.call('tool_write', { name: 'remote_greet', arguments: { name: 'Ada' } });
    expect(structured).toMatchObject({ text: 'Hello, Ada!' });
    expect(seen.at(-1)).toMatch(/^Bearer access-/);
    const [asked] = login.asked;
    expect(asked).toMatchObject({ grant_type: 'authorization_code', resource: url });
  });

  it('renews a token that the server no longer accepts, once for all processes', async () => {
    const { url } = await serve();
    await lab.gateway.add(mountOf(url), {}).catch(() => {});
    await lab.gateway.logIn('remote', browse);
    const gateways = [lab.gateway, ...Array.from({ length: 4 }, () => lab.another())];
    const greet = () =>
      Promise.all(
        gateways.map((gateway) =>
          gateway.request(gateway.store.get('remote'), 'tools/call', { name: 'greet', arguments: { name: 'Ada' } }, {}),
        ),
      );
    await greet();
    for (let round = 0; round < 3; round++) {
      login.access.clear();
      await greet();
    }
    expect(login.reused).toBe(0);
    expect(login.refreshed).toBe(3);
  });

  it('names the scopes of another login, with those of the last one', async () => {
    const { url } = await serve();
    await lab.gateway.add(mountOf(url), {}).catch(() => {});
    await lab.gateway.logIn('remote', browse);
    const call = () => lab.gateway.request(lab.gateway.store.get('remote'), 'tools/call', { name: 'greet' }, {});
    needed.value = 'admin';
    onTestFinished(() => {
      needed.value = '';
    });
    await expect(call()).rejects.toMatchObject({ hint: expect.stringContaining('--scopes "tools admin"') });
    needed.value = 'tools';
    await expect(call()).rejects.toMatchObject({ hint: expect.stringContaining('lacks a right') });
  });

  // It takes seconds, so `npm run test:all` alone runs it.
  it.runIf(process.env.LORE_TEST_ENGINES === 'all')('renews it a hundred times in five real processes', async () => {
    const { url } = await serve();
    await lab.gateway.add(mountOf(url), {}).catch(() => {});
    await lab.gateway.logIn('remote', browse);
    await lab.start({ remote: 'write' });
    const env = { LORE_DB: join(lab.folder, 'lore.db'), LORE_CONFIG: join(lab.folder, 'config.json') };
    const processes = Array.from({ length: 5 }, () => {
      const child = spawnLore(['stdio'], env);
      onTestFinished(() => void child.kill('SIGKILL'));
      return { child, lines: createInterface({ input: child.stdout }) };
    });
    const params = { name: 'tool_write', arguments: { name: 'remote_greet', arguments: { name: 'Ada' } } };
    for (let id = 1; id <= 100; id++) {
      login.access.clear();
      const answers = processes.map(async ({ child, lines }) => {
        const line = once(lines, 'line');
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
        return String(await line);
      });
      for (const answer of await Promise.all(answers)) expect(answer).toContain('Hello, Ada!');
    }
    expect(login.reused).toBe(0);
    expect(login.refreshed).toBe(100);
  });
});
