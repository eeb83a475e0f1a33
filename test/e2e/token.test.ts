// lore token, and its effect on a running server.
import { once } from 'node:events';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createFolder } from '../support/folder.ts';
import { post, serveLore } from '../support/http.ts';
import { send } from '../support/http-request.ts';
import { runLore } from '../support/lore.ts';

function createPlace() {
  const folder = createFolder('token');
  const config = join(folder, 'config.json');
  const env = { LORE_CONFIG: config, LORE_DB: join(folder, 'lore.db'), HOME: folder };
  return { config, env, lore: (...args: string[]) => runLore(args, { env }) };
}

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };

describe('lore token', () => {
  it('creates a token in a private file, and prints only the token', async () => {
    const { config, lore } = createPlace();
    const first = await lore('token');
    expect(first).toMatchObject({ code: 0, stderr: expect.stringMatching(/Authorization: Bearer[\s\S]*config\.json/) });
    const token = first.stdout.trim();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({ token });
    expect(statSync(config).mode & 0o777).toBe(0o600);
    expect((await lore('token')).stdout.trim()).toBe(token);
    expect((await lore('config')).stdout).not.toContain(token);
    const replaced = JSON.parse((await lore('token', '--replace', '--json')).stdout);
    expect(replaced).toMatchObject({ created: true, required: false });
    expect(replaced.token).not.toBe(token);
    expect((await lore('token', '--remove')).stdout).toContain('Removed the token.');
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({});
    expect(await lore('token', '--remove', '--require')).toMatchObject({ code: 2 });
  });

  it('makes an open settings file private', async () => {
    const { config, lore } = createPlace();
    writeFileSync(config, '{ "rate_limit": 7 }');
    chmodSync(config, 0o644);
    const token = (await lore('token')).stdout.trim();
    expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual({ rate_limit: 7, token });
    expect(statSync(config).mode & 0o777).toBe(0o600);
    chmodSync(config, 0o644);
    expect((await lore('doctor', '--port', '0')).stdout).toMatch(/^PROBLEM +settings +other users can read the token/m);
    expect((await lore('token')).stdout.trim()).toBe(token);
    expect(statSync(config).mode & 0o777).toBe(0o600);
  });

  it('takes effect in a running server', async () => {
    const { env, lore } = createPlace();
    const { url, origin } = await serveLore(env);
    const statusOf = async (headers: Record<string, string> = {}) => (await post(url, initialize, headers)).status;
    expect(await statusOf()).toBe(200);
    const connection = new WebSocket(url.replace('http', 'ws'));
    await once(connection, 'open');
    const bearer = { Authorization: `Bearer ${(await lore('token', '--require')).stdout.trim()}` };
    await expect.poll(() => statusOf()).toBe(401);
    connection.send(JSON.stringify(initialize));
    expect((await once(connection, 'close'))[0]).toBe(1008);
    expect(await statusOf({ Authorization: 'Bearer wrong' })).toBe(401);
    expect(await statusOf(bearer)).toBe(200);
    for (const path of ['/mcp/tools/list', '/mcp/resources/list', '/mcp/sse', '/mcp/sse/x', '/nothing']) {
      const answer = await fetch(origin + path);
      expect([answer.status, await answer.text()], path).toEqual([401, expect.not.stringContaining('"tools"')]);
    }
    await lore('token', '--replace');
    await expect.poll(() => statusOf(bearer)).toBe(401);
    await lore('token', '--remove');
    await expect.poll(() => statusOf()).toBe(200);
  });

  it('is required under every name that is not loopback, as behind a proxy', async () => {
    const { env, lore } = createPlace();
    const { origin } = await serveLore({ ...env, LORE_ALLOWED_HOSTS: 'lore.example.org' });
    const statusOf = async (headers: Record<string, string>) =>
      (await send(`${origin}/mcp/tools/list`, { headers })).status;
    const Host = 'lore.example.org';
    expect([await statusOf({ Host }), await statusOf({ Host: 'localhost:1' }), await statusOf({ Host })]).toEqual([
      401, 200, 401,
    ]);
    const Authorization = `Bearer ${(await lore('token')).stdout.trim()}`;
    await expect.poll(() => statusOf({ Host, Authorization })).toBe(200);
  });

  it('is needed before the server listens where it is required', async () => {
    const { lore } = createPlace();
    for (const flags of [['--require-token'], ['--host', '0.0.0.0']]) {
      const { code, stderr } = await lore('serve', '--port', '0', ...flags);
      expect([code, stderr]).toEqual([5, expect.stringContaining('Run lore token to create one')]);
    }
  });
});
