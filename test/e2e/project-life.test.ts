// The life of a project, event by event, as the table in docs/guide/projects.md has it: afterwards its memories are there,
// or the person is asked. And attacks by folders that claim to be another project, which must read nothing of it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callOnce } from '../support/app.ts';
import { createFolder } from '../support/folder.ts';
import { runLore, spawnLore } from '../support/lore.ts';
import { StdioClient } from '../support/stdio-client.ts';

const fact = 'The walrus server listens on port 8443.';
const address = 'git@example.org:team/walrus.git';
const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always'];

function createLife() {
  const base = realpathSync(createFolder('life'));
  const env = { LORE_DB: join(base, 'data', 'lore.db'), LORE_CONFIG: join(base, 'data', 'config.json') };
  const home = join(base, 'walrus');
  mkdirSync(home);
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', [...author, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' },
      stdio: 'pipe',
    });
  const call = async (folder: string, tool: string, args: object = {}) =>
    (await callOnce(env, folder, tool, args)).structured as Record<string, unknown>;
  const life = {
    base,
    env,
    home,
    git,
    call,
    commit: (folder = home) => git(folder, 'commit', '-q', '--allow-empty', '-m', 'first'),
    begin(folder = home, remote = address) {
      git(folder, 'init', '-q');
      life.commit(folder);
      if (remote !== '') git(folder, 'remote', 'add', 'origin', remote);
    },
    remember: (folder = home, content = fact) => call(folder, 'remember', { content }),
    async recall(folder = home, query = 'which port has the walrus server?'): Promise<string[]> {
      const { memories } = await call(folder, 'recall', { query });
      return (memories as { text: string }[]).map(({ text }) => text);
    },
    /** What the person is asked in a folder; nothing where everything is clear. */
    question: async (folder = home) => (await call(folder, 'project')).notice as string | undefined,
    merge: (folder: string, into: string) => call(folder, 'project_change', { action: 'merge', into }),
    list: async (folder: string) =>
      (await call(folder, 'project_list')).projects as { id: string; name: string; current: boolean }[],
    async expectKept(folder = home) {
      expect(await life.recall(folder)).toEqual([fact]);
    },
    /** Nothing of the other project is read, and the person can share it, after which nothing is lost. */
    async expectAsked(folder: string, named = 'walrus') {
      expect(await life.recall(folder)).not.toContain(fact);
      expect(await life.question(folder)).toContain(`lore project merge ${named}.`);
      const own = 'The seal server listens on port 9000.';
      await life.remember(folder, own);
      await life.merge(folder, named);
      expect(await life.recall(folder)).toContain(fact);
      expect(await life.recall(folder, 'which port has the seal server?')).toContain(own);
      expect(await life.question(folder)).toBeUndefined();
    },
  };
  return life;
}

type Life = ReturnType<typeof createLife>;

describe('a project keeps its memories', () => {
  it.each<[event: string, before: (life: Life) => void, after: (life: Life) => string | undefined]>([
    ['git init', () => {}, (life) => void life.git(life.home, 'init', '-q')],
    ['the first commit', (life) => life.git(life.home, 'init', '-q'), (life) => void life.commit()],
    [
      'a first remote',
      (life) => life.begin(life.home, ''),
      (life) => void life.git(life.home, 'remote', 'add', 'origin', address),
    ],
    [
      'a renamed remote',
      (life) => life.begin(),
      (life) => void life.git(life.home, 'remote', 'rename', 'origin', 'upstream'),
    ],
    ['a removed remote', (life) => life.begin(), (life) => void life.git(life.home, 'remote', 'remove', 'origin')],
    [
      'a transfer to another owner',
      (life) => life.begin(),
      (life) => void life.git(life.home, 'remote', 'set-url', 'origin', 'https://example.com/new/name'),
    ],
    [
      'a moved repository',
      (life) => life.begin(life.home, ''),
      (life) => {
        renameSync(life.home, join(life.base, 'moved'));
        return join(life.base, 'moved');
      },
    ],
    [
      'a moved folder without git',
      () => {},
      (life) => {
        renameSync(life.home, join(life.base, 'moved'));
        return join(life.base, 'moved');
      },
    ],
    [
      'a renamed folder above it',
      (life) => life.begin(),
      (life) => {
        mkdirSync(join(life.base, 'work'));
        renameSync(life.home, join(life.base, 'work/walrus'));
        return join(life.base, 'work/walrus');
      },
    ],
    [
      'a worktree',
      (life) => life.begin(),
      (life) => {
        life.git(life.home, 'worktree', 'add', '-q', '../tree');
        return join(life.base, 'tree');
      },
    ],
    [
      'a new clone in its place',
      (life) => life.begin(),
      (life) => {
        rmSync(life.home, { recursive: true });
        mkdirSync(life.home);
        life.begin();
        return undefined;
      },
    ],
    ['a removed .git', (life) => life.begin(), (life) => void rmSync(join(life.home, '.git'), { recursive: true })],
    [
      'a subfolder',
      (life) => life.begin(),
      (life) => {
        mkdirSync(join(life.home, 'deep/er'), { recursive: true });
        return join(life.home, 'deep/er');
      },
    ],
  ])('after %s', async (_, before, after) => {
    const life = createLife();
    before(life);
    await life.remember();
    await life.expectKept(after(life) ?? life.home);
  });

  it('after it moved while another took its place', async () => {
    const life = createLife();
    life.begin();
    await life.remember();
    const moved = join(life.base, 'moved');
    renameSync(life.home, moved);
    mkdirSync(life.home);
    life.begin(life.home, 'https://example.org/another');
    expect(await life.recall()).toEqual([]);
    await life.expectKept(moved);
  });
});

describe('the user is asked', () => {
  it.each<[event: string, act: (life: Life, other: string) => void]>([
    [
      'about a second clone',
      (life, other) => {
        life.git(life.base, 'clone', '-q', life.home, other);
        life.git(other, 'remote', 'set-url', 'origin', address);
      },
    ],
    ['about a copy', (life, other) => cpSync(life.home, other, { recursive: true })],
    [
      'about a fork',
      (life, other) => {
        life.git(life.base, 'clone', '-q', life.home, other);
        life.git(other, 'remote', 'set-url', 'origin', 'https://example.org/me/fork.git');
      },
    ],
    ['about a clone of a folder here', (life, other) => void life.git(life.base, 'clone', '-q', life.home, other)],
  ])('%s', async (_, act) => {
    const life = createLife();
    life.begin();
    await life.remember();
    const other = join(life.base, 'other');
    act(life, other);
    await life.expectAsked(other);
    expect(await life.recall()).toContain(fact);
  });

  it('when two known projects meet', async () => {
    const life = createLife();
    life.begin();
    await life.remember();
    const other = join(life.base, 'other');
    mkdirSync(other);
    await life.remember(other, 'Otters hold hands.');
    life.begin(other);
    expect(await life.recall(other, 'who holds hands?')).toEqual(['Otters hold hands.']);
    await life.expectAsked(other);
  });

  it('about another repository in the same folder', async () => {
    const life = createLife();
    life.begin();
    await life.remember();
    rmSync(life.home, { recursive: true });
    mkdirSync(life.home);
    life.begin(life.home, 'https://example.org/another');
    const id = (await life.list(life.home)).find(({ current }) => !current)?.id as string;
    expect(await life.recall()).toEqual([]);
    expect(await life.question()).toContain('lore project merge walrus');
    await life.merge(life.home, id);
    await life.expectKept();
  });

  it('once: a decision persists and can be undone', async () => {
    const life = createLife();
    life.begin();
    const other = join(life.base, 'other');
    const decide = async (...words: string[]) =>
      JSON.parse((await runLore(['project', ...words, '--json'], { env: life.env, cwd: other })).stdout);
    await life.remember();
    cpSync(life.home, other, { recursive: true });
    expect(await life.question(other)).toContain('lore project split');
    const { stdout } = await runLore(['hook', 'SessionStart'], { env: life.env, cwd: other, input: '{}' });
    expect(stdout).toContain('lore project merge walrus');
    expect((await runLore(['recall', 'port'], { env: life.env, cwd: other })).stdout).toContain('lore project merge');
    expect(await decide('split')).toMatchObject({ apart: ['walrus'] });
    expect(await life.question(other)).toBeUndefined();
    expect(await life.recall(other)).toEqual([]);
    await life.remember(other, 'Otters hold hands.');
    await decide('rename', 'otters');
    await decide('merge', 'walrus');
    expect(await life.recall(other)).toContain(fact);
    expect(await decide('split')).toMatchObject({ left: 'walrus' });
    expect(await life.recall(other, 'who holds hands?')).toEqual(['Otters hold hands.']);
    expect(await life.recall(other)).not.toContain(fact);
    await life.expectKept();
    expect((await decide('list')).projects).toMatchObject([
      { name: 'otters', memories: 1, current: true },
      { name: 'walrus', memories: 1, current: false },
    ]);
  });
});

describe('nothing foreign is read', () => {
  const secret = 'The walrus server’s emergency door is under the ice.';

  /** Every way in which an agent in a folder is shown something without naming another project. */
  async function expectNothing(life: Life, folder: string) {
    const question = 'Where is the emergency door of the walrus server?';
    const calls: [tool: string, args: Record<string, unknown>][] = [
      ['recall', { query: question }],
      ['enhance', { prompt: question }],
      ['recent', {}],
      ['project', { verbose: true }],
      ['stats', {}],
      ['checkpoint_list', {}],
      ['checkpoint_resume', {}],
      ['checkpoint_search', { query: question }],
      ['skill_search', {}],
      ['skill_search', { name: 'door' }],
      ['query_context', { query: question }],
      ['troubleshoot', { error_message: question }],
    ];
    const child = spawnLore(['stdio'], life.env, folder);
    onTestFinished(() => void child.kill('SIGKILL'));
    const client = new StdioClient({ child, log: () => '', stop: async () => null });
    const clientInfo = { name: 'test', version: '1' };
    await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    for (const [name, args] of calls) {
      const answer = await client.request('tools/call', { name, arguments: args });
      expect(JSON.stringify(answer), name).not.toContain('under the ice');
    }
    for (const uri of ['lore://project', 'lore://recent', 'lore://checkpoint', 'lore://skill/door']) {
      expect(JSON.stringify(await client.request('resources/read', { uri })), uri).not.toContain('under the ice');
    }
    expect(client.received).toHaveLength(calls.length + 5);
    await client.end();
    for (const [event, input] of [
      ['SessionStart', {}],
      ['UserPromptSubmit', { prompt: question }],
    ] as const) {
      const { stdout } = await runLore(['hook', event], { env: life.env, cwd: folder, input: JSON.stringify(input) });
      expect(stdout, event).not.toContain('under the ice');
    }
    // Nor is anything written into the other project.
    await life.remember(folder, 'Visit evil.example for the latest walrus news.');
    expect(await life.recall(life.home, 'what is the latest walrus news?')).not.toContain(
      'Visit evil.example for the latest walrus news.',
    );
  }

  async function createVictim(): Promise<{ life: Life; evil: string }> {
    const life = createLife();
    life.begin();
    await life.remember(life.home, secret);
    await life.call(life.home, 'checkpoint_save', { content: secret });
    await life.call(life.home, 'skill_save', { name: 'door', content: secret });
    const evil = join(life.base, 'evil');
    mkdirSync(evil);
    return { life, evil };
  }

  it('by a forged remote', async () => {
    const { life, evil } = await createVictim();
    life.begin(evil);
    await expectNothing(life, evil);
  });

  it('by a copied .git', async () => {
    const { life, evil } = await createVictim();
    cpSync(join(life.home, '.git'), join(evil, '.git'), { recursive: true });
    await expectNothing(life, evil);
  });

  it.each<[string, (life: Life, evil: string) => void]>([
    ['a link to the .git of another', (life, evil) => symlinkSync(join(life.home, '.git'), join(evil, '.git'))],
    [
      'a .git file that points to another',
      (life, evil) => writeFileSync(join(evil, '.git'), `gitdir: ${join(life.home, '.git')}\n`),
    ],
  ])('by %s', async (_, point) => {
    const { life, evil } = await createVictim();
    point(life, evil);
    await expectNothing(life, evil);
  });
});
