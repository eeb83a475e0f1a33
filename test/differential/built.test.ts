// The official clients against the built command line, as it is installed: no fixture, production defaults.
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { structuredKey } from '../../src/protocol/revision.ts';
import { root } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';
import { spawnLore } from '../support/lore.ts';
import type { Json } from './client.ts';
import { connections, type Target } from './connections.ts';

let server: ReturnType<typeof spawnLore>;
let target: Target;

beforeAll(async () => {
  server = spawnLore(['serve', '--port', '0', '--json']);
  const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
  const home = createFolder('built');
  const env = { PATH: process.env.PATH ?? '', HOME: home, LORE_CONFIG: join(home, 'config.json') };
  target = {
    command: process.execPath,
    args: [join(root, 'bin/lore.cjs'), 'stdio'],
    env,
    url: (JSON.parse(line) as { url: string }).url,
  };
});

afterAll(() => void server.kill('SIGKILL'));

it.concurrent.each(connections)('$name', async ({ connect, revision }) => {
  const client = await connect(target);
  expect(client.revision).toBe(revision);
  const { tools } = await client.listTools();
  expect((tools as Json[]).map(({ name }) => name)).toContain('status');
  expect((tools as Json[]).filter((tool) => 'outputSchema' in tool)).toEqual([]);
  const plain = await client.callTool('status');
  expect(plain).toMatchObject({ content: [{ type: 'text', text: expect.stringContaining('lorekeeper') }] });
  expect(plain).not.toHaveProperty('structuredContent');
  const asked = await client.callTool('status', {}, { meta: { [structuredKey]: true } });
  expect(asked.structuredContent).toMatchObject({ version: expect.any(String), services: expect.any(Array) });
  expect(await client.callTool('status', { nonsense: true })).toMatchObject({ isError: true });
  const { resources } = await client.listResources();
  expect((resources as Json[]).map(({ uri }) => uri)).toContain('lore://project');
  const { prompts } = await client.listPrompts();
  expect((prompts as Json[]).map(({ name }) => name)).toContain('brief_me');
  await client.close();
});
