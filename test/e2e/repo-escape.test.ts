// Attempts to read what lies outside the repository, or to make a read hang. Each is refused or reads something harmless,
// and each comes back.
import { execFileSync, spawn } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isGitFolder, readPath } from '../../src/files/path.ts';
import { sqlite } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

const secret = 'what-nobody-may-see';
const base = createFolder('escape');
const root = join(base, 'project');
const outside = join(base, 'outside');
const sibling = join(base, 'project-two');
let services: Services;
let socket: Server;

function prepare(): void {
  for (const folder of [root, outside, sibling, join(root, 'sub'), join(root, 'loop')]) mkdirSync(folder);
  execFileSync('git', ['init', '--quiet'], { cwd: root });
  execFileSync('git', ['config', 'user.name', secret], { cwd: root });
  writeFileSync(join(root, 'open.txt'), 'harmless\n');
  writeFileSync(join(root, 'sub', 'inner.txt'), 'harmless\n');
  for (const folder of [outside, sibling]) writeFileSync(join(folder, 'secret.txt'), `${secret}\n`);
  writeFileSync(join(base, 'secret.txt'), `${secret}\n`);
  const links: Record<string, string> = {
    'to-file': join(outside, 'secret.txt'),
    'to-file-relative': '../outside/secret.txt',
    'to-folder': outside,
    'to-parent': '..',
    'to-root': '/',
    'to-git': '.git',
    'to-git-file': '.git/config',
    'to-nowhere': join(outside, 'nothing'),
    'to-environment': '/proc/self/environ',
    'to-process-root': '/proc/self/root',
    'to-standard-input': '/proc/self/fd/0',
    'to-zero': '/dev/zero',
    'to-terminal': '/dev/tty',
    'to-random': '/dev/urandom',
    'to-link': 'to-file',
    'sub/up': '../to-folder',
    one: 'two',
    two: 'one',
    itself: 'itself',
    'loop/again': '../loop',
    'README.md': '../outside/secret.txt',
    '.gitattributes': '../outside/secret.txt',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  execFileSync('mkfifo', [join(root, 'pipe'), join(root, 'sub', '.gitignore')]);
  writeFileSync(join(root, 'huge.txt'), 'text\n'.repeat(4_000));
  truncateSync(join(root, 'huge.txt'), 1 << 28);
  writeFileSync(join(root, 'a\nb.txt'), 'harmless\n');
  writeFileSync(join(root, '%2e%2e'), 'harmless\n');
  writeFileSync(join(root, 'bad.txt'), Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41]));
  linkSync(join(root, 'open.txt'), join(root, 'hard.txt'));
}

beforeAll(async () => {
  prepare();
  socket = createServer().listen(join(root, 'socket'));
  services = await openServices(sqlite, root, undefined, { cache: join(base, 'cache') });
});
afterAll(async () => {
  socket.close();
  await services.close();
});

/** What it says, or the word of its refusal; an error of another kind fails. */
async function attempt(tool: string, args: object): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, 150_000, 'hung');
  });
  const done = services.call(tool, args).then(
    (result) => JSON.stringify(result),
    (error: { word?: string; message: string; hint?: string; details?: object }) => {
      const told = JSON.stringify([error.message, error.hint, error.details]);
      expect(told).not.toMatch(/ENOENT|EACCES|ELOOP|ENXIO|ENOTDIR|errno/);
      expect(told).not.toContain(secret);
      return error.word ?? 'foreign error';
    },
  );
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}

const forbiddenPaths = [
  '../outside/secret.txt',
  '../secret.txt',
  '..',
  '../',
  './../secret.txt',
  'sub/../../secret.txt',
  'sub/./.././../secret.txt',
  'nothing/../../secret.txt',
  '../project-two/secret.txt',
  `${sibling}/secret.txt`,
  '/etc/passwd',
  '//etc/passwd',
  '///etc/passwd',
  join(outside, 'secret.txt'),
  `${root}/../secret.txt`,
  '/proc/self/environ',
  '/proc/self/cwd/../secret.txt',
  '/dev/zero',
  '~/secret.txt',
  '~',
  '~root/.ssh/id_rsa',
  'open.txt\0.png',
  '\0',
  '..\\outside\\secret.txt',
  'sub\\..\\..\\secret.txt',
  'C:\\Windows\\win.ini',
  'C:/Windows/win.ini',
  'c:secret.txt',
  '\\\\server\\share\\secret.txt',
  '\\\\?\\C:\\secret.txt',
  '\\\\.\\PhysicalDrive0',
  '//server/share/secret.txt',
  '\\secret.txt',
  'open.txt::$DATA',
  'sub:$I30:$INDEX_ALLOCATION',
  '.git/config',
  '.GIT/config',
  '.Git/HEAD',
  '.git./config',
  '.git /config',
  '.git::$INDEX_ALLOCATION/config',
  'GIT~1/config',
  '.g\u200cit/config',
  'sub/../.git/config',
  '.git',
  'to-file',
  'to-file-relative',
  'to-folder/secret.txt',
  'to-parent/secret.txt',
  'to-parent/outside/secret.txt',
  'to-root/etc/passwd',
  'to-git/config',
  'to-git-file',
  'to-nowhere',
  'to-environment',
  'to-process-root/etc/passwd',
  'to-standard-input',
  'to-zero',
  'to-terminal',
  'to-random',
  'to-link',
  'sub/up/secret.txt',
  'one',
  'itself/x',
  'pipe',
  'socket',
];

/** Read as they are written, or not there: either way nothing else is read. */
const literalPaths = [
  '%2e%2e%2foutside%2fsecret.txt',
  '..%2foutside%2fsecret.txt',
  '%2e%2e/outside/secret.txt',
  '..%c0%af..%c0%afsecret.txt',
  '\u2025/secret.txt',
  '．．/secret.txt',
  '..;/secret.txt',
  '.../secret.txt',
  '$HOME/secret.txt',
  '`id`',
  'file:///etc/passwd',
  'open.txt/../open.txt/../../../secret',
];

describe.skipIf(process.platform === 'win32')('an attempt to read elsewhere', () => {
  it.each(forbiddenPaths)('is forbidden: %j', async (path) => {
    expect(await attempt('read_file', { path })).toBe('forbidden');
    expect(await attempt('read_file', { path, symbol: 'x' })).toBe('forbidden');
  });

  it.each(literalPaths)('finds nothing: %j', async (path) => {
    expect(['not_found', 'forbidden']).toContain(await attempt('read_file', { path }));
  });

  it.each(forbiddenPaths)('is forbidden to a listing, or shows nothing: %j', async (path) => {
    const told = await attempt('list_files', { path, depth: 5 });
    // What is there and is no folder is another mistake.
    expect(['forbidden', 'invalid_input']).toContain(told);
  });

  it.each([
    ['a README that leads out', 'get_readme', {}],
    ['a path of a megabyte', 'read_file', { path: 'x/'.repeat(2_000) }],
    ['a folder', 'read_file', { path: 'sub' }],
    ['nothing', 'read_file', { path: '' }],
    ['dots', 'read_file', { path: '././.' }],
  ])('of another kind fails: %s', async (_, tool, args) => {
    expect(['forbidden', 'invalid_input', 'not_found']).toContain(await attempt(tool, args));
  });

  it.each([
    ['open.txt', 'harmless'],
    ['hard.txt', 'harmless'],
    ['a\nb.txt', 'harmless'],
    ['%2e%2e', 'harmless'],
    ['sub/../open.txt', 'harmless'],
    ['sub/inner.txt', 'harmless'],
    ['bad.txt', 'utf-16le'],
  ])('of a harmless kind reads: %j', async (path, expected) => {
    expect(await attempt('read_file', { path })).toContain(expected);
  });

  it('does not read a huge file further than it shows', async () => {
    const before = process.memoryUsage().rss;
    expect(await attempt('read_file', { path: 'huge.txt' })).toContain('"next_start":2001');
    expect(await attempt('read_file', { path: 'huge.txt', start: 4_001 })).toContain('"cut":true');
    expect(await attempt('read_file', { path: 'huge.txt', start: 4_002 })).toBe('invalid_input');
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it('follows no link and waits at no pipe in a listing', async () => {
    const told = await attempt('list_files', { depth: 200, limit: 2_000 });
    expect(told).toContain('sub/inner.txt');
    expect(told).not.toMatch(/secret\.txt|\.git\/|to-|pipe|socket|again/);
  });
});

const folders = [
  '..',
  '../outside',
  '/',
  '/etc',
  '~',
  '~/x',
  outside,
  sibling,
  'to-folder',
  'to-parent',
  'to-root',
  'sub/up',
  '\0',
  'C:\\',
  '\\\\server\\share',
  'ext::sh -c "id >&2"',
  'ext::git-remote-x',
  'fd::3',
  `file://${'/etc'}`,
  'file:///to-folder',
  'file://server/share',
  'file:///%2e%2e/etc',
  '--upload-pack=touch /tmp/x',
  '-oProxyCommand=id',
  'ssh://-oProxyCommand=id/x',
  'ssh://%2doProxyCommand=id/x',
  'ssh://user@-oProxyCommand=id/x',
  'ssh://-x@host/x',
  'git@-oProxyCommand=id:x',
  'git@host:-x',
  'https://host/--upload-pack=id',
  'https://host/-x',
  'ftp://host/x',
  'javascript://host/x',
  'ext::https://host/x',
];

describe.skipIf(process.platform === 'win32')('another repository', () => {
  it.each(folders)('is refused: %j', async (repo) => {
    const words = ['forbidden', 'invalid_input', 'not_found'];
    expect(words).toContain(await attempt('read_file', { path: 'secret.txt', repo }));
    expect(words).toContain(await attempt('list_files', { repo }));
  });
});

/** Puts one thing and another in the place of `name`, over and over, until it is ended. */
function keepSwapping(name: string, first: string, second: string) {
  const script = `
    const { renameSync } = require('node:fs');
    process.stdout.write('begun');
    for (;;) for (const one of ${JSON.stringify([first, second])}) {
      try { renameSync(one, ${JSON.stringify(name)}); } catch { continue; }
      renameSync(${JSON.stringify(name)}, one);
    }`;
  return spawn(process.execPath, ['-e', script], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
}

describe.skipIf(process.platform === 'win32')('a link put in the place of', () => {
  it.each([
    ['a file', 'race.txt', 'race.txt'],
    ['a folder', 'race', 'race/secret.txt'],
    ['a folder further up', 'far', 'far/er/secret.txt'],
  ])('%s during a read has no effect', async (kind, name, path) => {
    const [plain, link] = [join(root, `${name}-plain`), join(root, `${name}-link`)];
    if (kind === 'a file') writeFileSync(plain, 'harmless\n');
    else {
      mkdirSync(join(plain, 'er'), { recursive: true });
      for (const inner of ['secret.txt', 'er/secret.txt']) writeFileSync(join(plain, inner), 'harmless\n');
      mkdirSync(join(outside, 'er'), { recursive: true });
      writeFileSync(join(outside, 'er', 'secret.txt'), secret);
      for (const inner of ['only-outside', 'er/only-outside']) writeFileSync(join(outside, inner), '');
    }
    symlinkSync(kind === 'a file' ? join(outside, 'secret.txt') : outside, link);
    const child = keepSwapping(join(root, name), plain, link);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const outcomes: Record<string, number> = {};
    try {
      // And on, until it has been met in both states.
      const isSeen = () => Object.keys(outcomes).length > 1;
      for (let turn = 0; turn < 400 || (!isSeen() && turn < 4_000); turn++) {
        const told = await attempt('read_file', { path });
        expect(told).not.toContain(secret);
        expect(await attempt('list_files', { path: name === path ? '' : name, depth: 3 })).not.toContain(
          'only-outside',
        );
        const outcome = told.includes('harmless') ? 'read' : told;
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
    } finally {
      child.kill('SIGKILL');
    }
    const words = Object.keys(outcomes);
    expect(['read', 'forbidden', 'not_found', 'invalid_input']).toEqual(expect.arrayContaining(words));
    expect(words.length, JSON.stringify(outcomes)).toBeGreaterThan(1);
  });
});

describe('a path in the notation of another system', () => {
  const said = { action: 'read', argument: 'arguments.path' };

  it.each([
    'a.txt:stream',
    'nul',
    'CON',
    'aux.txt',
    'com1',
    'LPT9.log',
    'sub/con',
    'a.',
    'a ',
    'sub./x',
    'a\\..\\..\\b',
  ])('is refused on Windows: %j', (path) => {
    expect(() => readPath(path, '/root', said, 'win32')).toThrow(expect.objectContaining({ word: 'forbidden' }));
  });

  it('is a plain name if it is valid here', () => {
    expect(readPath('a\\b/c.txt', '/root', said, 'win32')).toBe('a/b/c.txt');
    expect(readPath('console.txt', '/root', said, 'win32')).toBe('console.txt');
    expect(readPath('a\\b', '/root', said, 'linux')).toBe('a\\b');
    expect(['.github', '.gitignore', 'git', '.git-blame', 'x.git'].filter(isGitFolder)).toEqual([]);
  });
});
