// Services switched off and on at one terminal: every client that is connected elsewhere hears of it and sees other tools,
// without connecting again.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connections } from '../differential/connections.ts';
import { root } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';
import { serveLore } from '../support/http.ts';
import { runLore, spawnLore } from '../support/lore.ts';
import { StdioClient } from '../support/stdio-client.ts';

function createEnvironment(): Record<string, string> {
  const folder = createFolder('service');
  return {
    LORE_CONFIG: join(folder, 'config.json'),
    LORE_DB: join(folder, 'lore.db'),
    HOME: folder,
    PATH: process.env.PATH ?? '',
  };
}

const changed = 'notifications/tools/list_changed';

function namesIn({ tools }: { tools?: unknown }): string[] {
  return (tools as { name: string }[]).map(({ name }) => name);
}

describe('lore service', () => {
  it.each(connections)('changes the tools of a running server for the $name', async (connection) => {
    const env = createEnvironment();
    const needsServer = !connection.name.includes('stdio');
    const url = needsServer ? (await serveLore(env)).url : '';
    const bin = join(root, 'bin/lore.cjs');
    const client = await connection.connect({ command: process.execPath, args: [bin, 'stdio'], env, url });
    onTestFinished(() => client.close());
    if (connection.stateless) {
      const { resources } = (await client.listResources()) as { resources: { uri: string }[] };
      await client.follow(resources[0]?.uri as string);
    }
    const heard = () => client.heard.filter(({ method }) => method === changed).length;
    expect(namesIn(await client.listTools())).toContain('fs_search');

    const before = heard();
    expect(await runLore(['service', 'disable', 'system'], { env })).toMatchObject({ code: 0 });
    await expect.poll(heard).toBeGreaterThan(before);
    await expect.poll(async () => namesIn(await client.listTools())).not.toContain('fs_search');

    const between = heard();
    expect(await runLore(['service', 'enable', 'system'], { env })).toMatchObject({ code: 0 });
    await expect.poll(heard).toBeGreaterThan(between);
    await expect.poll(async () => namesIn(await client.listTools())).toContain('fs_search');
  });

  it('does so for a minimal client of 2024', async () => {
    const env = createEnvironment();
    const child = spawnLore(['stdio'], env);
    onTestFinished(() => void child.kill('SIGKILL'));
    const client = new StdioClient({ child, log: () => '' } as never);
    await client.request('initialize', { clientInfo: { name: 'Claude', version: '1.0' } });
    await runLore(['service', 'disable', 'system'], { env });
    await client.nextNotification(changed);
    await expect
      .poll(async () => namesIn((await client.request('tools/list', {})).result ?? {}))
      .not.toContain('fs_search');
  });

  it('lists services, and refuses unknown ones', async () => {
    const env = createEnvironment();
    await runLore(['service', 'disable', 'journal'], { env });
    const { stdout } = await runLore(['service', 'list', '--json'], { env });
    const rows = JSON.parse(stdout) as { id: string; state: string }[];
    expect(rows).toContainEqual(expect.objectContaining({ id: 'fs', group: 'system', state: 'running' }));
    expect(rows).toContainEqual(expect.objectContaining({ id: 'journal', state: 'disabled' }));
    expect((await runLore(['service', 'list'], { env })).stdout).toMatch(/^journal +disabled/m);
    expect((await runLore(['service', 'disable', 'journal'], { env })).stdout).toContain(
      'journal was disabled already.',
    );
    await runLore(['service', 'disable', 'system'], { env });
    await runLore(['service', 'enable', 'fs'], { env });
    const file = JSON.parse(readFileSync(env.LORE_CONFIG as string, 'utf8'));
    expect(file).toEqual({ disabled_services: ['journal', 'eventlog', 'reg'] });
    const stopped = await runLore(['eventlog', 'query', 'System'], { env });
    expect(stopped).toMatchObject({ code: 8, stderr: expect.stringContaining('lore service enable eventlog') });
    const internal = await runLore(['project_list'], { env });
    expect(internal).toMatchObject({ code: 2, stderr: expect.stringContaining('Unknown command') });
    expect(await runLore(['service', 'disable', 'nothing'], { env })).toMatchObject({ code: 3 });
    expect(await runLore(['service', 'enable'], { env })).toMatchObject({ code: 2 });
    const other = { ...env, LORE_DISABLED_SERVICES: 'memory' };
    const refused = await runLore(['service', 'enable', 'memory'], { env: other });
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('Unset LORE_DISABLED_SERVICES first.') });
  });
});
