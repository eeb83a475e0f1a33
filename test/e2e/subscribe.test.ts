// Two servers on one database: a subscriber at one is notified of what the other stores, on each database.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase, hasPostgres } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { spawnLore } from '../support/lore.ts';
import { StdioClient } from '../support/stdio-client.ts';

async function connect(folder: string, database: string): Promise<StdioClient> {
  const env = { LORE_CONFIG: join(folder, 'config.json'), LORE_DB: database, HOME: folder };
  const client = new StdioClient({ child: spawnLore(['stdio'], env, join(folder, 'project')), log: () => '' } as never);
  onTestFinished(async () => void (await client.end()));
  const clientInfo = { name: 'test', version: '1' };
  await client.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  client.notify('notifications/initialized');
  return client;
}

async function callTool(client: StdioClient, name: string, args: object): Promise<string> {
  const { result } = await client.request('tools/call', { name, arguments: { ...args } });
  return JSON.stringify(result);
}

const engines = [
  { name: 'SQLite', locate: async (folder: string) => join(folder, 'lore.db') },
  ...(hasPostgres ? [{ name: 'PostgreSQL', locate: () => createDatabase() }] : []),
];

describe.each(engines)('subscriptions on $name', ({ locate }) => {
  it('fire once for what this and another server stores', async () => {
    const folder = createFolder('subscribe');
    const file = join(folder, 'project', 'notes.txt');
    mkdirSync(join(folder, 'project'));
    writeFileSync(file, 'One.\n');
    const database = await locate(folder);
    const [one, two] = [await connect(folder, database), await connect(folder, database)];
    await callTool(two, 'skill_save', { name: 'tie-a-knot', description: 'Ties a knot.', content: 'Over and under.' });
    const id = /n_\w+/.exec(await callTool(two, 'remember', { content: 'The keel is oak.' }))?.[0];
    const saved = /cp_\w+/.exec(await callTool(two, 'checkpoint_save', { content: 'Caulk the keel.' }))?.[0];
    const own = ['lore://project', 'lore://recent'];
    const uris = [
      ...own,
      `lore://memory/${id}`,
      'lore://checkpoint',
      `lore://checkpoint/${saved}`,
      'lore://skill/tie-a-knot',
      'skill://tie-a-knot/SKILL.md',
      'lore://file/notes.txt',
      'lore://file/notes.txt#L1-L2',
    ];
    for (const uri of uris) {
      expect(await one.request('resources/subscribe', { uri })).toMatchObject({ result: {} });
    }
    for (const uri of ['lore://symbol/main', 'lore://file/none.txt', `lore://memory/${id?.slice(0, 9)}`]) {
      expect((await one.request('resources/subscribe', { uri })).error?.message).toContain('Cannot');
    }

    const heard = () => one.heard('notifications/resources/updated').map(({ params }) => String(params?.uri));
    await callTool(one, 'remember', { content: 'The anchor weighs two tons.' });
    await expect.poll(heard).toEqual(own);

    await callTool(two, 'forget', { id });
    await callTool(two, 'forget', { id: saved });
    await callTool(two, 'skill_save', { name: 'tie-a-knot', description: 'Ties a knot.', content: 'Under and over.' });
    writeFileSync(file, 'Two.\n');
    await expect.poll(() => new Set(heard().slice(2))).toEqual(new Set(uris));
    await one.request('resources/unsubscribe', { uri: 'lore://file/notes.txt' });
    expect(two.heard('notifications/resources/updated')).toEqual([]);
  });
});
