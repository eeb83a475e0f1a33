// Which folders are granted over stdio, HTTP and the command line, with the built program.

import { once } from 'node:events';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runGit } from '../support/git-server.ts';
import { runLore, spawnLore } from '../support/lore.ts';
import { StdioClient } from '../support/stdio-client.ts';

const base = realpathSync(createFolder('folders'));
const at = (...names: string[]) => join(base, ...names);
const env = { HOME: at('home'), LORE_DB: at('lore.db'), LORE_CONFIG: at('config.json') };
const lore = (cwd: string, ...args: string[]) => runLore(args, { env, cwd });
const umlaut = 'prøjekt ünï';

beforeAll(() => {
  for (const name of ['home/.ssh', 'own', 'granted', 'granted/deep', 'strange/logs', 'theirs', `granted/${umlaut}`]) {
    mkdirSync(at(name), { recursive: true });
  }
  for (const name of ['home/.ssh', 'own', 'granted', 'strange', 'theirs', `granted/${umlaut}`]) {
    writeFileSync(at(name, 'notes.txt'), `of ${name}\n`);
  }
  writeFileSync(at('strange', 'README.md'), '# Strange\n\nThe vault code of the strange project is 4711.\n');
  writeFileSync(at('strange', 'logs', 'app.log'), 'ERROR zebra_marker failed\n');
});

async function startStdio(cwd: string, capabilities = {}, more: Record<string, string> = {}) {
  const child = spawnLore(['stdio'], { ...env, ...more }, cwd);
  onTestFinished(() => void child.kill('SIGKILL'));
  const client = new StdioClient({ child, log: () => '' } as never);
  const { result: greeting } = await client.request('initialize', { capabilities, clientInfo: { name: 'test' } });
  const call = async (name: string, args: object = {}) => {
    const { result } = (await client.request('tools/call', { name, arguments: args })) as { result: never };
    const { content, isError } = result as { content: { text: string }[]; isError?: boolean };
    return { text: content.map(({ text }) => text).join('\n'), failed: isError === true };
  };
  return { client, call, instructions: String(greeting?.instructions) };
}

describe('over stdio', () => {
  it('a folder that is not granted is neither read, learned from nor written to', async () => {
    const { call } = await startStdio(at('own'));
    const refused = { failed: true, text: expect.stringContaining(`lore allow --root ${at('strange')}`) };
    const project_path = at('strange');
    expect(await call('troubleshoot', { error_message: 'Error: zebra_marker', project_path })).toEqual(refused);
    expect(await call('init', { path: project_path })).toEqual(refused);
    expect(await call('checkpoint_save', { content: 'planted', project_path })).toEqual(refused);
    expect(await call('skill_save', { name: 'planted', content: '# Planted', project_path })).toEqual(refused);
    expect(await call('remediation_save', { error_msg: 'E', solution: 'S', project_path })).toEqual(refused);
    expect(await call('read_file', { path: 'notes.txt', repo: project_path })).toEqual(refused);
    expect(await call('read_file', { path: 'notes.txt', repo: `file://${project_path}` })).toEqual(refused);
    expect(await call('index_repository', { project_path })).toEqual(refused);
    // Naming it has not made it known.
    expect(await call('checkpoint_list', { project_path })).toEqual(refused);
  });

  it('the line that a public document prints works as printed', async () => {
    const { call } = await startStdio(at('own'));
    expect(await call('checkpoint_save', { content: 'test', project_path: '/tmp' })).toMatchObject({ failed: false });
    expect(await call('checkpoint_list', { project_path: '/tmp' })).toMatchObject({
      text: expect.stringContaining('test'),
    });
    expect(await call('list_files', { repo: '/tmp' })).toMatchObject({ failed: true });
    expect(await call('troubleshoot', { error_message: 'E', project_path: '/tmp' })).toMatchObject({ failed: true });
  });

  it('a change of roots and of the permission takes effect in the running server for every tool', async () => {
    const { call } = await startStdio(at('own'));
    const uses = [
      ['read_file', { path: 'notes.txt', repo: at('granted') }],
      ['list_files', { repo: at('granted') }],
      ['search_code', { query: 'granted', mode: 'literal', repo: at('granted') }],
      ['fs_stat', { path: at('granted', 'notes.txt') }],
      ['fs_search', { path: at('granted'), name: 'notes.txt' }],
      ['checkpoint_list', { project_path: at('granted') }],
    ] as const;
    const outcomes = async () => Promise.all(uses.map(async ([name, args]) => (await call(name, args)).failed));
    expect(await outcomes()).toEqual(uses.map(() => true));
    expect(await lore(at('own'), 'allow', '--root', at('granted'))).toMatchObject({ code: 0 });
    await untilChanged(async () => !(await call('fs_stat', { path: at('granted', 'notes.txt') })).failed);
    expect(await outcomes()).toEqual(uses.map(() => false));
    const save = () => call('checkpoint_save', { content: 'elsewhere', project_path: at('granted') });
    expect(await save()).toMatchObject({
      failed: true,
      text: expect.stringContaining('lore allow projects --level write'),
    });
    await lore(at('own'), 'allow', 'projects', '--level', 'write');
    await untilChanged(async () => !(await save()).failed);
    await lore(at('own'), 'allow', 'projects', '--level', 'off');
    await untilChanged(async () => (await call('checkpoint_list', { project_path: at('granted') })).failed);
    expect(await call('recall', { query: 'x', project: 'all' })).toMatchObject({ failed: true });
    await lore(at('own'), 'allow', 'projects', '--level', 'read');
    await lore(at('own'), 'allow', '--root', at('granted'), '--level', 'off');
    await untilChanged(async () => (await call('fs_stat', { path: at('granted', 'notes.txt') })).failed);
    expect(await outcomes()).toEqual(uses.map(() => true));
  });

  it('the roots of the client that started the server are granted', async () => {
    const { client, call } = await startStdio('/', { roots: { listChanged: true } });
    const asked: string[] = [];
    let offered = [at('theirs')];
    client.answerers['roots/list'] = () => {
      asked.push('roots');
      return { roots: offered.map((path) => ({ uri: new URL(`file://${path}`).href })) };
    };
    expect(await call('read_file', { path: 'notes.txt' })).toMatchObject({
      text: expect.stringContaining('of theirs'),
    });
    expect(await call('checkpoint_save', { content: 'here' })).toMatchObject({ failed: false });
    expect(asked).toHaveLength(1);
    offered = [at('own'), at('theirs')];
    client.notify('notifications/roots/list_changed');
    expect(await call('read_file', { path: 'notes.txt' })).toMatchObject({ text: expect.stringContaining('of own') });
    expect(await call('read_file', { path: 'notes.txt', repo: at('theirs') })).toMatchObject({ failed: false });
    expect(await call('read_file', { path: 'passwd', repo: '/etc' })).toMatchObject({ failed: true });
    expect(asked).toHaveLength(2);
  });
});

describe('without a session', () => {
  it("a client's only folder is requested and used", async () => {
    const { client } = await startStdio('/');
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { roots: {} },
    };
    const params = { name: 'read_file', arguments: { path: 'notes.txt' }, _meta };
    const { result } = await client.request('tools/call', params);
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { roots: { method: 'roots/list' } } });
    const inputResponses = { roots: { roots: [{ uri: new URL(`file://${at('theirs')}`).href }] } };
    const again = await client.request('tools/call', {
      ...params,
      inputResponses,
      requestState: result?.requestState as string,
    });
    expect(JSON.stringify(again.result)).toContain('of theirs');
    // Only tools can come again: a list is answered at once.
    expect(await client.request('resources/list', { _meta })).toMatchObject({ result: { resultType: 'complete' } });
  });
});

async function untilChanged(isSo: () => Promise<boolean>): Promise<void> {
  await expect.poll(isSo, { interval: 50 }).toBe(true);
}

describe.each([
  ['the whole machine', () => '/'],
  ['a home folder', () => at('home')],
])('a server that was started in %s', (_, folder) => {
  it('stores memories with the user, and reads no files', async () => {
    const { call, instructions } = await startStdio(folder(), {}, { LORE_DB: at(`${folder().length}.db`) });
    expect(instructions).toContain('not a project: memories belong to the user');
    expect(instructions).toContain('--project FOLDER or LORE_PROJECT=FOLDER');
    expect((await call('list_files')).text).toContain('--project FOLDER or LORE_PROJECT=FOLDER, or let the client');
    const here = { failed: true, text: expect.stringMatching(/not a project|cannot be a project|not granted/) };
    for (const [name, args] of [
      ['read_file', { path: 'etc/passwd' }],
      ['read_file', { path: 'passwd', repo: '/etc' }],
      ['list_files', {}],
      ['list_files', { repo: at('home', '.ssh') }],
      ['search_code', { query: 'root', mode: 'literal' }],
      ['get_readme', {}],
      ['repo_map', {}],
      ['index_repository', {}],
      ['fs_search', { name: 'passwd' }],
      ['fs_stat', { path: '/etc/passwd' }],
      ['init', {}],
    ] as const) {
      expect([name, await call(name, args)]).toEqual([name, here]);
    }
    await call('collection_create', { collection_name: 'c' });
    expect(await call('collection_ingest', { collection_name: 'c', path: '/etc/hosts' })).toEqual(here);
    expect(await call('remember', { content: 'Otters hold hands while they sleep.' })).toMatchObject({ failed: false });
    expect(await call('recall', { query: 'What do otters hold?' })).toMatchObject({
      text: expect.stringContaining('hold hands'),
    });
    await call('checkpoint_save', { content: 'Goal: count otters in passwd.txt' });
    expect(await call('checkpoint_resume')).toMatchObject({ text: expect.stringContaining('count otters') });
  });
});

describe('over HTTP', () => {
  let origin: string;
  let port: number;
  let child: ReturnType<typeof spawnLore>;
  beforeAll(async () => {
    writeFileSync(at('http.json'), JSON.stringify({ roots: [at('granted'), '/', homedir()] }));
    child = spawnLore(['serve', '--port', '0', '--json'], { ...env, LORE_CONFIG: at('http.json') }, at('own'));
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    ({ origin } = new URL((JSON.parse(line) as { url: string }).url));
    port = Number(new URL(origin).port);
  });
  afterAll(() => void child.kill('SIGKILL'));

  /** Headers go out as the bytes that they are. */
  function send(path: string, body: object | undefined, headers: Record<string, string> = {}) {
    return new Promise<{ status: number; text: string }>((resolve, reject) => {
      const latin = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, Buffer.from(value, 'utf8').toString('latin1')]),
      );
      const all = body === undefined ? latin : { 'Content-Type': 'application/json', Accept: '*/*', ...latin };
      const sent = request({ host: '127.0.0.1', port, path, method: body ? 'POST' : 'GET', headers: all }, (answer) => {
        let text = '';
        answer.on('data', (part: Buffer) => {
          text += part;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      sent.on('error', reject);
      sent.end(body && Buffer.from(JSON.stringify(body)));
    });
  }

  const rpc = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const ways: readonly [string, string, object | undefined][] = [
    ['POST /mcp', '/mcp', rpc],
    ['a plain route', '/mcp/read/file', { path: 'notes.txt' }],
    ['a plain route that writes', '/mcp/remember', { content: 'Planted.' }],
    ['a resource', '/mcp/resources/read', { uri: 'lore://file/notes.txt' }],
    ['a list', '/mcp/tools/list', undefined],
    ['GET /mcp', '/mcp', undefined],
    ['HTTP+SSE', '/mcp/sse', undefined],
    ['its messages', '/mcp/messages?sessionId=x', rpc],
    ['an operation', '/mcp/sse/op_1', undefined],
  ];

  it.each(ways)('%s refuses folders that are not granted or not absolute', async (_, path, body) => {
    const mark = path.includes('?') ? '&' : '?';
    for (const [folder, status] of [
      ['/etc', 403],
      ['/', 403],
      [homedir(), 403],
      [join(homedir(), 'x'), 403],
      [at('home'), 403],
      [at('strange'), 403],
      ['/tmp', 403],
      ['~/own', 400],
      ['./own', 400],
      ['own', 400],
      ['%2Ftmp', 400],
      ['', 400],
    ] as const) {
      const byHeader = await send(path, body, { 'Lore-Project': folder });
      expect([folder, byHeader]).toEqual([folder, { status, text: expect.stringContaining('Cannot use folder') }]);
      const byAddress = await send(`${path}${mark}project=${encodeURIComponent(folder)}`, body);
      expect([folder, byAddress.status]).toEqual([folder, status]);
    }
    const refused = await send(path, body, { 'Lore-Project': at('strange') });
    expect(refused.text).toContain(`lore allow --root ${at('strange')}`);
  });

  it('a folder that is not granted is refused and audited', async () => {
    await send('/mcp/read/file', { path: 'notes.txt' }, { 'Lore-Project': at('strange') });
    const [line] = JSON.parse((await lore(at('own'), 'audit', '--last', '1', '--json')).stdout);
    expect(line).toMatchObject({ tool: 'lore-project', outcome: 'forbidden' });
    expect(line.arguments).toBe(JSON.stringify({ folder: at('strange') }));
  });

  it('a granted folder is named by header and address, whatever letters it has', async () => {
    const read = (path: string, headers = {}) => send(path, { path: 'notes.txt' }, headers);
    const text = expect.stringContaining(`of granted/${umlaut}`);
    expect(await read('/mcp/read/file', { 'Lore-Project': at('granted', umlaut) })).toEqual({ status: 200, text });
    const address = `/mcp/read/file?project=${encodeURIComponent(at('granted', umlaut))}`;
    expect(await read(address)).toEqual({ status: 200, text });
    expect(await read('/mcp/read/file')).toMatchObject({ status: 200, text: expect.stringContaining('of own') });
  });

  it("a client's roots count only within granted folders", async () => {
    const call = {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'read_file', arguments: { path: 'notes.txt', repo: at('strange') } },
    };
    const opened = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ ...rpc, params: { ...rpc.params, capabilities: { roots: {} } } }),
    });
    const session = { 'Mcp-Session-Id': opened.headers.get('mcp-session-id') ?? '' };
    const answer = await send('/mcp', call, session);
    expect(answer.text).toContain('lore allow --root');
    expect(answer.text).not.toContain('roots/list');
  });

  it("a server that was started in / works in its client's first granted root", async () => {
    const outside = spawnLore(['serve', '--port', '0', '--json'], { ...env, LORE_CONFIG: at('http.json') }, '/');
    onTestFinished(() => void outside.kill('SIGKILL'));
    const [line] = (await once(createInterface({ input: outside.stdout }), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    const headers: Record<string, string> = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    const post = (message: object) => fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
    const opened = await post({ ...rpc, params: { ...rpc.params, capabilities: { roots: {} } } });
    headers['Mcp-Session-Id'] = opened.headers.get('mcp-session-id') ?? '';
    const params = { name: 'read_file', arguments: { path: 'notes.txt' } };
    const { body } = await post({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    let text = '';
    for await (const part of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
      text += part;
      const id = /"id":"(ask-\d+)"/.exec(part)?.[1];
      const roots = [at('strange'), at('granted')].map((path) => ({ uri: `file://${path}` }));
      if (id) await post({ jsonrpc: '2.0', id, result: { roots } });
    }
    expect(text).toContain('of granted');
  });
});

describe('a project that a person names', () => {
  const run = (args: string[], more: Record<string, string> = {}) =>
    runLore(args, { env: { ...env, LORE_DB: at('named.db'), ...more }, cwd: '/' });

  it('is where commands work, by folder, name and id', async () => {
    mkdirSync(at('shop'));
    symlinkSync(at('shop'), at('shortcut'));
    expect(await run(['--project', at('shortcut'), 'remember', 'The till is open.'])).toMatchObject({ code: 0 });
    const { stdout } = await run(['project', 'show', '--project', 'shop', '--json']);
    const [{ id, folders }] = JSON.parse(stdout).projects;
    expect(folders).toEqual([at('shop')]);
    for (const variables of [{ LORE_PROJECT: id }, { KUZU_MEMORY_PROJECT: at('shop') }]) {
      expect((await run(['recall', 'the till'], variables)).stdout).toContain('The till is open.');
    }
    expect(await run(['recall', 'x', '--project=/'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('it is a home folder or contains one'),
    });
  });

  it('is where a server works', async () => {
    const { call, instructions } = await startStdio('/', {}, { LORE_PROJECT: at('theirs') });
    expect(instructions).not.toContain('not a project');
    expect((await call('read_file', { path: 'notes.txt' })).text).toContain('of theirs');
  });
});

describe('at the command line', () => {
  it('folders are granted alike, and no home folder can be', async () => {
    expect(await lore(at('own'), 'read_file', 'notes.txt', '--repo', at('strange'))).toMatchObject({ code: 5 });
    expect(await lore(at('own'), 'init', '--path', at('strange'))).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`lore allow --root ${at('strange')}`),
    });
    for (const folder of ['/', at('home'), base]) {
      expect(await lore(at('own'), 'allow', '--root', folder)).toMatchObject({ code: 5 });
    }
    expect((await lore(at('own'), 'allow', '--list')).stdout).toMatch(/^projects +other projects +read +/m);
    expect(await lore(at('home'), 'list_files')).toMatchObject({
      code: 5,
      stderr: expect.stringMatching(/the home folder is not a project[\s\S]*cannot be granted/),
    });
  });

  it('memories stored in a home folder that was a project are still found', async () => {
    const home = at('person');
    mkdirSync(join(home, 'notes'), { recursive: true });
    runGit(home, 'init', '--quiet');
    const run = (cwd: string, HOME: string, ...args: string[]) =>
      runLore(args, { cwd, env: { ...env, HOME, LORE_DB: at('person.db') } });
    // While it was no home folder, it was a project like any other.
    await run(home, at('home'), 'remember', 'The otter pond is behind the mill.');
    await run(home, at('home'), 'checkpoint_save', 'Goal: dig the pond.');
    for (const cwd of [home, '/', join(home, 'notes')]) {
      expect((await run(cwd, home, 'recall', 'otter pond')).stdout).toContain('behind the mill');
      expect((await run(cwd, home, 'checkpoint_list')).stdout).toContain('dig the pond');
    }
    await run(home, home, 'remember', 'The otter feeder is by the gate.');
    expect((await run(home, home, 'sync', 'git')).code).toBe(2);
    for (const args of [['merge', 'person'], ['split']]) {
      expect(await run(home, home, 'project', ...args)).toMatchObject({ code: 5 });
    }
    expect((await run(at('own'), home, 'recall', 'otter feeder')).stdout).toContain('by the gate');
    expect((await run(at('own'), home, 'recall', 'otter pond')).stdout).not.toContain('behind the mill');
  });

  it('a file of the current folder is suggested where the root of the repository has none of that name', async () => {
    mkdirSync(at('whole', 'sub'), { recursive: true });
    runGit(at('whole'), 'init', '--quiet');
    writeFileSync(at('whole', 'sub', 'in.txt'), 'in\n');
    expect(await lore(at('whole', 'sub'), 'read_file', 'in.txt')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('"sub/in.txt" exists'),
    });
  });
});
