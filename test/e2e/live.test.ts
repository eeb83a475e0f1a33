// A change of the settings file takes effect in running servers, and every connected client hears of it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { initialize, nextEvent, post, readEvents, serveLore } from '../support/http.ts';
import { spawnLore } from '../support/lore.ts';

const listTools = { jsonrpc: '2.0', id: 9, method: 'tools/list' };

function createSettings() {
  const file = join(createFolder('settings'), 'config.json');
  return { env: { LORE_CONFIG: file }, write: (settings: unknown) => writeFileSync(file, JSON.stringify(settings)) };
}

function namesIn(answer: unknown): string[] {
  return (answer as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name);
}

describe('the settings file', () => {
  it('changes the tools of a stdio server without a reconnect', async () => {
    const { env, write } = createSettings();
    const child = spawnLore(['stdio'], env);
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value as string);
    const send = (message: unknown) => child.stdin.write(`${JSON.stringify(message)}\n`);

    send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { clientInfo: { name: 'test' } } });
    await next();
    write({ disabled_services: ['server'] });
    expect(await next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    send(listTools);
    expect(namesIn(await next())).not.toContain('status');
    write({});
    expect(await next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    send(listTools);
    expect(namesIn(await next())).toContain('status');
  });

  it('notifies HTTP clients of both eras', async () => {
    const { env, write } = createSettings();
    const { url } = await serveLore(env);
    const session = await initialize(url);
    const events = readEvents(await fetch(url, { headers: { Accept: 'text/event-stream', ...session } }));
    await nextEvent(events);
    const params = {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
      notifications: { toolsListChanged: true },
    };
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' };
    const listening = readEvents(
      await post(url, { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }, headers),
    );
    await nextEvent(listening);

    write({ permissions: { status: 'off' } });
    const told = { method: 'notifications/tools/list_changed' };
    expect(JSON.parse((await nextEvent(events)).data as string)).toMatchObject(told);
    expect(JSON.parse((await nextEvent(listening)).data as string)).toMatchObject(told);
    expect(namesIn(await (await post(url, listTools, session)).json())).not.toContain('status');
    const call = { jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'status' } };
    expect(await (await post(url, call, session)).json()).toMatchObject({
      result: { isError: true, structuredContent: { success: false, error: { code: 'forbidden' } } },
    });
  });

  it('keeps the previous settings when the file is invalid', async () => {
    const { env, write } = createSettings();
    const { url, child } = await serveLore(env);
    const session = await initialize(url);
    let log = '';
    child.stderr.on('data', (part: Buffer) => {
      log += part;
    });
    write({ read_only: 'perhaps' });
    await expect.poll(() => log).toContain('settings_refused');
    expect(namesIn(await (await post(url, listTools, session)).json())).toContain('status');
  });
});
