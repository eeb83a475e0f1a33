// Permissions, read-only mode, the size limit and the audit log apply to tools, resources, prompts, completions,
// subscriptions, skills and commands alike.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { initialize, post, serveLore } from '../support/http.ts';
import { runLore } from '../support/lore.ts';

type Json = { [key: string]: unknown };

/** A project with a file in it, and its server. */
function openProject(settings: object) {
  const project = realpathSync(createFolder('project'));
  writeFileSync(join(project, 'normal.txt'), 'hello\n');
  const data = createFolder('data');
  const file = join(createFolder('settings'), 'config.json');
  const env = { LORE_DB: join(data, 'lore.db'), LORE_CONFIG: file };
  const change = (next: object) => writeFileSync(file, JSON.stringify(next));
  change(settings);
  const lore = (...args: string[]) => runLore(args, { env, cwd: project });
  const audited = () =>
    readFileSync(join(data, 'audit.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { tool: string; outcome: string });
  const serve = async () => {
    const { url, origin } = await serveLore(env, project);
    const session = await initialize(url);
    let id = 0;
    const ask = async (method: string, params: object = {}) => {
      const answer = await post(url, { jsonrpc: '2.0', id: ++id, method, params }, session);
      return (await answer.json()) as { result?: Json; error?: { message: string; data?: Json } };
    };
    const list = async (method: string, key: string, name: string) =>
      (((await ask(method)).result as Json)[key] as Json[]).map((entry) => entry[name] as string);
    return { url, origin, ask, list };
  };
  return { project, env, change, lore, audited, serve };
}

const everythingOff = {
  permissions: {
    memory: 'off',
    journal: 'off',
    repo: 'off',
    context: 'off',
    system: 'off',
    server: 'off',
    forge: 'off',
  },
};

const reads = [
  ['resources/read', { uri: 'lore://recent' }],
  ['resources/read', { uri: 'lore://project' }],
  ['resources/read', { uri: 'lore://checkpoint' }],
  ['resources/read', { uri: 'lore://file/normal.txt' }],
  ['resources/read', { uri: 'lore://skill/release' }],
  ['resources/read', { uri: 'skill://release/SKILL.md' }],
  ['resources/subscribe', { uri: 'lore://checkpoint' }],
  ['prompts/get', { name: 'brief_me' }],
  ['prompts/get', { name: 'what_do_we_know', arguments: { topic: 'deploys' } }],
  ['prompts/get', { name: 'use_skill', arguments: { name: 'release' } }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'use_skill' }, argument: { name: 'name', value: 'r' } }],
  [
    'completion/complete',
    { ref: { type: 'ref/resource', uri: 'lore://file/{+path}' }, argument: { name: 'path', value: 'n' } },
  ],
] as const;

describe('a permission set to off', () => {
  it('also covers resources, prompts, completions and subscriptions, and is audited', async () => {
    const { serve, audited } = openProject(everythingOff);
    const { ask, list, origin } = await serve();
    expect(await list('tools/list', 'tools', 'name')).toEqual([]);
    expect(await list('resources/list', 'resources', 'uri')).toEqual([]);
    expect(await list('resources/templates/list', 'resourceTemplates', 'uriTemplate')).toEqual([]);
    expect(await list('prompts/list', 'prompts', 'name')).toEqual([]);
    for (const [method, params] of reads) {
      const { error } = await ask(method, params);
      expect({ method, params, code: error?.data?.code }).toEqual({ method, params, code: 'forbidden' });
      expect(error?.message).toMatch(/the permission of "\w+" is "off"/);
    }
    expect(audited().filter(({ outcome }) => outcome === 'forbidden')).toHaveLength(reads.length);
    const plain = await post(`${origin}/mcp/resources/read`, { uri: 'lore://file/normal.txt' });
    expect(plain.status).toBe(403);
  });

  it('covers what shows the data of the named tool, and nothing else', async () => {
    const { serve } = openProject({ permissions: { read_file: 'off', recent: 'off' } });
    const { ask, list } = await serve();
    expect(await list('resources/list', 'resources', 'uri')).not.toContain('lore://recent');
    expect(await list('resources/list', 'resources', 'uri')).toContain('lore://project');
    expect((await ask('resources/read', { uri: 'lore://file/normal.txt' })).error?.data?.code).toBe('forbidden');
    expect((await ask('resources/read', { uri: 'lore://project' })).result).toBeDefined();
  });
});

describe('read_only', () => {
  it('refuses commands that write, but not their dry runs', async () => {
    const { lore, project, audited } = openProject({ read_only: true });
    const notes = join(project, 'notes.md');
    writeFileSync(notes, '# Notes\n\n- The staging server is called Heron.\n');
    mkdirSync(join(project, 'skills/forms'), { recursive: true });
    writeFileSync(join(project, 'skills/forms/SKILL.md'), '---\nname: forms\ndescription: Fill forms.\n---\n\nFill.\n');
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', project, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
    git('init', '-q');
    git('add', 'notes.md');
    git('commit', '-q', '-m', 'fix: restart Heron after a deploy, since it keeps old sockets open');
    for (const [name, ...args] of [
      ['import', notes],
      ['import', notes, '--from', 'lore'],
      ['sync', 'git'],
      ['skill', 'import', 'skills'],
      ['embedding', 'use'],
    ] as const) {
      const { code, stderr } = await lore(name, ...args);
      expect({ name, code, stderr }).toMatchObject({
        code: 5,
        stderr: expect.stringContaining('the server is read-only'),
      });
    }
    expect((await lore('import', notes, '--dry-run')).code).toBe(0);
    expect((await lore('recall', 'Heron', '--json')).stdout).not.toContain('staging');
    const refused = audited().filter(({ outcome }) => outcome === 'forbidden');
    expect(refused.map(({ tool }) => tool)).toEqual(['import', 'import', 'sync', 'skill', 'embedding']);
  });
});

describe('commands that write', () => {
  it('need the permission of the tool that does the same, a running service, and are audited', async () => {
    const { lore, project, change, audited } = openProject({ permissions: { remember: 'read' } });
    writeFileSync(join(project, 'notes.md'), '# Notes\n\n- The staging server is called Heron.\n');
    expect(await lore('import', 'notes.md')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('the permission of "remember" is "read"'),
    });
    change({ disabled_services: ['memory'] });
    expect(await lore('import', 'notes.md')).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('is not running'),
    });
    change({});
    expect(await lore('import', 'notes.md')).toMatchObject({ code: 0 });
    expect(audited().map(({ tool, outcome }) => `${tool} ${outcome}`)).toEqual([
      'import forbidden',
      'import begun',
      'import ok',
    ]);
  });
});

describe('max_result_bytes', () => {
  it('limits every response: data and text, tools, resources and plain routes', async () => {
    const { serve, project } = openProject({ max_result_bytes: 4_096 });
    writeFileSync(join(project, 'large.txt'), 'a line of this file\n'.repeat(300));
    const { ask, origin } = await serve();
    const tooLarge = { error: { code: -32801, data: { code: 'limit_exceeded' } } };
    expect(await ask('resources/read', { uri: 'lore://file/large.txt' })).toMatchObject(tooLarge);
    expect(await ask('tools/call', { name: 'read_file', arguments: { path: 'large.txt' } })).toMatchObject(tooLarge);
    const both = { name: 'read_file', arguments: { path: 'large.txt', end: 120 } };
    expect((await ask('tools/call', both)).result).toBeDefined();
    const _meta = { 'io.github.lorekeeper/structured': true };
    expect(await ask('tools/call', { ...both, _meta })).toMatchObject(tooLarge);
    const plain = await post(`${origin}/mcp/read_file`, { path: 'large.txt' });
    expect(plain.status).toBe(429);
    const resource = await post(`${origin}/mcp/resources/read`, { uri: 'lore://file/large.txt' });
    expect(resource.status).toBe(429);
  });
});

describe('GET /mcp/tools/list', () => {
  it('has every page', async () => {
    const { serve } = openProject({ page_size: 20 });
    const { origin, list } = await serve();
    const names: string[] = [];
    for (let query: string | undefined = ''; query !== undefined && names.length < 1_000; ) {
      const answer = await fetch(`${origin}/mcp/tools/list${query}`);
      const page = (await answer.json()) as { tools: { name: string }[]; nextCursor?: string };
      names.push(...page.tools.map(({ name }) => name));
      query = page.nextCursor && `?cursor=${page.nextCursor}`;
    }
    expect(names.length).toBeGreaterThan(20);
    expect((await fetch(`${origin}/mcp/tools/list?cursor=none`)).status).toBe(400);
    expect(new Set(names).size).toBe(names.length);
    expect(await list('tools/list', 'tools', 'name')).toEqual(names.slice(0, 20));
  });
});
