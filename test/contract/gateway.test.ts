// Mounted servers through tool_find, tool_read and tool_write, with real processes.
import { mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Call,
  createPlainCall,
  InputRequired,
  localCaller,
  MovedToBackground,
  type Questions,
} from '../../src/core/call.ts';
import { complete, getPrompt, readResource, watchResource } from '../../src/core/registry/lookup.ts';
import { createFolder } from '../support/folder.ts';
import type { Json } from '../support/forge.ts';
import { describeTool, MountLab } from '../support/mounts-lab.ts';
import { upstreamFile } from '../support/upstream/upstream.ts';

let lab: MountLab;
beforeEach(() => {
  lab = new MountLab();
});
afterEach(() => lab.close());

describe('a mounted server', () => {
  it('is found without being started, and called', async () => {
    await lab.mount();
    await lab.gateway.close();
    await lab.start();
    const { structured } = await lab.call('tool_find', { queries: ['echo'] });
    expect(structured).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: 'small_echo', effect: 'read' })]),
      sources: [{ name: 'small', state: 'ready', operations: 12 }],
    });
    expect(await lab.read('small_echo', { value: 'hello' })).toMatchObject({ kind: 'MCP server', text: 'hello' });
  });

  it('answers with texts, files and links', async () => {
    await lab.mount();
    await lab.start();
    const { content } = await lab.call('tool_read', { name: 'small_rich' });
    expect(content).toMatchObject([{ text: expect.stringContaining('small://one') }, { type: 'image', data: 'AQI=' }]);
  });

  it('reports errors in our words, with those of the tool as data', async () => {
    await lab.mount();
    await lab.start();
    await expect(lab.read('small_fail', { value: 'no such file' })).rejects.toMatchObject({
      word: 'not_found',
      message: 'Cannot run "small_fail": the tool reported an error',
      details: { response: 'no such file' },
    });
    await expect(lab.read('small_refuse')).rejects.toMatchObject({
      word: 'invalid_input',
      message: expect.stringContaining('-32602'),
      details: { response: 'bad arguments {"why":"because"}' },
    });
    await expect(lab.read('small_echo', { value: 7 })).rejects.toMatchObject({ word: 'invalid_input' });
  });

  it('gets a clean environment with the named variables, which are redacted everywhere', async () => {
    process.env.LORE_TEST_SECRET = 'not-for-children';
    await lab.mount(
      [],
      { command: { program: process.execPath, args: [upstreamFile], env: ['API_KEY'] } },
      { 'env API_KEY': 'k-12345678' },
    );
    delete process.env.LORE_TEST_SECRET;
    const result = await lab.gateway.request(
      lab.gateway.store.get('small'),
      'tools/call',
      { name: 'env', arguments: {} },
      {},
    );
    const env = JSON.parse((result as { content: { text: string }[] }).content[0]?.text ?? '') as Record<
      string,
      string
    >;
    expect(env).toMatchObject({ API_KEY: 'k-12345678', PATH: expect.any(String) });
    expect(Object.keys(env)).not.toContain('LORE_TEST_SECRET');
    expect(Object.keys(env)).not.toContain('VITEST');
  });

  it('never gets the secret of another source', async () => {
    const command = { program: process.execPath, args: [upstreamFile], env: ['KEY'] };
    await lab.mount([], { name: 'one', command }, { 'env KEY': 'secret-of-one' });
    await lab.mount([], { name: 'two', command }, { 'env KEY': 'secret "of" two' });
    await lab.start();
    await expect(lab.read('two_echo', { value: 'it is secret-of-one!' })).rejects.toMatchObject({
      word: 'forbidden',
      message: 'Cannot call "two": the arguments contain a credential of "one"',
    });
    await expect(lab.read('one_echo', { value: 'secret "of" two' })).rejects.toMatchObject({ word: 'forbidden' });
    expect((await lab.read('one_echo', { value: 'mine: secret-of-one' })).text).toContain('mine');
  });

  it('is not stored if it cannot be started', async () => {
    await expect(lab.mount([], { command: { program: 'no-such-program-here', args: [] } })).rejects.toThrow(
      'not installed',
    );
    expect(lab.gateway.store.list()).toEqual([]);
    await expect(lab.mount([], { name: 'memory' })).rejects.toMatchObject({ word: 'conflict' });
    await expect(lab.mount([], { name: 'No_Name' })).rejects.toMatchObject({ word: 'invalid_input' });
  });

  it('stays as it was if a change of it cannot be started', async () => {
    const command = { program: process.execPath, args: [upstreamFile], env: ['KEY'] };
    await lab.mount([], { command }, { 'env KEY': 'first-value' });
    const before = lab.gateway.store.get('small');
    await expect(
      lab.mount([], { command: { ...command, program: 'no-such-program-here' } }, { 'env KEY': 'second' }),
    ).rejects.toThrow();
    expect(lab.gateway.store.get('small')).toEqual(before);
    const result = await lab.gateway.request(before, 'tools/call', { name: 'env', arguments: {} }, {});
    expect(JSON.stringify(result)).toContain('first-value');
  });

  it('has locked and default arguments, and only the tools that the user wants', async () => {
    lab.writeTools(
      ['get_item', 'list_items', 'delete_item'].map((name) =>
        describeTool(name, {
          inputSchema: {
            type: 'object',
            properties: { owner: { type: 'string' }, size: { type: 'integer' } },
            required: ['owner', 'size'],
          },
        }),
      ),
    );
    await lab.mount(['--tools', lab.toolsFile], {
      exclude: ['delete_*'],
      locked: { owner: 'acme' },
      defaults: { size: 5 },
    });
    await lab.start();
    const { structured } = await lab.call('tool_find', { names: ['small_get_item'] });
    expect(structured).toMatchObject({
      tools: [{ arguments: { properties: { size: { default: 5 } } } }],
      sources: [{ operations: 2 }],
    });
    expect(JSON.stringify(structured)).not.toContain('owner');
    expect((await lab.read('small_get_item')).text).toBe('get_item {"size":5,"owner":"acme"}');
    await expect(lab.read('small_get_item', { owner: 'evil' })).rejects.toMatchObject({ word: 'forbidden' });
    await expect(lab.call('tool_write', { name: 'small_delete_item' })).rejects.toMatchObject({ word: 'not_found' });
  });

  it('has further rules for callers in the folder of a project', async () => {
    const inputSchema = { type: 'object', properties: { owner: { type: 'string' }, repo: { type: 'string' } } };
    lab.writeTools(['get_item', 'list_items', 'delete_item'].map((name) => describeTool(name, { inputSchema })));
    const rules = { include: ['*_item', 'list_items'], exclude: ['delete_*'], locked: { owner: 'acme' } };
    await lab.mount(['--tools', lab.toolsFile], rules);
    const [site, other] = [createFolder('site'), createFolder('other')];
    await lab.gateway.setProfile('small', site, {
      include: ['get_item', 'delete_item'],
      locked: { repo: 'site', owner: 'evil' },
    });
    await lab.start();
    const inSite: Partial<Call> = { caller: { ...localCaller, folder: join(site, 'src') } };
    mkdirSync(join(site, 'src'));
    const elsewhere: Partial<Call> = { caller: { ...localCaller, folder: other } };
    const find = async (call: Partial<Call>) =>
      (await lab.call('tool_find', { names: ['small_get_item'] }, call)).structured;
    expect(await find(inSite)).toMatchObject({ sources: [{ operations: 1 }] });
    expect(JSON.stringify(await find(inSite))).not.toContain('"repo"');
    expect(await find(elsewhere)).toMatchObject({ sources: [{ operations: 2 }] });
    const run = async (name: string, args: object, call: Partial<Call>) =>
      ((await lab.call('tool_read', { name, arguments: args }, call)).structured as Json).text;
    expect(await run('small_get_item', {}, inSite)).toBe('get_item {"repo":"site","owner":"acme"}');
    expect(await run('small_get_item', { repo: 'x' }, elsewhere)).toBe('get_item {"repo":"x","owner":"acme"}');
    await expect(run('small_get_item', { repo: 'x' }, inSite)).rejects.toMatchObject({ word: 'forbidden' });
    await expect(run('small_list_items', {}, inSite)).rejects.toMatchObject({ word: 'not_found' });
    await lab.gateway.setProfile('small', site, undefined);
    expect(await run('small_list_items', {}, inSite)).toContain('list_items');
  });

  it('stays narrowed, however its server names tools and wherever a client starts us', async () => {
    lab.writeTools(['get_item', 'get-item', 'delete_item', '*', 'd*'].map((name) => describeTool(name)));
    await lab.mount(['--tools', lab.toolsFile]);
    const site = createFolder('site');
    mkdirSync(join(site, 'src'));
    await lab.gateway.setProfile('small', site, { exclude: ['delete_*', 'get-*'], locked: { value: 'site' } });
    await lab.start();
    const inSite: Partial<Call> = { caller: { ...localCaller, folder: site } };
    const find = async (call: Partial<Call>) =>
      (await lab.call('tool_find', { queries: ['item'], source: 'small', limit: 20 }, call)).structured as {
        tools: { name: string }[];
        sources: { operations: number }[];
      };
    const [all, few] = [await find({}), await find(inSite)];
    const names = ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name).sort();
    expect(names(all)).toEqual(expect.arrayContaining(names(few)));
    expect(few.sources).toMatchObject([{ operations: 3 }]);
    const [name = ''] = names(few).filter((one) => one.includes('get_item'));
    expect((await lab.read(name, {}, inSite)).text).toBe('get_item {"value":"site"}');
    await expect(lab.read('small_delete_item', {}, inSite)).rejects.toMatchObject({ word: 'not_found' });
    // A call cannot name another project.
    const elsewhere = { name, arguments: {}, project: tmpdir() };
    await expect(lab.call('tool_read', elsewhere, inSite)).rejects.toMatchObject({ word: 'invalid_input' });
    // A client that starts servers in the home folder, and offers its own folders.
    const started = { ...localCaller, folder: homedir(), started: true, roots: async () => [join(site, 'src')] };
    expect((await lab.read(name, {}, { caller: started })).text).toBe('get_item {"value":"site"}');
    expect((await find({ caller: started })).sources).toMatchObject([{ operations: 3 }]);
  });

  it('may read by default, and write if the user allows it', async () => {
    lab.writeTools([
      describeTool('note', { annotations: {} }),
      describeTool('delete_all', { annotations: { readOnlyHint: true } }),
    ]);
    await lab.mount(['--tools', lab.toolsFile]);
    await lab.start();
    await expect(lab.read('small_note')).rejects.toMatchObject({ word: 'invalid_input' });
    await expect(lab.call('tool_write', { name: 'small_note' })).rejects.toMatchObject({ word: 'forbidden' });
    // It says that it only reads, but its name does not.
    await expect(lab.call('tool_write', { name: 'small_delete_all' })).rejects.toMatchObject({ word: 'forbidden' });
    await lab.start({ small: 'write' });
    expect((await lab.call('tool_write', { name: 'small_note' })).structured).toMatchObject({ text: 'note {}' });
  });
});

describe('resources and prompts of a mounted server', () => {
  it('are listed without starting it, and read, completed and refused through us', async () => {
    await lab.mount();
    await lab.gateway.close();
    const { registry } = await lab.start();
    expect(registry.offered('resources').map(({ entry }) => entry.uri)).toContain('lore+small:small://one');
    const [listed] = registry.offered('resources').filter(({ entry }) => entry.uri.startsWith('lore+small'));
    expect(listed?.entry).toMatchObject({
      annotations: { audience: ['user'], priority: 0.5 },
      icons: [{ src: 'https://small.example/one.png' }],
    });
    expect(
      registry.offered('prompts').find(({ entry }) => entry.name === 'small_greet')?.entry.arguments,
    ).toMatchObject([{ name: 'who', title: 'Who', description: 'Whom to greet' }]);
    const call = createPlainCall(localCaller);
    expect(await readResource(registry, 'lore+small:small://one', call)).toEqual([
      { uri: 'lore+small:small://one', text: 'content of small://one' },
    ]);
    expect(await readResource(registry, 'lore+small:small://7', call)).toMatchObject([
      { text: 'content of small://7' },
    ]);
    expect(await getPrompt(registry, 'small_greet', { who: 'Ada' }, call)).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Hello Ada' } }],
    });
    const typed = { argument: 'who', value: 'A', context: {} };
    expect(await complete(registry, { prompt: 'small_greet' }, typed, call)).toEqual(['A-complete']);
    const { registry: closed } = await lab.start({ small: 'off' });
    expect(() => readResource(closed, 'lore+small:small://one', call)).toThrow('there is no such resource');
  });
});

describe.each(['session', 'stateless'])('a mounted server of the era "%s"', (era) => {
  it('passes progress, logs and questions to the caller', async () => {
    await lab.mount(['--era', era]);
    await lab.start();
    const seen: unknown[] = [];
    const note = (...facts: unknown[]) => void seen.push(facts);
    await lab.read('small_report', {}, { progress: note, log: note });
    expect(seen).toEqual([
      ['info', 'halfway', 'small'],
      [1, 2, 'half'],
    ]);
    const ask = async (questions: Questions) =>
      Object.fromEntries(
        Object.keys(questions).map((key) => [key, { action: 'accept', content: { name: 'Ada' } }]),
      ) as never;
    const { text, data } = await lab.read('small_elicit', {}, { can: () => true, ask });
    expect(text ?? JSON.stringify(data)).toContain('Ada');
  });

  it('asks a caller without a session by a result, and continues the same call', async () => {
    await lab.mount(['--era', era]);
    await lab.start();
    let asked: Questions = {};
    const refuse = async (questions: Questions): Promise<never> => {
      asked = questions as never;
      throw new InputRequired(questions as never);
    };
    await expect(lab.read('small_elicit', {}, { can: () => true, ask: refuse })).rejects.toBeInstanceOf(InputRequired);
    expect(Object.values(asked)).toMatchObject([{ method: 'elicitation/create', params: { message: 'Name?' } }]);
    const answer = async (questions: Questions) =>
      Object.fromEntries(Object.keys(questions).map((key) => [key, { action: 'accept', content: { key } }])) as never;
    const { text } = await lab.read('small_elicit', {}, { can: () => true, ask: answer });
    expect(text).toContain(Object.keys(asked)[0]);
  });

  it('reports changes of a resource to its subscribers, also through another process', async () => {
    lab.writeTools([describeTool('news')]);
    await lab.mount(['--era', era, '--tools', lab.toolsFile]);
    // It runs in one app, and the other reaches it through that.
    const holder = await lab.start();
    expect(await lab.read('small_news')).toMatchObject({ text: 'reported 0 times' });
    const uri = 'lore+small:small://one';
    const seen: unknown[] = [];
    const ends = [holder, await lab.start()].map(({ registry }) => {
      registry.onChange((change) => 'updated' in change && seen.push(change.updated));
      return watchResource(registry, uri, createPlainCall(localCaller));
    });
    await Promise.all(ends);
    await lab.read('small_news');
    await expect.poll(() => seen).toEqual([uri, uri]);
    for (const end of await Promise.all(ends)) end?.();
    await expect.poll(async () => (await lab.read('small_news')).text).toBe('reported 0 times');
  });

  it('lets the user open a page, if the client can', async () => {
    lab.writeTools([describeTool('page')]);
    await lab.mount(['--era', era, '--tools', lab.toolsFile]);
    await lab.start();
    const asked: unknown[] = [];
    const ask = async (questions: Questions) => {
      asked.push(...Object.values(questions));
      return Object.fromEntries(Object.keys(questions).map((key) => [key, { action: 'accept' }])) as never;
    };
    expect(await lab.read('small_page', {}, { can: () => true, ask })).toMatchObject({ text: 'opened' });
    const params = { mode: 'url', url: 'https://small.example/allow' };
    expect(asked).toMatchObject([{ method: 'elicitation/create', params }]);
  });

  it('has tasks that a client follows, or waits for', async () => {
    lab.writeTools([describeTool('later', { execution: { taskSupport: 'required' } })]);
    await lab.mount(['--era', era, '--tools', lab.toolsFile]);
    await lab.start();
    const seen: unknown[] = [];
    const ask = async (questions: Questions) =>
      Object.fromEntries(
        Object.keys(questions).map((key) => [key, { action: 'accept', content: { name: 'Ada' } }]),
      ) as never;
    const asker = { can: (kind: string) => kind !== 'tasks', ask };
    const progress = (...facts: unknown[]) => void seen.push(facts);
    expect(await lab.read('small_later', {}, { ...asker, progress })).toMatchObject({ text: 'task done for Ada' });
    expect(seen).toEqual([[1, undefined, 'waiting for a name']]);
    const background: Call['background'] = async (work) => {
      throw new MovedToBackground(work);
    };
    const moved = await lab
      .read('small_later', {}, { ...asker, can: () => true, background })
      .catch((error: unknown) => error as MovedToBackground);
    const later = createPlainCall(localCaller, () => {}, { can: () => true, ask: ask as Call['ask'] });
    expect(await (moved as MovedToBackground).work(later)).toMatchObject({
      structured: { kind: 'MCP server', text: 'task done for Ada' },
    });
  });

  it('is told when a call is cancelled', async () => {
    await lab.mount(['--era', era, '--tools', lab.toolsFile].slice(0, 2));
    await lab.start();
    const controller = new AbortController();
    const hanging = lab.read('small_hang', {}, { signal: controller.signal, progress: () => {} });
    setTimeout(() => controller.abort(new Error('enough')), 50);
    await expect(hanging).rejects.toThrow('enough');
    expect((await lab.read('small_echo', { value: 'on' })).text).toBe('on');
  });
});
