// Attempts to read files outside the project or of the installation, or to make a read hang: every kind of link, pipe and
// device at every file name that is read, over every entry point, against one running server.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/bundle.ts';
import { canary, createHostileTree, slots, soughtWord } from '../support/hostile-tree.ts';
import { runLore } from '../support/lore.ts';
import { StdioClient } from '../support/stdio-client.ts';

const tree = createHostileTree();
let client: StdioClient;
let attempts = 0;
const operations = new Set<string>();

beforeAll(async () => {
  tree.clear();
  const child = spawnPiped();
  let log = '';
  child.stderr.on('data', (part: Buffer) => {
    log += part;
  });
  client = new StdioClient({ child, log: () => log, stop: async () => null });
  const clientInfo = { name: 'test', version: '1' };
  await client.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  client.notify('notifications/initialized');
  await call('collection_create', { name: 'all' });
});
afterAll(async () => {
  tree.close();
  client.server.child.kill('SIGKILL');
});

/** Whatever the server says to it, it says something, and nothing that it must not. */
async function attempt(method: string, params: object): Promise<string> {
  attempts++;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer to ${method} ${JSON.stringify(params)}`)), 150_000);
  });
  const answer = await Promise.race([client.request(method, { ...params }), late]).finally(() => clearTimeout(timer));
  const said = JSON.stringify(answer);
  expect(said, JSON.stringify([method, params])).not.toContain(canary);
  expect(said).not.toMatch(/ENOENT|EACCES|ELOOP|ENXIO|ENOTDIR|EISDIR|errno|"internal"/);
  for (const [id] of said.matchAll(/\bop_\w{10,}/g)) operations.add(id);
  return said;
}

const call = (name: string, args: object) => attempt('tools/call', { name, arguments: args });

/** Standard input is a pipe, as it is for most clients: Node would give it a socket, which cannot be opened by name. */
function spawnPiped() {
  const [program, script] = [process.execPath, join(root, 'bin/lore.cjs')];
  const env = { PATH: process.env.PATH, HOME: tree.base, ...tree.env };
  return spawn('sh', ['-c', 'cat | "$0" "$1" stdio', program, script], { cwd: tree.project, env });
}

/** Waits for what is done in the background. */
async function settle(): Promise<void> {
  for (const id of operations) {
    await expect.poll(() => call('status', { operation_id: id })).not.toMatch(/\b(?:queued|running)\b/);
    operations.delete(id);
  }
}

/** What is named by a caller. */
async function nameIt(path: string): Promise<void> {
  await call('read_file', { path });
  await call('collection_ingest', { collection_name: 'all', path });
  await call('fs_stat', { path });
  await attempt('resources/read', { uri: `lore://file/${path}` });
  await call('remember', { text: `The ${soughtWord} is set up in ${path}:3.` });
}

/** What is found by itself. */
async function lookBriefly(): Promise<void> {
  await call('init', { force: true });
  await settle();
  await call('get_readme', {});
  await call('list_files', { depth: 9, limit: 1_000 });
  await call('learn', { content: `We decided to use ${soughtWord} for the parser because it is fast.` });
  await call('troubleshoot', { error_message: `2026-01-01T00:00:00Z ${soughtWord} failed in src/code.ts` });
  await call('recent', {});
}

async function lookAround(): Promise<void> {
  await call('search_code', { query: soughtWord, mode: 'literal', context: 3 });
  await call('search_code', { query: `where is ${soughtWord} decided`, mode: 'semantic' });
  await call('search_code', { query: soughtWord, mode: 'literal', path: 'README.md' });
  await call('fs_search', { content: soughtWord });
  await call('checkpoint_save', { name: 'x', content: `Changed README.md and app.log for ${soughtWord}.` });
  await call('collection_ingest', { collection_name: 'all', path: '.' });
  await call('recall', { query: soughtWord });
  const ref = { type: 'ref/resource', uri: 'lore://file/{+path}' };
  await attempt('completion/complete', { ref, argument: { name: 'path', value: 'door/' } });
}

async function lookFurther(): Promise<void> {
  await call('search_code', { query: soughtWord, mode: 'symbol' });
  await call('search_code', { query: `${soughtWord}.*`, mode: 'regex' });
  await call('index_repository', {});
  await call('repo_map', {});
  await call('project', {});
  await call('checkpoint_resume', {});
  await call('collection_search', { collection_name: 'all', query: soughtWord });
}

async function runCommand(args: readonly string[], input = ''): Promise<void> {
  attempts++;
  const { stdout, stderr } = await runLore(args, { env: tree.env, cwd: tree.project, input });
  expect(stdout + stderr, args.join(' ')).not.toContain(canary);
}

/** What a person or a program at the terminal starts. */
async function runCommands(): Promise<void> {
  await Promise.all([runCommand(['import', 'notes.md']), runCommand(['skill', 'import', 'skills'])]);
  const stop = { cwd: tree.project, transcript_path: join(tree.project, 'notes.md'), session_id: 's' };
  await runCommand(['hook', 'SessionEnd'], JSON.stringify(stop));
}

const thorough = new Set([
  'a relative link',
  'a link to standard input',
  'a link to an endless device',
  'a link to our settings',
  'a hard link to our settings',
  'a pipe',
]);

describe.skipIf(process.platform === 'win32')('no way out and no way to hang', () => {
  it.each(tree.lures)('by %s', async (name, lure) => {
    tree.clear();
    tree.lay(lure);
    const isThorough = thorough.has(name);
    // Which file it is matters little to those who are told its name.
    for (const slot of isThorough ? slots : slots.slice(-4)) await nameIt(slot);
    await lookBriefly();
    if (isThorough) await lookAround();
    if (['a relative link', 'a pipe', 'a hard link to our settings'].includes(name)) await lookFurther();
    if (['a relative link', 'a pipe'].includes(name)) await runCommands();
  });

  it.each(tree.folderLures)('by a link in the place of the folder %s', async (name, to) => {
    tree.clear();
    tree.layFolder(name, to);
    for (const file of ['diary.md', 'README.md', 'app.log', 'skill/SKILL.md', 'outside/diary.md'])
      await nameIt(`${name}/${file}`);
    await lookBriefly();
    if (name === 'src') {
      await lookAround();
      await lookFurther();
    }
    if (name === 'skills') await runCommand(['skill', 'import', 'skills']);
  });

  it.each(tree.gitLures)('by a repository in which %s', async (_, files) => {
    tree.clear();
    tree.layGit(files);
    await call('checkpoint_save', { name: 'x', content: `Changed plain.md for ${soughtWord}.` });
    await call('project', {});
    await call('read_file', { path: 'plain.md' });
    await call('search_code', { query: 'plain', mode: 'literal' });
  });

  it.each([
    'config.json',
    'lore.db',
    'lore.db-wal',
    './config.json',
    'src/../config.json',
    join(tree.project, 'config.json'),
    '../outside/diary.md',
    join(tree.outside, 'diary.md'),
    `/proc/self/root${tree.outside}/diary.md`,
    '/proc/self/environ',
    '/proc/self/cwd/config.json',
    'file:///etc/passwd',
    '%2e%2e/outside/diary.md',
    '..%2foutside%2fdiary.md',
    '．．/outside/diary.md',
    '..\\outside\\diary.md',
    'config.json\0.md',
    'config.json/',
    'config.json.',
    'CONFIG.JSON',
    `${'../'.repeat(30)}${tree.outside.slice(1)}/diary.md`,
    'door/diary.md',
    'door',
    'hop',
    '~/diary.md',
  ])('by the path %j', async (path) => {
    for (const tool of ['read_file', 'list_files', 'fs_stat', 'fs_search']) {
      const said = await call(tool, { path, ...(tool === 'fs_search' && { name: '*' }) });
      expect(said).toMatch(/"isError":true|"error"/);
    }
    await nameIt(path);
    await call('search_code', { query: soughtWord, mode: 'literal', path });
    await call('search_code', { query: 'token', mode: 'literal', path });
  });

  it('does not list or find our own files', async () => {
    tree.clear();
    const listings = [
      call('list_files', { depth: 5 }),
      call('fs_search', { name: '*' }),
      call('search_code', { query: 'token', mode: 'literal' }),
      call('search_code', { query: 'tok.n', mode: 'regex' }),
      call('search_code', { query: 'which token is used', mode: 'semantic' }),
      call('fs_search', { content: 'token' }),
      call('repo_map', {}),
    ];
    for (const said of await Promise.all(listings)) expect(said).not.toMatch(/config\.json|lore\.db/);
    expect(await call('list_files', { depth: 5 })).toContain('plain.md');
  });

  it('in hundreds of attempts; the server still works afterwards and has stored nothing', async () => {
    await settle();
    expect(await call('read_file', { path: 'plain.md' })).toContain('Nothing to see.');
    expect(await client.end()).toBe(0);
    expect(attempts).toBeGreaterThan(300);
    for (const name of readdirSync(tree.project).filter((one) => one.startsWith('lore.db'))) {
      expect(readFileSync(join(tree.project, name)).includes(canary), name).toBe(false);
    }
  });
});
