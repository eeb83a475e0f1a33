// A git address from the first call to the last, through the built server: indexed, searched, read, mapped, renewed without
// anything double, with the user's own logins; and one sentence where it cannot be had.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { commitFiles, type GitServer, startDaemon, startHttp } from '../support/git-server.ts';
import { spawnLore } from '../support/lore.ts';

const base = createFolder('url');
const served = join(base, 'served');
const project = join(base, 'project');
const login = 'ada:s3cret-word';
const missing = findMissing(['daemon', 'http-backend']);
let daemon: GitServer;
let http: GitServer;
let locked: GitServer;

/** Which of git's own servers are not on this machine: some systems have them in packages of their own. */
function findMissing(programs: readonly string[]): string[] {
  const folder = execFileSync('git', ['--exec-path']).toString().trim();
  return programs.filter((name) => !existsSync(join(folder, `git-${name}`)));
}

const clam = '/** One clam less. */\nexport function eatClam(n: number): number {\n  return n - 1;\n}\n';
const walrus = "import { eatClam } from './clam.ts';\nexport class Walrus {\n  feed() {\n    eatClam(3);\n  }\n}\n";

beforeAll(async () => {
  for (const folder of [served, project]) mkdirSync(folder);
  for (const name of ['open', 'kept', 'private', 'ssh']) {
    commitFiles(join(served, `${name}.git`), {
      'README.md': '# Zoo\n',
      'src/clam.ts': clam,
      'src/walrus.ts': walrus,
    });
  }
  if (missing.length > 0) return;
  daemon = await startDaemon(served);
  http = await startHttp(served);
  locked = await startHttp(served, { login });
});
afterAll(() => Promise.all([daemon?.close(), http?.close(), locked?.close()]));

interface Answer {
  id?: number;
  result?: { isError?: boolean; content: { text: string }[]; structuredContent: Record<string, unknown> };
  error?: { message: string };
}

/** A server of its own home and database, as a person's client starts it; `settings` are those of that person's git. */
async function start(settings = '', env: Record<string, string> = {}) {
  const home = createFolder('home');
  writeFileSync(join(home, '.gitconfig'), settings);
  const data = join(home, 'data');
  const all = { HOME: home, XDG_DATA_HOME: data, LORE_DB: join(home, 'lore.db'), GIT_CONFIG_NOSYSTEM: '1', ...env };
  const child = spawnLore(['stdio', '--structured'], all, project);
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let last = 0;
  const ask = async (method: string, params: object) => {
    const id = ++last;
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('the server ended');
      const answer = JSON.parse(value as string) as Answer;
      if (answer.id === id) return answer;
    }
  };
  const clientInfo = { name: 'test', version: '1' };
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  const call = (name: string, args: object) => ask('tools/call', { name, arguments: args });
  return {
    home,
    async use(name: string, args: object): Promise<Record<string, unknown>> {
      const { result, error } = await call(name, args);
      const { isError = false, content, structuredContent } = result ?? {};
      expect(isError, content?.[0]?.text).toBe(false);
      expect(error).toBeUndefined();
      return structuredContent as Record<string, unknown>;
    },
    async index(url: string): Promise<Record<string, unknown>> {
      const { operation_id } = await this.use('index_repository', { url });
      const read = async () =>
        ((await this.use('status', { operation_id })).operations as Record<string, unknown>[])[0] ?? {};
      await expect.poll(async () => (await read()).state).toBe('done');
      return (await read()).result as Record<string, unknown>;
    },
    /** What is said of a failure: in a result, or as the protocol's error where nothing could be done. */
    async refuse(url: string): Promise<string> {
      const { result, error } = await call('index_repository', { url });
      expect(result?.isError ?? true).toBe(true);
      return error?.message ?? result?.content[0]?.text ?? '';
    },
  };
}

type Server = Awaited<ReturnType<typeof start>>;

/** Every tool that takes `repo`, on what was just indexed. */
async function useAll({ use }: Server, repo: string): Promise<void> {
  const paths = async (args: object) => {
    const { files } = await use('search_code', { repo, ...args });
    return (files as { path: string }[]).map(({ path }) => path);
  };
  expect(await paths({ query: 'return n - 1', mode: 'literal' })).toEqual(['src/clam.ts']);
  expect(await paths({ query: 'Walrus', mode: 'symbol' })).toEqual(['src/walrus.ts']);
  expect(await paths({ query: 'who makes one clam less', mode: 'semantic' })).toContain('src/clam.ts');
  expect(await use('read_file', { repo, path: 'src/walrus.ts', symbol: 'Walrus.feed' })).toMatchObject({
    start: 3,
    end: 5,
    repo,
  });
  expect(await use('repo_map', { repo })).toMatchObject({ files: 3, index: { state: 'complete', files: 3 } });
  expect(await use('repo_symbol', { repo, name: 'eatClam' })).toMatchObject({
    path: 'src/clam.ts',
    callers: expect.arrayContaining([{ name: 'Walrus.feed', path: 'src/walrus.ts', line: 3 }]),
  });
}

const asks = `\thelper = "!f() { echo username=ada; echo password=${login.slice(4)}; }; f"\n`;

describe.skipIf(missing.length > 0)(`a git address (needs git's ${missing.join(' and ') || 'servers'})`, () => {
  it.each([
    ['git daemon', () => `${daemon.url}/open.git`, ''],
    ['git http-backend', () => `${http.url}/open.git`, ''],
    ['git http-backend with a login', () => `${locked.url}/private.git`, `[credential]\n${asks}`],
  ])('is indexed, searched, read and mapped: %s', async (_, url, settings) => {
    const server = await start(settings);
    expect(await server.index(url())).toMatchObject({ files: 3, added: 3, removed: 0 });
    await useAll(server, url());
  });

  it('is updated by a second call, without duplicates', async () => {
    const server = await start();
    const url = `${http.url}/kept.git`;
    const bare = join(served, 'kept.git');
    await server.index(url);
    expect(await server.index(url)).toMatchObject({ files: 3, added: 0, changed: 0, unchanged: 3 });
    // Each state is laid out in a folder of its own, and the folder of the one before last goes.
    for (const name of ['eatMussel', 'eatOyster', 'eatShrimp']) {
      commitFiles(bare, {
        'src/clam.ts': clam.replace('eatClam', name),
        'src/walrus.ts': walrus.replaceAll('eatClam', name),
      });
      expect(await server.index(url)).toMatchObject({ files: 3, added: 0, changed: 2, unchanged: 1, removed: 0 });
      expect(await server.use('repo_symbol', { repo: url, name })).toMatchObject({
        path: 'src/clam.ts',
        callers: expect.arrayContaining([{ name: 'Walrus.feed', path: 'src/walrus.ts', line: 3 }]),
      });
      expect(await server.use('repo_map', { repo: url })).toMatchObject({ files: 3 });
    }
    const { definitions = [] } = (await server.use('search_code', { repo: url, query: 'eat', mode: 'symbol' })) as {
      definitions?: unknown[];
    };
    expect(JSON.stringify(definitions)).not.toMatch(/eatClam|eatMussel|eatOyster/);
    const cache = readdirSync(server.home, { recursive: true }) as string[];
    expect(cache.filter((path) => /tree-[^/]+$/.test(path))).toHaveLength(2);
  });

  it('fails with one sentence if it is unavailable', async () => {
    const server = await start();
    const sentences: [string, string][] = [
      [`${locked.url}/private.git`, 'it asks for a login that git does not have'],
      [`${http.url}/nothing.git`, 'there is no such repository, or it is not shown without a login'],
      [`${daemon.url}/nothing.git`, 'there is no such repository, or it is not shown without a login'],
    ];
    for (const [url, state] of sentences) {
      expect(await server.refuse(url)).toMatch(new RegExp(`^Cannot clone "${url}": ${state}`));
    }
  });
});

describe('an address that leads nowhere', () => {
  it('is reported in one sentence', async () => {
    const server = await start();
    for (const [url, state] of [
      ['https://', 'it is not the address of a git repository'],
      ['https://host/a b', 'it is not the address of a git repository'],
      ['not-an-address', 'it does not exist'],
      ['ext::sh -c id', 'addresses that run a program are not allowed'],
      ['https://nowhere.invalid/x.git', 'its host cannot be found; there may be no network'],
      ['ssh://git@nowhere.invalid/x.git', 'its host cannot be found; there may be no network'],
      ['http://127.0.0.1:1/x.git', 'its host does not answer; there may be no network'],
      ['ssh://git@127.0.0.1:1/x.git', 'its host does not answer; there may be no network'],
      ['git://127.0.0.1:1/x.git', 'its host does not answer; there may be no network'],
    ]) {
      const [sentence = ''] = (await server.refuse(url as string)).split('\n');
      expect(sentence).toContain(`"${url}": ${state}`);
    }
  });

  it('reports that git is missing', async () => {
    const server = await start('', { PATH: createFolder('nothing') });
    expect(await server.refuse('https://host/x.git')).toMatch(/^Cannot run "git": it is not installed/);
  });
});

describe('an address of ssh', () => {
  /** Stands for ssh: the same arguments, and the server's command is run here. It keeps what it was asked. */
  function writeSsh(): { program: string; asked: string } {
    const folder = createFolder('ssh');
    const [program, asked] = [join(folder, 'ssh'), join(folder, 'asked')];
    writeFileSync(
      program,
      `#!/bin/sh\necho "$@" >> '${asked}'\nfor last; do :; done\nexec sh -c "git \${last#git-}"\n`,
    );
    chmodSync(program, 0o755);
    return { program, asked };
  }

  type Settle = (program: string) => [settings: string, env: Record<string, string>];

  it.each<[string, Settle]>([
    ['core.sshCommand', (program) => [`[core]\n\tsshCommand = ${program}\n`, {}]],
    ['GIT_SSH_COMMAND', (program) => ['', { GIT_SSH_COMMAND: program }]],
    ['GIT_SSH', (program) => ['', { GIT_SSH: program, GIT_SSH_VARIANT: 'ssh' }]],
  ])("is reached by the user's own ssh: %s", async (_, settle) => {
    const { program, asked } = writeSsh();
    const server = await start(...settle(program));
    const path = join(served, 'ssh.git');
    const url = `ssh://ada@zoo.example:2222${path}`;
    expect(await server.index(url)).toMatchObject({ files: 3, added: 3 });
    const heard = execFileSync('cat', [asked]).toString();
    expect(heard).toMatch(new RegExp(`-p 2222 ada@zoo\\.example git-upload-pack '${path}'`));
    expect(await server.index(`ada@zoo.example:${path}`)).toMatchObject({ files: 3 });
  });
});
