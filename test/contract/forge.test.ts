// The forge from a document to a call: sources, search, permission and arguments, against a real server.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../../src/core/call.ts';
import { proveSource } from '../../src/services/forge/prove.ts';
import { ForgeLab, type Json } from '../support/forge.ts';
import { openRecordingServer } from '../support/recording-server.ts';

let lab: ForgeLab;
beforeEach(async () => {
  lab = await ForgeLab.open();
});
afterEach(async () => {
  await lab.close();
});

describe('a source', () => {
  it('is found and called, and is unproved until a call is answered', async () => {
    await lab.add();
    const found = (await lab.call('tool_find', { queries: ['find one pet'], limit: 2 })).structured as {
      tools: Json[];
      sources: Json[];
    };
    expect(found.tools[0]).toMatchObject({
      name: 'shop_get_pet',
      effect: 'read',
      signature: '(id*)',
      arguments: { required: ['id'] },
    });
    expect(found.sources).toMatchObject([{ name: 'shop', operations: 5, state: 'unproved' }]);
    lab.answer(200, { 'content-type': 'application/json', link: '</v1/pets?page=2>; rel="next"' }, '{"id":7}');
    expect(await lab.read('shop_get_pet', { id: 7 })).toMatchObject({
      status: 200,
      data: { id: 7 },
      next: '/v1/pets?page=2',
    });
    expect(lab.lines).toEqual(['GET /v1/pets/7']);
    const [text] = (await lab.call('tool_find', {})).content;
    expect(text).toMatchObject({ text: expect.stringContaining('[shop · 5 tools]') });
  });

  it('is described without the tags of HTML, but with names in angle brackets', async () => {
    const description = '<p>Lists <a href="/x">all\n things</a> of <user>.</p><br/>';
    await lab.add(lab.pets({ paths: { '/t': { get: { operationId: 't', description } } } }));
    const { structured } = await lab.call('tool_find', { names: ['shop_t'] });
    expect(structured).toMatchObject({ tools: [{ summary: 'Lists all things of <user>.' }] });
  });

  it('finds a tool for each step of a task', async () => {
    await lab.add();
    const { structured } = await lab.call('tool_find', { queries: ['orders of a customer', 'remove a pet'], limit: 2 });
    expect((structured as { tools: Json[] }).tools.map(({ name }) => name)).toEqual([
      'shop_list_orders',
      'shop_delete_pet',
    ]);
  });

  it('keeps the names of its tools when it is added again, and loses them when it is removed', async () => {
    const { source } = await lab.add();
    const { '/pets': first, ...others } = lab.pets().paths as Json;
    const twin = { '/a': { get: { operationId: 'getPet', summary: 'Another' } } };
    const again = await lab.add(lab.pets({ paths: { ...twin, ...others, '/pets': first } }));
    expect(again.isNew).toBe(false);
    const keys = new Map((await lab.forge.sources.catalog(again.source)).map(({ key, name }) => [key, name]));
    expect(keys.get('get /pets/{id}')).toBe('get_pet');
    expect(keys.get('get /a')).toMatch(/^get_pet_/);
    expect(readdirSync(join(lab.folder, 'forge')).filter((file) => file.includes(source.document))).toEqual([]);
    await lab.forge.remove('shop');
    expect(readdirSync(join(lab.folder, 'forge'))).toEqual([]);
    await expect(lab.read('shop_get_pet', { id: 1 })).rejects.toMatchObject({ word: 'not_found' });
  });

  it('keeps what a person changed about its tools', async () => {
    await lab.add();
    await lab.forge.edit('shop', 'get_pet', { name: 'favourite', summary: 'The best cat', defaults: { id: 7 } });
    await lab.forge.edit('shop', 'list_orders', { isHidden: true });
    await lab.add(lab.pets({ info: { title: 'New version' } }));
    await lab.read('shop_favourite');
    expect(lab.lines).toEqual(['GET /v1/pets/7']);
    const { structured } = await lab.call('tool_find', { queries: ['cat', 'orders of a customer'], limit: 1 });
    expect(structured).toMatchObject({
      tools: [{ name: 'shop_favourite', arguments: { properties: { id: { default: 7 } } } }],
    });
    expect(JSON.stringify(structured)).not.toContain('list_orders');
    for (const name of ['list_pets', 'UPPER', ''])
      await expect(lab.forge.edit('shop', 'favourite', { name })).rejects.toThrow('Cannot rename');
    await expect(lab.forge.edit('shop', 'nope', {})).rejects.toMatchObject({ word: 'not_found' });
    expect(await lab.forge.edit('shop', 'favourite', undefined)).toMatchObject({
      name: 'get_pet',
      summary: 'Find a pet by its id',
    });
    await expect(lab.read('shop_get_pet')).rejects.toMatchObject({ word: 'invalid_input' });
  });

  it('is proved by a safe call without arguments', async () => {
    const { source } = await lab.add();
    lab.answer(500, {});
    expect(await proveSource(lab.forge, source)).toMatchObject({ problem: expect.stringContaining('answered 500') });
    lab.answer(200, {}, '[]');
    expect(await proveSource(lab.forge, source)).toEqual({ name: 'shop_list_pets' });
    expect(await lab.forge.sources.proved()).toEqual(new Set(['shop']));
  });

  it('is refused under a bad or taken name, without operations, and without a server', async () => {
    for (const name of ['', 'a_b', '../x', 'UPPER', 'averylongname', '1a'])
      await expect(lab.add(lab.pets(), name)).rejects.toMatchObject({ word: 'invalid_input' });
    await expect(lab.add(lab.pets(), 'memory')).rejects.toMatchObject({ word: 'conflict' });
    await expect(lab.add({ openapi: '3.0.0', paths: {} })).rejects.toThrow('no operation');
    await expect(lab.add(lab.pets({ servers: [{ url: '/v1' }] }))).rejects.toMatchObject({
      hint: expect.stringContaining('--base'),
    });
    expect(await lab.forge.sources.list()).toEqual([]);
  });

  it('is not refreshed if its server changed, and a damaged file is reported', async () => {
    await lab.add();
    const other = 'https://evil.example';
    lab.save(lab.pets({ servers: [{ url: other }] }));
    await expect(lab.forge.refresh('shop', { isPerson: true })).rejects.toMatchObject({
      word: 'conflict',
      message: expect.stringContaining(other),
    });
    expect((await lab.forge.sources.get('shop')).origin).toBe(lab.server.origin);
    writeFileSync(join(lab.folder, 'forge/shop.source.json'), '{"name":');
    await expect(lab.forge.sources.list()).rejects.toThrow('its files are damaged');
  });

  it('comes from an address, whose server is that address if it is relative', async () => {
    lab.answer(200, {}, JSON.stringify(lab.pets({ servers: [{ url: '../v2' }] })));
    const { source } = await lab.forge.add({ name: 'web', from: `${lab.server.origin}/docs/api.json`, isPerson: true });
    expect(source).toMatchObject({ origin: lab.server.origin, address: `${lab.server.origin}/docs/api.json` });
    await lab.read('web_list_pets');
    expect(lab.lines.at(-1)).toBe('GET /v2/pets');
  });

  it('whose document comes from another server cannot choose a private one', async () => {
    const other = await openRecordingServer();
    other.answer = (_, response) => response.end(JSON.stringify(lab.pets()));
    const from = `${other.origin}/api.json`;
    await lab.forge.add({ name: 'web', from, isPerson: true });
    await expect(lab.read('web_list_pets')).rejects.toThrow('private network');
    await lab.forge.add({ name: 'web', from, base: `${lab.server.origin}/v1`, isPerson: true });
    expect(await lab.read('web_list_pets')).toMatchObject({ status: 200 });
    await other.close();
  });

  it('of GraphQL comes from its endpoint or from a file, and only its queries read', async () => {
    const named = (name: string, kind: string) => ({ kind, name, ofType: null });
    const field = (name: string) => ({ name, args: [], type: named('Pet', 'OBJECT') });
    const types = [
      { kind: 'OBJECT', name: 'Query', fields: [field('pet')] },
      { kind: 'OBJECT', name: 'Mutation', fields: [field('addPet')] },
      { kind: 'OBJECT', name: 'Pet', fields: [{ name: 'id', args: [], type: named('ID', 'SCALAR') }] },
    ];
    const schema = { queryType: { name: 'Query' }, mutationType: { name: 'Mutation' }, types };
    lab.server.answer = ({ body }, response) => {
      if (body === '') response.writeHead(400).end();
      else
        response.end(JSON.stringify({ data: body.includes('__schema') ? { __schema: schema } : { pet: { id: 1 } } }));
    };
    const endpoint = `${lab.server.origin}/api/graphql`;
    await lab.forge.add({ name: 'web', from: endpoint, isPerson: true });
    expect(await lab.read('web_pet', { _fields: 'id' })).toMatchObject({ data: { data: { pet: { id: 1 } } } });
    expect(lab.server.requests.at(-1)).toMatchObject({
      line: 'POST /api/graphql',
      body: '{"query":"query { pet { id } }","variables":{}}',
    });
    const change = lab.call('tool_write', { name: 'web_add_pet' });
    await expect(change).rejects.toMatchObject({ word: 'forbidden' });
    const file = join(lab.folder, 'schema.graphql');
    writeFileSync(file, 'type Query { pets(name: String): [Pet] }\ntype Pet { id: ID }');
    await lab.forge.add({ name: 'file', from: file, base: endpoint, isPerson: true });
    await lab.read('file_pets', { body: { name: 'Rex' } });
    expect(lab.server.requests.at(-1)).toMatchObject({
      line: 'POST /api/graphql',
      body: expect.stringContaining('"variables":{"name":"Rex"}'),
    });
  });

  it('cannot declare that its changes only read', async () => {
    await lab.add(lab.pets({ 'x-forge': { 'post /pets': { start: 'query', fields: '', effect: 'read' } } }));
    await expect(lab.read('shop_add_pet', { body: { name: 'Rex' } })).rejects.toMatchObject({ word: 'invalid_input' });
  });

  it('that a model adds reaches only public addresses', async () => {
    const from = `${lab.server.origin}/api.json`;
    await expect(lab.call('tool_source', { mode: 'add', name: 'web', from })).rejects.toMatchObject({
      word: 'forbidden',
    });
    await lab.restart({ tool_source: 'write' });
    await expect(lab.call('tool_source', { mode: 'add', name: 'web', from })).rejects.toThrow('private network');
    await expect(lab.call('tool_source', { mode: 'add', name: 'web', from: '/etc/passwd' })).rejects.toMatchObject({
      word: 'invalid_input',
    });
    expect(lab.server.requests).toEqual([]);
  });

  it('reaches a private network only at its own server', async () => {
    const other = await openRecordingServer();
    const paths = {
      '/a': { get: { operationId: 'own' } },
      '/b': { get: { operationId: 'other', servers: [{ url: other.origin }] } },
    };
    await lab.add(lab.pets({ paths }));
    await lab.read('shop_own');
    await expect(lab.read('shop_other')).rejects.toMatchObject({ word: 'forbidden' });
    expect(other.requests).toEqual([]);
    await other.close();
  });
});

describe('permission', () => {
  const change = { name: 'shop_add_pet', arguments: { body: { name: 'Rex' } } };

  it('of a new source is to read', async () => {
    await lab.add();
    await expect(lab.call('tool_write', change)).rejects.toMatchObject({
      word: 'forbidden',
      hint: expect.stringContaining('lore allow shop_add_pet'),
    });
    await expect(lab.call('tool_read', change)).rejects.toMatchObject({ word: 'invalid_input' });
    expect(lab.server.requests).toEqual([]);
  });

  it('to change data is asked of the user, or given to a source or a tool', async () => {
    await lab.add();
    const asked: unknown[] = [];
    const asking = (allow: boolean): Partial<Call> => ({
      can: () => true,
      ask: async (questions) => {
        asked.push(questions);
        return { answer: { action: 'accept', content: { allow } } } as never;
      },
    });
    await expect(lab.call('tool_write', change, asking(false))).rejects.toMatchObject({ word: 'forbidden' });
    await lab.call('tool_write', change, asking(true));
    expect(JSON.stringify(asked)).toContain('post /pets');
    await lab.restart({ shop: 'write', shop_delete_pet: 'read' });
    await lab.call('tool_write', change);
    await expect(lab.call('tool_write', { name: 'shop_delete_pet', arguments: { id: 1 } })).rejects.toMatchObject({
      word: 'forbidden',
    });
    expect(lab.lines).toEqual(['POST /v1/pets', 'POST /v1/pets']);
  });

  it('can be withdrawn', async () => {
    await lab.restart({ shop: 'off' });
    await lab.add();
    expect((await lab.call('tool_find', { queries: ['pets'] })).structured).toMatchObject({ tools: [], sources: [] });
    await expect(lab.read('shop_list_pets')).rejects.toMatchObject({ word: 'forbidden' });
  });
});

describe('arguments', () => {
  it.each([
    ['shop_get_pet', {}, 'required property'],
    ['shop_list_pets', { limit: 'many' }, 'integer'],
    ['shop_list_pets', { other: 1 }, 'additional properties'],
    ['shop_get_pet', { id: '../orders' }, '".."'],
  ])('of %s are refused before anything is sent: %j', async (name, args, message) => {
    await lab.add();
    await expect(lab.read(name, args)).rejects.toMatchObject({
      word: 'invalid_input',
      message: expect.stringContaining(message),
    });
    await expect(lab.read('shop_get_pets')).rejects.toMatchObject({
      word: 'not_found',
      hint: expect.stringContaining('shop_get_pet'),
    });
    expect(lab.server.requests).toEqual([]);
  });

  it('may name a file of the project, and none outside', async () => {
    const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
    await lab.add(lab.pets({ paths: { '/up': { post: { operationId: 'up', requestBody: { content } } } } }));
    await lab.restart({ shop: 'write' });
    writeFileSync(join(lab.folder, 'photo.bin'), 'pixels');
    const upload = (path: string) => lab.call('tool_write', { name: 'shop_up', arguments: { body: { path } } });
    await upload('photo.bin');
    expect(lab.server.requests[0]?.body).toBe('pixels');
    for (const path of ['/etc/passwd', '../x', 'forge/shop.source.json', 'missing'])
      await expect(upload(path)).rejects.toMatchObject({ word: 'not_found' });
  });
});
