// A tool that a person pins while a client is connected: another process does it, and the client is notified.
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, it } from 'vitest';
import { root } from '../support/bundle.ts';
import { ForgeLab } from '../support/forge.ts';
import { finish, spawnLore } from '../support/lore.ts';

it('a pinned tool appears in the list of a connected client', async () => {
  const lab = await ForgeLab.open();
  await lab.add();
  const settings = { LORE_DB: join(lab.folder, 'lore.db'), LORE_CONFIG: join(lab.folder, 'config.json') };
  const client = new Client({ name: 'test', version: '1' });
  const changed = new Promise<void>((resolve) => {
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve());
  });
  const env = { PATH: process.env.PATH ?? '', ...settings };
  const args = [join(root, 'bin/lore.cjs'), 'stdio'];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, cwd: lab.folder, stderr: 'ignore' }),
  );
  const list = async () => (await client.listTools()).tools.map(({ name }) => name);
  expect(await list()).not.toContain('shop_get_pet');
  const pin = await finish(spawnLore(['forge', 'pin', 'shop', 'get_pet'], settings));
  expect(pin).toMatchObject({ code: 0, stdout: expect.stringMatching(/^shop_get_pet +listed/) });
  await changed;
  expect(await list()).toContain('shop_get_pet');
  expect((await finish(spawnLore(['forge', 'pin'], settings))).stdout).toMatch(/^shop_get_pet +listed/);
  lab.answer(200, { 'content-type': 'application/json' }, '{"name":"Rex"}');
  const { content } = await client.callTool({ name: 'shop_get_pet', arguments: { id: 7 } });
  expect(JSON.stringify(content)).toContain('Rex');
  await client.close();
  await lab.close();
});
