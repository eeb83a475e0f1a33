// Two servers on one database: a subscriber at one is notified of what the other stores.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { spawnLore } from '../support/lore.ts';
import { StdioClient } from '../support/stdio-client.ts';

async function connect(folder: string): Promise<StdioClient> {
  const env = { LORE_CONFIG: join(folder, 'config.json'), LORE_DB: join(folder, 'lore.db'), HOME: folder };
  const client = new StdioClient({ child: spawnLore(['stdio'], env, join(folder, 'project')), log: () => '' } as never);
  onTestFinished(async () => void (await client.end()));
  const clientInfo = { name: 'test', version: '1' };
  await client.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  client.notify('notifications/initialized');
  return client;
}

it('subscriptions: a client is notified once of entries stored by this and by another server', async () => {
  const folder = createFolder('subscribe');
  mkdirSync(join(folder, 'project'));
  const [one, two] = [await connect(folder), await connect(folder)];
  const uris = ['lore://recent', 'lore://project', 'lore://checkpoint', 'lore://skill/tie-a-knot'];
  const save = (name: string, args: object) => two.request('tools/call', { name, arguments: { ...args } });
  await save('skill_save', { name: 'tie-a-knot', description: 'Ties a knot.', content: 'Over and under.' });
  for (const uri of uris) expect((await one.request('resources/subscribe', { uri })).error).toBeUndefined();

  const heard = () => one.heard('notifications/resources/updated').map(({ params }) => params?.uri);
  await one.request('tools/call', { name: 'remember', arguments: { content: 'The anchor weighs two tons.' } });
  await expect.poll(heard).toEqual(['lore://project', 'lore://recent']);

  await save('remember', { content: 'The mast is made of spruce.' });
  await save('checkpoint_save', { content: 'Varnish the mast.' });
  await save('skill_save', { name: 'tie-a-knot', description: 'Ties a knot.', content: 'Under and over.' });
  await expect.poll(() => new Set(heard().slice(2))).toEqual(new Set(uris));
  expect(heard().filter((uri) => uri === 'lore://project')).toHaveLength(2);
  expect(two.heard('notifications/resources/updated')).toEqual([]);
});
