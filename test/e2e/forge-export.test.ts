// An exported server, run as a client does: in a process of its own, from the folder that was written, without packages.
import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exportSource } from '../../src/services/forge/export/write.ts';
import type { Pin } from '../../src/services/forge/surface/pins.ts';
import { root } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';
import { ForgeLab, type Json } from '../support/forge.ts';

let lab: ForgeLab;
let client: Client | undefined;
beforeEach(async () => {
  lab = await ForgeLab.open();
});
afterEach(async () => {
  await client?.close();
  client = undefined;
  await lab.close();
});

async function exportShop(document?: Json, pins: readonly Pin[] = []): Promise<string> {
  await lab.add(document);
  const out = join(createFolder('export'), 'shop-mcp');
  await exportSource(lab.forge, 'shop', { out, version: '1.2.3', pins });
  return out;
}

async function connect(out: string, env: Record<string, string> = {}): Promise<Client> {
  client = new Client({ name: 'test', version: '1' });
  const args = [join(out, 'server.mjs')];
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      env: { PATH: process.env.PATH ?? '', ...env },
      cwd: out,
    }),
  );
  return client;
}

const connected = () => client as Client;

const call = async (name: string, args: Json) => {
  const { content, isError } = (await connected().callTool({ name, arguments: args })) as {
    content: { text: string }[];
    isError?: boolean;
  };
  return { text: content.map(({ text }) => text).join('\n'), isError: isError === true };
};

/** All files of a folder with their content. */
const readAll = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'utf8') }));

describe('an exported server', () => {
  it('lists its tools if they are few, and runs them with secrets from variables', async () => {
    const out = await exportShop(
      lab.pets({
        components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
        security: [{ key: [] }],
      }),
    );
    await connect(out, { LORE_FORGE_SHOP_KEY: 's3cret-key' });
    const { tools } = (await connected().listTools()) as { tools: { name: string; inputSchema: Json }[] };
    expect(tools.map(({ name }) => name)).toEqual([
      'shop_add_pet',
      'shop_delete_pet',
      'shop_get_pet',
      'shop_list_orders',
      'shop_list_pets',
      'tool_read',
    ]);
    lab.answer(200, { 'content-type': 'application/json' }, '{"name":"Rex","key":"s3cret-key"}');
    const { text } = await call('shop_get_pet', { id: 7 });
    expect(text).toContain('Rex');
    expect(text).not.toContain('s3cret');
    expect(lab.server.requests[0]).toMatchObject({ line: 'GET /v1/pets/7', headers: { 'x-key': 's3cret-key' } });
    expect(await call('shop_get_pet', {})).toMatchObject({ isError: true });
    expect(await call('shop_add_pet', { body: { name: 'Rex' } })).toMatchObject({
      isError: true,
      text: expect.stringContaining('LORE_PERMISSION'),
    });
    expect(lab.lines).toHaveLength(1);
  });

  it('finds its tools if they are many, writes if that is allowed, and lists pinned ones', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [
        `/things/${at}`,
        { post: { operationId: `make${at}`, summary: `Make thing ${at}` } },
      ]),
    );
    const pin: Pin = { name: 'shop_make3', source: 'shop', effect: 'write', description: 'Make', arguments: {} };
    await connect(await exportShop(lab.pets({ paths }), [pin]), { LORE_PERMISSION: 'write' });
    const { tools } = (await connected().listTools()) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual(['shop_make3', 'tool_find', 'tool_read', 'tool_write']);
    expect((await call('tool_find', { queries: ['make thing 7'], limit: 1 })).text).toContain('[shop_make7 · write]');
    lab.answer(200, { 'content-type': 'text/plain' }, 'long '.repeat(9_000));
    const { text } = await call('tool_write', { name: 'shop_make7' });
    const [, name] = /name "(answer_\w+)"/.exec(text) ?? [];
    expect((await call('tool_read', { name, arguments: { grep: 'long' } })).text).toContain('long');
    expect(lab.lines).toEqual(['POST /v1/things/7']);
  });

  it('is described for npm, registries, bundles and people, without anything of this machine', async () => {
    const out = await exportShop(
      lab.pets({ components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } } }),
    );
    const read = (file: string) => JSON.parse(readFileSync(join(out, file), 'utf8'));
    expect(read('package.json')).toMatchObject({ name: 'shop-mcp', version: '1.2.3', type: 'module' });
    expect(read('package.json').dependencies).toBeUndefined();
    expect(read('server.json').packages[0].environmentVariables[0]).toMatchObject({
      name: 'LORE_FORGE_SHOP_KEY',
      isSecret: true,
    });
    expect(read('manifest.json')).toMatchObject({
      server: {
        entry_point: 'server.mjs',
        mcp_config: { env: { LORE_FORGE_SHOP_KEY: expect.stringContaining('user_config.lore_forge_shop_key') } },
      },
      user_config: { lore_forge_shop_key: { sensitive: true } },
    });
    expect(readFileSync(join(out, 'README.md'), 'utf8')).toContain('claude mcp add shop --env LORE_FORGE_SHOP_KEY=');
    for (const { name, text } of readAll(out)) expect(text, name).not.toContain(lab.folder);
  });

  it('replaces an earlier export, and no other folder', async () => {
    const out = await exportShop();
    await exportSource(lab.forge, 'shop', { out, version: '2.0.0', pins: [] });
    expect(readdirSync(join(out, 'data')).filter((file) => file.endsWith('.document.json'))).toHaveLength(1);
    const other = createFolder('other');
    writeFileSync(join(other, 'mine.txt'), '');
    await expect(exportSource(lab.forge, 'shop', { out: other, version: '1.0.0', pins: [] })).rejects.toMatchObject({
      word: 'conflict',
    });
    expect(readdirSync(other)).toEqual(['mine.txt']);
  });
});

describe('a source that is served alone', () => {
  it('is all that a client sees, also if it is added for that', async () => {
    await lab.add();
    await lab.add(lab.pets(), 'other');
    const env = {
      PATH: process.env.PATH ?? '',
      LORE_DB: join(lab.folder, 'lore.db'),
      LORE_CONFIG: join(lab.folder, 'c.json'),
    };
    const file = lab.save(lab.pets(), 'Pet-Store.v1.json');
    const repository = createFolder('repository');
    writeFileSync(join(repository, 'openapi.json'), JSON.stringify(lab.pets()));
    for (const [options, name] of [
      [['--source', 'shop'], 'shop'],
      [['--repo', file], 'petstorev1'],
      [['--repo', file], 'petstorev1'],
      [['--repo', repository, '--source', 'local'], 'local'],
    ] as const) {
      client = new Client({ name: 'test', version: '1' });
      const args = [join(root, 'bin/lore.cjs'), 'stdio', ...options];
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args, env, cwd: lab.folder, stderr: 'ignore' }),
      );
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toContain(`${name}_list_pets`);
      expect(tools.filter((tool) => !tool.name.startsWith(`${name}_`)).map((tool) => tool.name)).toEqual(['tool_read']);
      expect(client.getInstructions()).toContain('Pets');
      lab.answer(200, { 'content-type': 'application/json' }, '[{"name":"Rex"}]');
      expect((await call(`${name}_list_pets`, {})).text).toContain('Rex');
      expect(await call('other_list_pets', {}).catch(() => 'refused')).not.toMatchObject({ isError: false });
      await client.close();
    }
  });
});

describe('a hostile document', () => {
  const evil = ['`$', '{process.exit(9)}` */ process.exit(9) /*\n"; process.exit(9); //\u2028</script>'].join('');
  const hostile = () => {
    const operation = { operationId: evil, summary: evil, description: evil, tags: [evil], responses: {} };
    const text = JSON.stringify({
      ...lab.pets(),
      info: { title: evil, description: evil },
      paths: {
        '/a': {
          get: {
            ...operation,
            parameters: [{ name: evil, in: 'query', description: evil, schema: { type: 'string', default: evil } }],
          },
        },
        '/b': {
          post: {
            ...operation,
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/PROTO' } } } },
          },
        },
      },
      components: {
        schemas: {
          PROTO: { type: 'object', properties: { PROTO: { type: 'string' }, constructor: { type: 'string' } } },
        },
        securitySchemes: { [evil]: { type: 'apiKey', in: 'header', name: 'X' } },
      },
    });
    return JSON.parse(text.replaceAll('PROTO', '__proto__')) as Json;
  };

  it('cannot put anything into the program or the files beside it', async () => {
    const out = await exportShop(hostile());
    const program = readFileSync(join(out, 'server.mjs'), 'utf8');
    expect(program).toBe(readFileSync(join(root, 'dist/forge-server.mjs'), 'utf8'));
    execFileSync(process.execPath, ['--check', join(out, 'server.mjs')]);
    for (const file of ['README.md', 'package.json', 'server.json', 'manifest.json'])
      expect(readFileSync(join(out, file), 'utf8')).not.toMatch(/\$\{process|\*\/|<\/script|`\$|\u2028/);
    await connect(out);
    const { tools } = (await connected().listTools()) as {
      tools: { name: string; description: string; inputSchema: Json }[];
    };
    for (const { name, inputSchema } of tools) {
      expect(name).toMatch(/^[a-z0-9_]{1,64}$/);
      for (const key of Object.keys(inputSchema.properties as Json)) expect(key).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    }
    lab.answer(200, {}, '{}');
    const [reading] = tools.map(({ name }) => name).filter((name) => name.startsWith('shop_'));
    await call(reading as string, {});
    expect(Object.prototype).not.toHaveProperty('string');
  });

  it('cannot stop the program with its data', async () => {
    const out = await exportShop(hostile());
    const child = spawn(process.execPath, [join(out, 'server.mjs')], { stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(0);
  });
});
