// Repositories behind git addresses: cloned with the user's git and logins, kept, renewed, and never run.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createGraphAccess } from '../../src/graph/access.ts';
import { createFolders } from '../../src/graph/project/grant.ts';
import type { CloneLimits } from '../../src/services/repo/clone/clones.ts';
import { createRepoContext } from '../../src/services/repo/context.ts';
import { sqlite } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { commitFiles, type GitServer, runGit, startDaemon, startHttp } from '../support/git-server.ts';
import { openServices, type Services } from '../support/services.ts';

const base = createFolder('clone');
const served = join(base, 'served');
const home = join(base, 'home');
const project = join(base, 'project');
const marker = join(base, 'was-run');
let daemon: GitServer;
let http: GitServer;
let locked: GitServer;
let requests: string[] = [];
let services: Services;

beforeAll(async () => {
  for (const folder of [served, home, project]) mkdirSync(folder);
  commitFiles(join(served, 'public.git'), {
    'README.md': '# Public\n',
    'src/main.ts': 'export const answer = 42;\n',
    'large.txt': 'x'.repeat(2_000_000),
    'name with\nnewline': 'yes',
    '.gitattributes': '* filter=evil text eol=crlf\n',
    '.gitmodules': `[submodule "x"]\n\tpath = x\n\turl = ${join(served, 'other.git')}\n`,
  });
  commitFiles(join(served, 'public.git'), { 'second.txt': 'of a second commit' });
  commitFiles(join(served, 'private.git'), { 'README.md': '# Private\n' });
  runGit(served, 'init', '--quiet', '--bare', 'empty.git');
  daemon = await startDaemon(served);
  http = await startHttp(served, { onRequest: ({ url = '' }) => void requests.push(url) });
  locked = await startHttp(served, { login: 'ada:s3cret-word' });
});
afterAll(() => Promise.all([daemon.close(), http.close(), locked.close()]));

async function open(limits: CloneLimits = {}, roots: readonly string[] = []): Promise<void> {
  await services?.close();
  services = await openServices(sqlite, project, undefined, { cache: join(base, 'cache'), limits, roots });
}

/** The user's own settings of git. */
function configure(text: string): void {
  writeFileSync(join(home, 'gitconfig'), `[user]\n\tname = Ada\n${text}`);
}

beforeEach(async () => {
  requests = [];
  rmSync(join(base, 'cache'), { recursive: true, force: true });
  configure('');
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(home, 'gitconfig'));
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  await open();
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => services.close());

function listCache(): string[] {
  const cache = join(base, 'cache');
  return readdirSync(cache).flatMap((name) => readdirSync(join(cache, name)).map((inner) => join(cache, name, inner)));
}

const read = (repo: string, path = 'README.md') => services.call('read_file', { repo, path });

describe('a repository behind an address', () => {
  it.each(['daemon', 'http'])('is read, listed and introduced: %s', async (way) => {
    const repo = `${(way === 'http' ? http : daemon).url}/public.git`;
    expect(await read(repo, 'src/main.ts')).toMatchObject({ text: 'export const answer = 42;\n', repo });
    expect(await services.call('get_readme', { repo })).toMatchObject({ path: 'README.md', text: '# Public\n' });
    const { entries } = (await services.call('list_files', { repo })) as { entries: { path: string }[] };
    expect(entries.map(({ path }) => path)).toEqual([
      '.gitattributes',
      '.gitmodules',
      'README.md',
      'name with\nnewline',
      'second.txt',
      'src/main.ts',
    ]);
  });

  it('is fetched without its history and without large files', async () => {
    const repo = `${http.url}/public.git`;
    await expect(read(repo, 'large.txt')).rejects.toMatchObject({
      word: 'not_found',
      hint: expect.stringContaining('1 MB'),
    });
    const [tree = ''] = listCache().filter((path) => path.includes('tree-'));
    expect(runGit(tree, 'rev-list', '--count', 'HEAD').trim()).toBe('1');
    await expect(read(repo, '.git/config')).rejects.toMatchObject({ word: 'forbidden' });
  });

  it('is fetched once and then cached', async () => {
    const repo = `${http.url}/public.git`;
    await Promise.all([read(repo), read(repo), services.call('get_readme', { repo: `${repo}/` })]);
    const first = requests.length;
    await read(repo);
    expect(requests).toHaveLength(first);
    expect(requests.filter((url) => url.includes('info/refs'))).toHaveLength(1);
  });

  it('is updated when it is old, and kept if nothing changed', async () => {
    const repo = `${http.url}/public.git`;
    await read(repo);
    await open({ refreshMs: 0 });
    const before = listCache();
    await read(repo);
    expect(listCache()).toEqual(before);
    commitFiles(join(served, 'public.git'), { 'src/main.ts': 'export const answer = 43;\n' });
    expect(await read(repo, 'src/main.ts')).toMatchObject({ text: 'export const answer = 43;\n' });
  });

  it('is renewed when the clock was set back after it was fetched', async () => {
    const repo = `${http.url}/public.git`;
    await open();
    await read(repo);
    for (const path of listCache().filter((name) => name.endsWith('state.json'))) {
      const state = JSON.parse(readFileSync(path, 'utf8'));
      writeFileSync(path, JSON.stringify({ ...state, checked: Date.now() + 86_400_000 }));
    }
    commitFiles(join(served, 'public.git'), { 'src/main.ts': 'export const answer = 44;\n' });
    expect(await read(repo, 'src/main.ts')).toMatchObject({ text: 'export const answer = 44;\n' });
  });

  it('is read from the cache when its host is unavailable', async () => {
    const other = await startHttp(served);
    const repo = `${other.url}/public.git`;
    await read(repo);
    await other.close();
    await open({ refreshMs: 0 });
    expect(await read(repo)).toMatchObject({ text: '# Public\n' });
  });

  it('is a separate project, and shares no memories', async () => {
    const repo = `${daemon.url}/private.git`;
    const access = createGraphAccess(join(base, 'lore.db'));
    onTestFinished(() => access.close());
    const context = createRepoContext(createFolders(access), { cache: join(base, 'cache') });
    const place = await context.open({ caller: { id: 'local', scopes: ['read'], folder: project } }, repo);
    expect(place).toMatchObject({ name: 'private', url: repo });
    expect(place.scope).toMatchObject({ project: { id: 'git:127.0.0.1/private' }, projects: [] });
  });
});

describe('a private repository', () => {
  it('is not read without a login', async () => {
    await expect(read(`${locked.url}/private.git`)).rejects.toMatchObject({
      word: 'forbidden',
      message: `Cannot clone "${locked.url}/private.git": it asks for a login that git does not have`,
    });
  });

  it("is read with the user's credential helper", async () => {
    configure('[credential]\n\thelper = "!f() { echo username=ada; echo password=s3cret-word; }; f"\n');
    expect(await read(`${locked.url}/private.git`)).toMatchObject({ text: '# Private\n' });
  });

  it("is read with the user's own header", async () => {
    const login = Buffer.from('ada:s3cret-word').toString('base64');
    configure(`[http "${locked.url}"]\n\textraHeader = Authorization: Basic ${login}\n`);
    expect(await read(`${locked.url}/private.git`)).toMatchObject({ text: '# Private\n' });
  });

  it('is not read with a wrong login, and no password is repeated', async () => {
    configure('[credential]\n\thelper = "!f() { echo username=ada; echo password=wr0ng-word; }; f"\n');
    await expect(read(`${locked.url}/private.git`)).rejects.toMatchObject({ word: 'forbidden' });
    const address = locked.url.replace('//', '//ada:s3cret-word@');
    const error = await read(`${address}/private.git`).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ word: 'invalid_input', message: expect.stringContaining('contains a login') });
    expect(JSON.stringify(error) + String(error)).not.toContain('s3cret-word');
  });
});

describe('a repository that cannot be had', () => {
  const cases: [string, () => string, string, RegExp][] = [
    ['no such repository, over HTTP', () => `${http.url}/nothing.git`, 'not_found', /there is no such repository/],
    [
      'no such repository, over the daemon',
      () => `${daemon.url}/nothing.git`,
      'not_found',
      /there is no such repository/,
    ],
    ['no commits', () => `${http.url}/empty.git`, 'not_found', /it has no commits yet/],
    ['nobody listens', () => 'http://127.0.0.1:1/x.git', 'unavailable', /does not answer; there may be no network/],
    [
      'nobody listens, over git',
      () => 'git://127.0.0.1:1/x.git',
      'unavailable',
      /does not answer; there may be no network/,
    ],
    ['no such host', () => 'https://nowhere.invalid/x.git', 'unavailable', /cannot be found; there may be no network/],
    ['no address', () => 'https://', 'invalid_input', /it is not the address of a git repository/],
    ['no path', () => 'https://host', 'invalid_input', /it is not the address of a git repository/],
    ['spaces', () => 'https://host/a b', 'invalid_input', /it is not the address of a git repository/],
  ];
  it.each(cases)('is reported: %s', async (_, repo, word, message) => {
    await expect(read(repo())).rejects.toMatchObject({ word, message: expect.stringMatching(message) });
  });

  it('reports that git is missing', async () => {
    vi.stubEnv('PATH', '');
    await expect(read(`${http.url}/public.git`)).rejects.toMatchObject({
      word: 'unavailable',
      message: 'Cannot run "git": it is not installed',
    });
  });

  it('is not waited for when its host is silent', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as { port: number };
    await open({ silenceMs: 300 });
    await expect(read(`git://127.0.0.1:${port}/x`)).rejects.toMatchObject({ word: 'timeout' });
    await open({ deadlineMs: 300 });
    await expect(read(`git://127.0.0.1:${port}/x`)).rejects.toMatchObject({ word: 'timeout' });
  });

  it.each([
    ['files', { maxFiles: 2 }],
    ['bytes', { maxBytes: 20 }],
  ])('is not kept when it has too many %s', async (_, limits) => {
    await open(limits);
    await expect(read(`${http.url}/public.git`)).rejects.toMatchObject({ word: 'limit_exceeded' });
    expect(listCache()).toEqual([]);
  });
});

describe('a hostile repository', () => {
  it('runs nothing, here or from the settings of the user', async () => {
    const bare = join(served, 'evil.git');
    commitFiles(bare, { '.gitattributes': '* filter=evil diff=evil\n', 'a.txt': 'plain\n' });
    symlinkSync('/etc/passwd', `${bare}-work/leads-out`);
    commitFiles(bare, { '.gitmodules': '[submodule "--upload-pack=x"]\n\tpath = m\n\turl = ext::sh\n' });
    configure(
      `[filter "evil"]\n\tsmudge = touch ${marker}\n\tprocess = touch ${marker}\n\trequired = true\n` +
        `[core]\n\tfsmonitor = touch ${marker}\n[submodule]\n\trecurse = true\n[fetch]\n\trecurseSubmodules = true\n`,
    );
    const repo = `${http.url}/evil.git`;
    expect(await read(repo, 'a.txt')).toMatchObject({ text: 'plain\n' });
    await expect(read(repo, 'leads-out')).rejects.toMatchObject({ word: 'forbidden' });
    expect(existsSync(marker)).toBe(false);
  });
});

describe('folders besides the project', () => {
  it('are read once the settings allow them, by path and by address', async () => {
    const other = join(base, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'a.txt'), 'other');
    await expect(read(other, 'a.txt')).rejects.toMatchObject({ word: 'forbidden' });
    const bare = join(served, 'private.git');
    await expect(read(`file://${bare}`)).rejects.toMatchObject({ word: 'forbidden' });
    await open({}, [other, served]);
    expect(await read(other, 'a.txt')).toMatchObject({ text: 'other' });
    expect(await read('../other', 'a.txt')).toMatchObject({ text: 'other' });
    expect(await read(`file://${bare}`)).toMatchObject({ text: '# Private\n' });
    await expect(read(home)).rejects.toMatchObject({ word: 'forbidden' });
  });
});

describe('a repository in a granted folder', () => {
  const secret = join(base, 'not-granted');
  const from = (name: string) => join(project, name);
  const lay = (name: string, files: Record<string, string>, links: Record<string, string> = {}) => {
    for (const folder of ['objects/info', 'refs/heads']) mkdirSync(join(from(name), folder), { recursive: true });
    for (const [path, text] of Object.entries({
      HEAD: 'ref: refs/heads/main\n',
      config: '[core]\n\tbare = true\n',
      ...files,
    }))
      writeFileSync(join(from(name), path), text);
    for (const [path, target] of Object.entries(links)) {
      rmSync(join(from(name), path), { recursive: true, force: true });
      symlinkSync(target, join(from(name), path));
    }
  };

  it('does not lead to one that is not granted', async () => {
    commitFiles(join(secret, 'plan.git'), { 'README.md': 'of nobody else\n' });
    const git = join(secret, 'plan.git');
    const commit = runGit(git, 'rev-parse', 'main').trim();
    lay('by-commondir', { commondir: '../../not-granted/plan.git\n' });
    lay('by-links', {}, { objects: join(git, 'objects'), refs: join(git, 'refs') });
    lay('by-link-within', { 'refs/heads/main': `${commit}\n` }, { 'objects/pack': join(git, 'objects/pack') });
    lay('by-alternates', { 'refs/heads/main': `${commit}\n`, 'objects/info/alternates': `${git}/objects\n` });
    lay('chained', { 'refs/heads/main': `${commit}\n`, 'objects/info/alternates': '../../by-alternates/objects\n' });
    mkdirSync(from('by-pointer'));
    writeFileSync(join(from('by-pointer'), '.git'), `gitdir: ${git}\n`);
    mkdirSync(from('by-git-link'));
    symlinkSync(git, join(from('by-git-link'), '.git'));
    for (const name of readdirSync(project).filter((one) => /^by-|^chained/.test(one))) {
      await expect(read(`file://${from(name)}`), name).rejects.toMatchObject({ word: 'forbidden' });
    }
    // What is granted may lead to what is granted.
    await open({}, [git]);
    expect(await read(`file://${from('by-commondir')}`)).toMatchObject({ text: 'of nobody else\n' });
  });

  it('is the folder itself, and none that git would try for it', async () => {
    mkdirSync(from('plain'));
    commitFiles(from('plain.git'), { 'README.md': 'beside it\n' });
    await expect(read(`file://${from('plain')}`)).rejects.toMatchObject({ word: 'invalid_input' });
    expect(await read(`file://${from('plain.git')}`)).toMatchObject({ text: 'beside it\n' });
    runGit(project, 'clone', '--quiet', 'plain.git', 'work');
    runGit(from('work'), 'worktree', 'add', '--quiet', '../tree');
    for (const name of ['work', 'tree']) {
      expect(await read(`file://${from(name)}`)).toMatchObject({ text: 'beside it\n' });
    }
  });
});
