// Limits on the number, lifetime and disk use of git processes, whatever the server sends.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { canStayPartial } from '../../src/services/repo/clone/clone.ts';
import type { CloneLimits } from '../../src/services/repo/clone/clones.ts';
import { sqlite } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { commitFiles, runGit, startFileServer, startHttp } from '../support/git-server.ts';
import { openServices } from '../support/services.ts';

let base: string;
let trace: string;

beforeEach(() => {
  base = createFolder('git-bounds');
  trace = join(base, 'trace');
  for (const name of ['served', 'project', 'trace']) mkdirSync(join(base, name));
  // Every git process, however deep in the tree, writes a file of its own here.
  writeFileSync(join(base, 'gitconfig'), `[trace2]\n\teventTarget = ${trace}\n\tmaxFiles = 0\n`);
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(base, 'gitconfig'));
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
});
afterEach(() => vi.unstubAllEnvs());

async function open(limits: CloneLimits = {}) {
  const services = await openServices(sqlite, join(base, 'project'), undefined, { cache: join(base, 'cache'), limits });
  onTestFinished(() => services.close());
  return services;
}

interface Event {
  event: string;
  time: string;
}

/** Git processes over the whole run, and the most that ran at the same time. */
function countProcesses(): { all: number; most: number } {
  const changes: [time: string, by: number][] = [];
  const names = readdirSync(trace);
  for (const name of names) {
    const events = readFileSync(join(trace, name), 'utf8').trim().split('\n');
    const [first, last] = [events[0], events.at(-1)].map((line) => JSON.parse(line ?? '{}') as Event);
    changes.push([first?.time ?? '', 1]);
    // One that was killed leaves no last word: then it counts to the end.
    if (last?.event === 'atexit') changes.push([last.time, -1]);
  }
  changes.sort(([a, one], [b, other]) => (a === b ? one - other : a < b ? -1 : 1));
  let [running, most] = [0, 0];
  for (const [, by] of changes) {
    running += by;
    most = Math.max(most, running);
  }
  return { all: names.length, most };
}

/** Over loose objects and over a pack. */
function serveDumb(name: string, isPacked: boolean): void {
  const bare = join(base, 'served', name);
  for (const at of [0, 1]) commitFiles(bare, { 'README.md': `# ${name} ${at}\n`, [`src/${at}.ts`]: 'export {};\n' });
  if (isPacked) runGit(bare, 'repack', '-adq');
  runGit(bare, 'update-server-info');
}

/** The settings of the only clone. */
function readConfig(): string {
  const cache = join(base, 'cache');
  const paths = readdirSync(cache, { recursive: true }) as string[];
  return readFileSync(join(cache, paths.find((path) => path.endsWith('.git/config')) ?? ''), 'utf8');
}

/** A git of an older version, as far as it tells. */
function pretendVersion(version: string): void {
  const folder = createFolder('old-git');
  const own = execFileSync('which', ['git']).toString().trim();
  const script = `#!/bin/sh\nfor last; do :; done\n[ "$last" = version ] && exec echo git version ${version}\nexec ${own} "$@"\n`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
}

describe('a partial clone', () => {
  it.each([
    ['git version 2.38.9', false],
    ['git version 2.39.3', false],
    ['git version 2.39.5 (Apple Git-154)', true],
    ['git version 2.43.0.windows.1', false],
    ['git version 2.45.0', true],
    ['git version 3.0.0-rc1', true],
    ['', false],
  ])('is made only by a git that can disable lazy fetching: %s', (version, expected) => {
    expect(canStayPartial(version)).toBe(expected);
  });

  it('is not recorded, and an older git clones completely', async () => {
    const bare = join(base, 'served', 'x.git');
    commitFiles(bare, { 'README.md': '# x\n', 'large.txt': 'x'.repeat(2_000_000) });
    const server = await startHttp(join(base, 'served'));
    onTestFinished(() => server.close());
    const services = await open({ refreshMs: 0 });
    const read = (path: string) => services.call('read_file', { repo: `${server.url}/x.git`, path, end: 1 });
    expect(await read('README.md')).toMatchObject({ text: '# x\n' });
    await expect(read('large.txt')).rejects.toMatchObject({ word: 'not_found' });
    expect(readConfig()).not.toMatch(/promisor|partial/i);
    pretendVersion('2.34.1');
    commitFiles(bare, { 'README.md': '# y\n' });
    expect(await read('README.md')).toMatchObject({ text: '# y\n' });
    expect(await read('large.txt')).toMatchObject({ path: 'large.txt' });
  });
});

describe('many clones at a time', () => {
  it('wait their turn', async () => {
    serveDumb('x.git', true);
    const names = Array.from({ length: 4 }, (_, at) => `${at}.git`);
    for (const name of names) symlinkSync(join(base, 'served/x.git'), join(base, 'served', name));
    const server = await startFileServer(join(base, 'served'));
    onTestFinished(() => server.close());
    const services = await open();
    const read = (name: string) => services.call('read_file', { repo: `${server.url}/${name}`, path: 'README.md' });
    for (const result of await Promise.all(names.map(read))) expect(result).toMatchObject({ text: '# x.git 1\n' });
    expect(countProcesses().most).toBeLessThanOrEqual(10);
  });
});

describe.skipIf(process.platform === 'win32')('the folder of clones', () => {
  it('is readable only by its owner, even if it was not before', async () => {
    serveDumb('x.git', true);
    mkdirSync(join(base, 'cache'), { mode: 0o755 });
    const server = await startFileServer(join(base, 'served'));
    onTestFinished(() => server.close());
    await (await open()).call('list_files', { repo: `${server.url}/x.git` });
    const mode = (path: string) => statSync(path).mode & 0o777;
    const [key = ''] = readdirSync(join(base, 'cache'));
    expect(mode(join(base, 'cache'))).toBe(0o700);
    expect(mode(join(base, 'cache', key))).toBe(0o700);
    expect(mode(join(base, 'cache', key, 'state.json'))).toBe(0o600);
  });
});

describe('a server that only sends files', () => {
  it.each([
    ['loose objects', false],
    ['a pack', true],
  ])('is cloned, with few git processes: %s', async (_, isPacked) => {
    serveDumb('x.git', isPacked);
    const server = await startFileServer(join(base, 'served'));
    onTestFinished(() => server.close());
    const services = await open({ silenceMs: 2_000 });
    const repo = `${server.url}/x.git`;
    const result = await services.call('list_files', { repo }).catch((error: Error) => error.message);
    const { all, most } = countProcesses();
    expect(most).toBeLessThanOrEqual(5);
    expect(all).toBeLessThan(40);
    expect(result).toMatchObject({ entries: expect.arrayContaining([expect.objectContaining({ path: 'README.md' })]) });
    expect(await services.call('read_file', { repo, path: 'README.md' })).toMatchObject({ text: '# x.git 1\n' });
    expect(readConfig()).not.toMatch(/promisor|partial/i);
  });

  it.each([
    ['bytes', (at: number) => randomBytes(20_000 + at)],
    ['objects', (at: number) => String(at)],
  ])('is cancelled when it sends too many %s, one object at a time', async (_, fill) => {
    const bare = join(base, 'served', 'x.git');
    commitFiles(bare, Object.fromEntries(Array.from({ length: 95 }, (_, at) => [`${at}.txt`, fill(at)])));
    runGit(bare, 'update-server-info');
    const sent: string[] = [];
    // The last object is never sent: only the limit can end it.
    const server = await startFileServer(join(base, 'served'), {
      onRequest: ({ url = '' }) => sent.push(url),
      holds: ({ url = '' }) => /\/objects\/[0-9a-f]{2}\//.test(url) && sent.length > 90,
    });
    onTestFinished(() => server.close());
    const services = await open({ maxBytes: 300_000 });
    const repo = `${server.url}/x.git`;
    await expect(services.call('list_files', { repo })).rejects.toMatchObject({ word: 'limit_exceeded' });
    expect(readdirSync(join(base, 'cache')).flatMap((name) => readdirSync(join(base, 'cache', name)))).toEqual([]);
  });
});
