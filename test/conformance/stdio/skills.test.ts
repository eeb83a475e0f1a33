// Skills over stdio: the extension where the revision has it, and ordinary resources everywhere.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../../support/folder.ts';
import { startServer } from '../../support/start-server.ts';
import { type Json, StdioClient } from '../../support/stdio-client.ts';
import { wrap } from './conversation.ts';

async function open(settings: Record<string, string> = { FIXTURE_SKILLS: '1' }): Promise<StdioClient> {
  const client = new StdioClient(await startServer('test/conformance/fixture/main.ts', 'stdio', settings));
  onTestFinished(async () => void (await client.server.stop()));
  return client;
}

async function ask(client: StdioClient, method: string, params?: Json): Promise<Json> {
  const { result } = await client.request(method, params);
  return result ?? {};
}

type Entry = { uri: string; resources: { uri: string; digest: string; size: number }[] };

it('reports the digest of every file, in pages', async () => {
  const client = await open({ FIXTURE_SKILLS: '1', LORE_PAGE_SIZE: '1' });
  const entries: Entry[] = [];
  let cursor: unknown;
  do {
    const result = await ask(client, 'skills/list', wrap(cursor === undefined ? {} : { cursor }));
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: expect.any(Number), cacheScope: 'private' });
    expect(result.skills).toHaveLength(1);
    entries.push(...(result.skills as Entry[]));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  expect(entries.map(({ uri }) => uri)).toEqual(['skill://fill-forms/SKILL.md', 'skill://release/SKILL.md']);
  for (const { uri, digest, size } of entries.flatMap(({ resources }) => resources)) {
    const { contents } = await ask(client, 'resources/read', wrap({ uri }));
    const bytes = Buffer.from(String((contents as Json[])[0]?.text));
    expect([`sha256:${createHash('sha256').update(bytes).digest('hex')}`, bytes.length]).toEqual([digest, size]);
  }
  for (const entry of entries) {
    const { result } = await client.request('skills/get', wrap({ uri: entry.uri }));
    expect(result).toMatchObject({ skill: entry, ttlMs: 0, cacheScope: 'private' });
  }
});

it('reads folders, and refuses anything else', async () => {
  const client = await open();
  const read = async (uri: unknown) => {
    const { result = {}, error } = await client.request('resources/directory/read', wrap({ uri }));
    return error ? error.code : (result.resources as Json[]).map(({ name, mimeType }) => [name, mimeType]);
  };
  expect(await read('skill://fill-forms')).toEqual([
    ['SKILL.md', 'text/markdown'],
    ['scripts', 'inode/directory'],
    ['templates', 'inode/directory'],
  ]);
  expect(await read('skill://fill-forms/templates')).toEqual([
    ['invoice.md', 'text/markdown'],
    ['regional', 'inode/directory'],
  ]);
  expect(await read('skill://fill-forms/templates/regional')).toEqual([['Füllung.md', 'text/markdown']]);
  const odd = ['skill://fill-forms/SKILL.md', 'skill://fill-forms/', 'skill://fill', 'skill://', 'x', '', 7, undefined];
  for (const uri of odd) expect(await read(uri), String(uri)).toBe(-32602);
});

it.each([
  ['a file that is no SKILL.md', 'skill://fill-forms/templates/invoice.md'],
  ['a folder', 'skill://fill-forms'],
  ['another address', 'lore://skill/fill-forms'],
  ['nothing', undefined],
])('does not return %s as a skill', async (_, uri) => {
  const client = await open();
  expect((await client.request('skills/get', wrap({ uri }))).error).toMatchObject({ code: -32602 });
});

it('is declared only in revisions with extensions; resources exist in all', async () => {
  const client = await open();
  const clientInfo = { name: 'test', version: '1' };
  const { result } = await client.request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo,
  });
  expect(result?.capabilities).not.toHaveProperty('extensions');
  expect((await client.request('skills/list')).error).toMatchObject({ code: -32601 });
  const listed = async () => {
    const { resources } = await ask(client, 'resources/list');
    return (resources as Json[]).filter(({ uri }) => String(uri).startsWith('skill://'));
  };
  expect((await listed()).map(({ name }) => name)).toEqual(['fill-forms', 'release']);
  const args = { name: 'walk-the-dog', content: 'Take the lead.' };
  await client.request('tools/call', { name: 'skill_save', arguments: args });
  await client.nextNotification('notifications/resources/list_changed');
  expect(await listed()).toContainEqual(
    expect.objectContaining({ name: 'walk-the-dog', description: 'Take the lead.', mimeType: 'text/markdown' }),
  );
  const ref = { type: 'ref/prompt', name: 'use_skill' };
  const completed = await client.request('completion/complete', { ref, argument: { name: 'name', value: 'w' } });
  expect(completed.result).toMatchObject({ completion: { values: ['walk-the-dog'] } });
});

it('does not create a database to list no skills', async () => {
  const database = join(createFolder('data'), 'lore.db');
  const client = await open({ LORE_DB: database });
  expect(await ask(client, 'skills/list', wrap({}))).toMatchObject({ skills: [] });
  await ask(client, 'resources/list', wrap({}));
  expect(existsSync(database)).toBe(false);
});
