// The dashboard over HTTP: its link, its session, and every kind of request that is not its own page's.
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openDashboard, pageHeaders, signIn } from '../support/dashboard.ts';
import { readEvents } from '../support/http.ts';
import { send } from '../support/http-request.ts';
import { runLore } from '../support/lore.ts';

const status = JSON.stringify({ tool: 'status', arguments: {} });

function call(origin: string, headers: Record<string, string>, tool: string, args: object = {}) {
  return send(`${origin}/ui/call`, { method: 'POST', headers, body: JSON.stringify({ tool, arguments: args }) });
}

describe('the dashboard', () => {
  it('is opened once by its link, and calls tools as the person', async () => {
    const { origin, key, open } = await openDashboard();
    const headers = await signIn(origin, key);
    const { body } = await call(origin, headers, 'remember', { content: 'The gateway listens on port 7070.' });
    const { id } = JSON.parse(body) as { id: string };
    const { whole } = JSON.parse((await call(origin, headers, 'recall', { query: id })).body) as {
      whole: { hash: string; history: { actor: string }[] };
    };
    expect(whole.history.map(({ actor }) => actor)).toEqual(['dashboard']);
    const edit = { id, text: 'The gateway listens on port 7071.', hash: whole.hash };
    expect(await call(origin, headers, 'memory_edit', edit)).toMatchObject({ status: 200 });
    const second = await send(`${origin}/ui/session`, {
      method: 'POST',
      headers: pageHeaders(origin),
      body: JSON.stringify({ key }),
    });
    expect([second.status, second.headers['set-cookie']]).toEqual([403, undefined]);
    expect(second.body).toContain('it was used before or is too old');
    // Another link to the running server, and the first session remains.
    expect(await call(origin, await signIn(origin, await open()), 'status')).toMatchObject({ status: 200 });
    expect(await call(origin, headers, 'status')).toMatchObject({ status: 200 });
    await send(`${origin}/ui/leave`, { method: 'POST', headers, body: '{}' });
    expect(await call(origin, headers, 'status')).toMatchObject({ status: 401 });
  });

  it('answers only its own page', async () => {
    const { origin, key } = await openDashboard();
    const { port } = new URL(origin);
    const own = await signIn(origin, key);
    const { Cookie: cookie = '', 'Lore-Page': token = '', ...bare } = own;
    const { Origin: _, ...withoutOrigin } = own;
    const attempts: Record<string, [headers: Record<string, string>, status: number]> = {
      'without a session': [bare, 401],
      'with the cookie alone, as every port of this host gets it': [{ ...bare, Cookie: cookie }, 401],
      'with the token alone': [{ ...bare, 'Lore-Page': token }, 401],
      'with another token': [{ ...own, 'Lore-Page': 'x'.repeat(43) }, 401],
      'with the cookie of an earlier server': [{ ...own, Cookie: `${cookie.split('=')[0]}=${'x'.repeat(43)}` }, 401],
      'page on another port': [{ ...own, Origin: 'http://127.0.0.1:3000', 'Sec-Fetch-Site': 'same-site' }, 403],
      'page on localhost': [{ ...own, Origin: `http://localhost:${port}`, 'Sec-Fetch-Site': 'cross-site' }, 403],
      'page on the internet': [{ ...own, Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }, 403],
      'sandboxed frame': [{ ...own, Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }, 403],
      'old browser, Origin only': [{ ...bare, Origin: 'http://localhost:3000' }, 403],
      'no Origin': [withoutOrigin, 403],
      'name that resolves to this address': [
        { ...own, Host: `evil.example:${port}`, Origin: `http://evil.example:${port}` },
        403,
      ],
      'form or no-cors': [{ ...own, 'Content-Type': 'text/plain' }, 415],
    };
    for (const [name, [headers, expected]] of Object.entries(attempts)) {
      const answer = await send(`${origin}/ui/call`, { method: 'POST', headers, body: status });
      expect(answer.status, name).toBe(expected);
      expect(answer.headers['access-control-allow-origin'], name).toBeUndefined();
      expect(answer.body, name).not.toContain('services');
    }
    expect(await send(`${origin}/ui/call`, { method: 'POST', headers: own, body: status })).toMatchObject({
      status: 200,
    });
  });

  it('serves its files to no other page, and never in a frame', async () => {
    const { origin } = await openDashboard();
    const navigate = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' };
    const { headers, body } = await send(`${origin}/ui/memories/n_1`, {
      headers: { ...navigate, 'Sec-Fetch-Site': 'none' },
    });
    expect(body).toContain('/ui/app.js');
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /default-src 'none'.*script-src 'self'.*frame-ancestors 'none'.*require-trusted-types-for 'script'/,
      ),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(body.replaceAll('/ui/', '')).not.toMatch(/https?:|\/\/|<script>|style=/);
    for (const [file, kilobytes] of Object.entries({ 'app.js': 40, 'style.css': 8 })) {
      const answer = await send(`${origin}/ui/${file}`, { headers: { 'Sec-Fetch-Site': 'same-origin' } });
      expect(gzipSync(answer.body).length / 1024, file).toBeLessThan(kilobytes);
    }
    const refused: Record<string, Record<string, string>> = {
      frame: { ...navigate, 'Sec-Fetch-Dest': 'iframe', 'Sec-Fetch-Site': 'same-site' },
      script: { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'script', 'Sec-Fetch-Site': 'same-site' },
      fetch: { Origin: 'http://127.0.0.1:3000', 'Sec-Fetch-Site': 'same-site' },
      'other name': { Host: 'evil.example' },
    };
    for (const [name, sent] of Object.entries(refused)) {
      expect((await send(`${origin}/ui/app.js`, { headers: sent })).status, name).toBe(403);
    }
    const socket = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', Origin: origin };
    expect(await send(`${origin}/ui/call`, { headers: socket })).toMatchObject({ status: 405 });
    expect(await send(`${origin}/ui/missing.js`, {})).toMatchObject({ status: 404 });
    expect(await send(`${origin}/ui/..%2f..%2fpackage.json`, {})).toMatchObject({ status: 404 });
  });

  it('needs no token, but its link also where programs need one', async () => {
    const { origin, key } = await openDashboard({ LORE_TOKEN: 'secret-of-the-test', LORE_TOKEN_REQUIRED: '1' });
    expect(await send(`${origin}/mcp/status`, { method: 'POST' })).toMatchObject({ status: 401 });
    expect(await call(origin, await signIn(origin, key), 'status')).toMatchObject({ status: 200 });
  });

  it('shows and sets what only a person may', async () => {
    const { origin, key } = await openDashboard();
    const headers = await signIn(origin, key);
    const ask = async <T>(tool: string, args: object = {}) =>
      JSON.parse((await call(origin, headers, tool, args)).body) as T;
    const first = await ask<{ id: string }>('remember', { content: 'The queue `jobs` is drained by worker-a.' });
    const args = { content: 'The queue `jobs` is drained by worker-b.', supersedes: [first.id] };
    const second = await ask<{ id: string }>('remember', args);
    await ask('forget', { id: second.id });
    for (const [state, ids] of Object.entries({ current: [], superseded: [first.id], forgotten: [second.id] })) {
      const { entries } = await ask<{ entries: { id: string }[] }>('entry_list', { state });
      expect(
        entries.map(({ id }) => id),
        state,
      ).toEqual(ids);
    }
    const page = await ask<{ next_cursor: string; entries: { id: string }[] }>('entry_list', {
      state: 'all',
      limit: 1,
    });
    const rest = await ask<{ entries: { id: string }[] }>('entry_list', { state: 'all', cursor: page.next_cursor });
    expect([...page.entries, ...rest.entries].map(({ id }) => id)).toEqual([second.id, first.id]);
    const { changes } = await ask<{ changes: { actor: string; action: string; count: number }[] }>('activity');
    expect(changes.map(({ actor, action, count }) => `${actor} ${action} ${count}`)).toEqual([
      'dashboard forget 1',
      'dashboard put 2',
      'dashboard supersede 1',
    ]);
    const { nodes } = await ask<{ nodes: { id: string; ended?: string }[] }>('node_neighbours', { id: second.id });
    expect(nodes.find(({ id }) => id === first.id)?.ended).toBeDefined();
    await ask('remediation_save', { error_msg: 'Error: queue is full', solution: 'Start a second worker.' });
    expect(await ask('remediation_list')).toMatchObject({ remediations: [{ solution: 'Start a second worker.' }] });

    expect(await ask('learning_pause', { hours: 2 })).toMatchObject({ paused: true });
    expect(await ask('learning_pause', { mode: 'off' })).toEqual({ paused: false });
    await ask('permission_set', { name: 'recall', level: 'off' });
    // The server follows the settings file.
    await expect.poll(async () => (await call(origin, headers, 'recall', { query: 'queue' })).status).toBe(403);
    const { tools } = await ask<{ tools: { tool: string; allowed: boolean }[] }>('permission_list');
    expect(tools.find(({ tool }) => tool === 'recall')).toMatchObject({ allowed: false, decided: true });
    expect(await ask('permission_set', { name: 'recal', level: 'off' })).toMatchObject({
      error: { code: 'not_found' },
    });
    const { lines } = await ask<{ lines: { tool: string; outcome: string; caller: string }[] }>('audit_list');
    expect(lines).toContainEqual(
      expect.objectContaining({ tool: 'permission_set', outcome: 'ok', caller: 'dashboard' }),
    );

    for (const name of [
      'permission_set',
      'permission_list',
      'learning_pause',
      'audit_list',
      'entry_list',
      'activity',
    ]) {
      const answer = await send(`${origin}/mcp/${name}`, { method: 'POST' });
      expect([answer.status, JSON.parse(answer.body).error.code], name).toEqual([403, 'forbidden']);
    }
    expect((await send(`${origin}/mcp/tools/list`, {})).body).not.toMatch(
      /permission_|learning_pause|audit_list|entry_/,
    );
  });

  it('reports changes of this process and of others', async () => {
    const { origin, key, env, folder } = await openDashboard();
    const headers = await signIn(origin, key);
    const stream = await fetch(`${origin}/ui/events`, { method: 'POST', headers, body: '{}' });
    expect(stream.status).toBe(200);
    const events = readEvents(stream);
    await call(origin, headers, 'remember', { content: 'The mail relay is mx2.' });
    expect((await events.next()).value).toContain('lore://recent');
    const { stdout } = await runLore(['remember', 'The build runs on arm64.', '--json'], { env, cwd: folder });
    const { id } = JSON.parse(stdout) as { id: string };
    for await (const event of events) if (event.includes(`lore://memory/${id}`)) break;
  });

  it('keeps no session beyond the process that began it', async () => {
    const { origin, key, stop, env } = await openDashboard();
    const headers = await signIn(origin, key);
    stop();
    const again = await openDashboard({ ...env, LORE_PORT: new URL(origin).port });
    expect(again.origin).toBe(origin);
    expect(await call(origin, headers, 'status')).toMatchObject({ status: 401 });
  });
});
