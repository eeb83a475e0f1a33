// What a folder says about its project, on real repositories made by git.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFolder } from '../../../test/support/folder.ts';
import { LoreError } from '../../core/error.ts';
import { identifyFolder, projectOf, treeOf } from './project.ts';

let base: string;
/** One repository for all that only concerns its remote: making one costs two processes. */
let shared: string;

beforeAll(() => {
  base = realpathSync(createFolder('project'));
  shared = make('shared');
  git(make('outer'), 'init', '-q', 'inner');
});

beforeEach(() => {
  base = realpathSync(createFolder('project'));
});

/** Nobody's own configuration: what these tests see must be what git does by itself. */
const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
const asAuthor = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'protocol.file.allow=always'];

function git(folder: string, ...args: string[]): void {
  execFileSync('git', [...asAuthor, ...args], { cwd: folder, env, stdio: 'pipe' });
}

function make(name: string, ...args: string[]): string {
  git(base, 'init', '-q', ...args, name);
  return join(base, name);
}

function makeWithCommit(name: string): string {
  const folder = make(name);
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'first');
  return folder;
}

function setRemote(folder: string, url: string, name = 'origin'): void {
  git(folder, 'config', `remote.${name}.url`, url);
}

function idOf(folder: string): string {
  return identifyFolder(folder).claim;
}

function refusal(folder: string): LoreError {
  try {
    identifyFolder(folder);
  } catch (error) {
    expect(error).toBeInstanceOf(LoreError);
    return error as LoreError;
  }
  throw new Error('it was told');
}

describe('a remote', () => {
  it.each([
    'git@github.com:owner/name.git',
    'git@github.com:owner/name',
    'git@github.com:/owner/name.git',
    'github.com:owner/name.git',
    'org-1234@github.com:owner/name.git',
    'ssh://git@github.com/owner/name.git',
    'ssh://git@github.com:22/owner/name.git',
    'SSH://git@GitHub.com/owner/name',
    'ssh://git@ssh.github.com:443/owner/name.git',
    'git+ssh://git@github.com/owner/name.git',
    'git://github.com/owner/name.git',
    'http://github.com/owner/name',
    'https://github.com/owner/name',
    'https://github.com/owner/name.git',
    'https://github.com/owner/name/',
    'https://github.com/owner/name.git/',
    'https://GitHub.COM/owner/name',
    'https://GitHub.com./Owner/Name.git',
    'https://github.com:443/owner/name.git',
    'https://github.com//owner//name.git',
    'https://user@github.com/owner/name.git',
    'https://user:s3cret@github.com/owner/name.git',
    'https://x-access-token:ghp_s3cret@github.com:443/owner/name',
    'https://user:s3c@ret@github.com/owner/name.git',
    'user:s3cret@github.com:owner/name.git',
    '[git@github.com:22]:owner/name.git',
  ])('%s claims the same id as its other spellings', (url) => {
    const folder = shared;
    setRemote(folder, url);
    const project = identifyFolder(folder);
    expect(project.claim).toBe('git:github.com/owner/name');
    expect(project.name.toLowerCase()).toBe('name');
    expect(project).toMatchObject({ root: folder, home: folder, isGit: true });
  });

  it.each([
    ['https://git.example.org/Team/App.git', 'git:git.example.org/Team/App', 'App'],
    ['https://gitlab.com/group/sub/app.git', 'git:gitlab.com/group/sub/app', 'app'],
    ['ssh://git@[2001:DB8::1]:2222/a/b.git', 'git:[2001:db8::1]/a/b', 'b'],
    ['git@[2001:db8::1]:a/b.git', 'git:[2001:db8::1]/a/b', 'b'],
    ['git@git.sr.ht:~ada/engine', 'git:git.sr.ht/~ada/engine', 'engine'],
    ['https://git.sr.ht/~ada/engine', 'git:git.sr.ht/~ada/engine', 'engine'],
    ['https://example.org/repo/.git', 'git:example.org/repo', 'repo'],
    ['https://example.org/my.github/repo.gitx', 'git:example.org/my.github/repo.gitx', 'repo.gitx'],
  ])('%s is %s', (url, id, name) => {
    const folder = shared;
    setRemote(folder, url);
    expect(identifyFolder(folder)).toMatchObject({ claim: id, name });
  });

  it.each([
    ['https://example.org/a/b', 'https://example.org/a/c'],
    ['https://example.org/a/b', 'https://example.com/a/b'],
    ['https://example.org/a/B', 'https://example.org/a/b'],
    ['alice@nas:notes', 'bob@nas:notes'],
    ['alice@nas:work/notes', 'bob@nas:work/notes'],
    ['alice@nas:notes', 'alice@nas:/notes'],
    ['https://example.org/git?p=a', 'https://example.org/git?p=b'],
    ['codecommit::eu-west-1://one', 'codecommit::eu-west-1://two'],
    ['hg::https://example.org/a', 'https://example.org/a'],
    ['/srv/one.git', '/srv/two.git'],
  ])('%s and %s claim different ids', (one, two) => {
    setRemote(shared, one);
    const before = idOf(shared);
    setRemote(shared, two);
    expect(idOf(shared)).not.toBe(before);
  });

  it.each([
    'https://user:s3cret@example.org/a/b.git',
    'https://s3cret@example.org/a/b.git',
    'https://user:12/s3cret@example.org/a/b',
    'https://example.org/a/b?private_token=s3cret',
    'https://example.org/a/b#s3cret',
    'user:s3cret@example.org:a/b.git',
    's3cret@example.org:a/b.git',
    'ssh://s3cret@example.org/~/b.git',
    'codecommit::eu-west-1://s3cret@repo',
    'hg::https://user:s3cret@example.org/a',
    'sftp://user:s3cret@example.org/a',
    'https://user:s3cret@/a',
    'https://user:s3cret@exa mple.org/a',
    'https://user:s3cret@example.org',
  ])('%s keeps its secret', (url) => {
    const folder = shared;
    setRemote(folder, url);
    let said: string;
    try {
      said = JSON.stringify(identifyFolder(folder));
    } catch (error) {
      const { message, hint, details } = error as LoreError;
      said = JSON.stringify({ message, hint, details });
    }
    expect(said).not.toContain('s3cret');
  });

  it('called origin is preferred, then the first by name', () => {
    const folder = make('r');
    setRemote(folder, 'https://example.org/z/upstream', 'upstream');
    setRemote(folder, 'https://example.org/a/fork', 'fork');
    expect(idOf(folder)).toBe('git:example.org/a/fork');
    setRemote(folder, 'https://example.org/m/main');
    expect(idOf(folder)).toBe('git:example.org/m/main');
  });

  it('claims the same id when it is renamed', () => {
    const folder = make('r');
    git(folder, 'remote', 'add', 'origin', 'https://example.org/a/b');
    const before = idOf(folder);
    git(folder, 'remote', 'rename', 'origin', 'upstream');
    expect(idOf(folder)).toBe(before);
  });

  it('claims another id when its address changes, despite the cache', () => {
    const folder = make('r');
    setRemote(folder, 'https://example.org/a/b');
    expect(idOf(folder)).toBe('git:example.org/a/b');
    git(folder, 'remote', 'set-url', 'origin', 'https://example.org/a/c');
    expect(idOf(folder)).toBe('git:example.org/a/c');
    git(folder, 'remote', 'remove', 'origin');
    expect(idOf(folder)).toMatch(/^repo:[0-9a-f]{32}$/);
  });

  it('on this machine is the id of its clones, even after it is deleted', () => {
    const source = makeWithCommit('source');
    git(base, 'clone', '-q', source, 'one');
    git(base, 'clone', '-q', `file://${source}`, 'two');
    git(base, 'clone', '-q', '--bare', source, 'bare.git');
    git(base, 'clone', '-q', 'bare.git', 'three');
    git(join(base, 'bare.git'), 'remote', 'remove', 'origin');
    const id = idOf(source);
    expect(id).toMatch(/^repo:/);
    expect([idOf(join(base, 'one')), idOf(join(base, 'two'))]).toEqual([id, id]);
    const bareId = idOf(join(base, 'bare.git'));
    expect(bareId).not.toBe(id);
    expect(identifyFolder(join(base, 'three'))).toMatchObject({ claim: bareId, name: 'bare' });
    rmSync(source, { recursive: true });
    rmSync(join(base, 'bare.git'), { recursive: true });
    expect(idOf(join(base, 'one'))).toBe(id);
    expect(idOf(join(base, 'three'))).toBe(bareId);
  });
});

describe('a repository without a remote', () => {
  it('claims one id from every folder, worktree and link', () => {
    const main = makeWithCommit('main');
    git(main, 'worktree', 'add', '-q', '../tree');
    git(main, 'worktree', 'add', '-q', '--detach', 'inside/tree');
    mkdirSync(join(main, 'deep/er'), { recursive: true });
    symlinkSync(join(main, 'deep'), join(base, 'link'));
    const project = identifyFolder(main);
    expect(project).toMatchObject({ name: 'main', root: main, home: main, isGit: true, remotes: [] });
    expect(project.claim).toMatch(/^repo:[0-9a-f]{32}$/);
    for (const place of ['deep/er', '../link/er', '../tree', 'inside/tree', '.git', '.git/worktrees/tree']) {
      expect(idOf(join(main, place)), place).toBe(project.claim);
    }
    expect(identifyFolder(join(base, 'tree'))).toEqual({ ...project, root: join(base, 'tree') });
    const trees = [main, join(base, 'tree')].map((root) => treeOf(project.claim, root));
    expect(new Set(trees).size).toBe(2);
    expect([...trees, project.claim].map(projectOf)).toEqual(Array(3).fill(project.claim));
    expect(identifyFolder(join(base, 'link/er')).root).toBe(main);
    expect(identifyFolder(join(main, '.git')).root).toBe(main);
  });

  it('keeps its id with a detached HEAD or without commits', () => {
    const folder = make('r');
    const before = idOf(folder);
    git(folder, 'commit', '-q', '--allow-empty', '-m', 'first');
    git(folder, 'checkout', '-q', '--detach');
    expect(idOf(folder)).toBe(before);
  });

  it('may be bare, or keep its directory elsewhere', () => {
    const bare = make('b.git', '--bare');
    expect(identifyFolder(bare)).toMatchObject({ name: 'b', root: bare, home: bare, isGit: true });
    expect(idOf(join(bare, 'refs/heads'))).toBe(idOf(bare));
    const apart = make('apart', `--separate-git-dir=${join(base, 'store')}`);
    // Nothing in that directory says that it belongs to this folder, so the folder stands for itself.
    expect(identifyFolder(apart)).toMatchObject({ root: apart, home: apart, isGit: true });
    expect(idOf(apart)).not.toBe(idOf(join(base, 'store')));
  });

  it('is not the one around it', () => {
    const outer = make('outer');
    git(outer, 'init', '-q', 'inner');
    expect(idOf(join(outer, 'inner'))).not.toBe(idOf(outer));
    rmSync(join(outer, 'inner/.git'), { recursive: true });
    expect(idOf(join(outer, 'inner'))).toBe(idOf(outer));
  });

  it('ignores GIT_DIR', () => {
    const [a, b] = [make('a'), make('b')];
    const before = idOf(a);
    process.env.GIT_DIR = join(b, '.git');
    try {
      expect(idOf(a)).toBe(before);
    } finally {
      delete process.env.GIT_DIR;
    }
  });
});

describe('a submodule', () => {
  it('is a project of its own, by its remote or by its directory', () => {
    makeWithCommit('library');
    const app = makeWithCommit('app');
    git(app, 'submodule', 'add', '-q', join(base, 'library'), 'lib');
    const inside = join(app, 'lib');
    const home = join(app, '.git/modules/lib');
    expect(identifyFolder(inside)).toMatchObject({ claim: idOf(join(base, 'library')), root: inside, home });
    git(inside, 'remote', 'remove', 'origin');
    expect(identifyFolder(inside)).toMatchObject({ home, remotes: [] });
    expect(new Set([inside, app, join(base, 'library')].map(idOf)).size).toBe(3);
  });
});

describe('a folder outside git', () => {
  it('is its real path', () => {
    const [a, b] = [join(base, 'a'), join(base, 'b')];
    mkdirSync(a);
    mkdirSync(b);
    symlinkSync(a, join(base, 'link'));
    expect(identifyFolder(a)).toMatchObject({ name: 'a', root: a, home: a, isGit: false });
    expect(idOf(a)).toMatch(/^path:[0-9a-f]{32}$/);
    expect(idOf(join(base, 'link'))).toBe(idOf(a));
    expect(idOf(b)).not.toBe(idOf(a));
    expect(idOf(a)).not.toContain('lore-test');
  });

  it('is seen to become a repository', () => {
    mkdirSync(join(base, 'deep'));
    expect(identifyFolder(join(base, 'deep')).isGit).toBe(false);
    git(base, 'init', '-q');
    expect(identifyFolder(join(base, 'deep'))).toMatchObject({ isGit: true, root: base });
  });

  it('is the same object while nothing has changed', () => {
    expect(identifyFolder(base)).toBe(identifyFolder(base));
  });
});

describe('undecidable cases', () => {
  it('is refused with a message', () => {
    writeFileSync(join(base, 'file'), '');
    symlinkSync('loop', join(base, 'loop'));
    symlinkSync('nowhere', join(base, 'dangling'));
    expect(refusal(join(base, 'none'))).toMatchObject({ word: 'not_found' });
    expect(refusal(join(base, 'none')).message).toBe(
      `Cannot identify the project from "${join(base, 'none')}": it does not exist`,
    );
    expect(refusal(join(base, 'file/x')).word).toBe('not_found');
    expect(refusal(join(base, 'dangling')).word).toBe('not_found');
    for (const path of ['', 'a\0b', join(base, 'file'), join(base, 'loop')]) {
      expect(refusal(path).word, JSON.stringify(path)).toBe('invalid_input');
    }
  });

  it('includes a deleted folder', () => {
    const folder = make('r');
    idOf(folder);
    renameSync(folder, join(base, 'elsewhere'));
    expect(refusal(folder).word).toBe('not_found');
    expect(identifyFolder(join(base, 'elsewhere')).isGit).toBe(true);
  });

  const damages: [string, (folder: string) => void][] = [
    ['an empty .git folder', (f) => [rmSync(join(f, '.git'), { recursive: true }), mkdirSync(join(f, '.git'))]],
    ['an empty .git file', (f) => [rmSync(join(f, '.git'), { recursive: true }), writeFileSync(join(f, '.git'), '')]],
    ['a .git file of another kind', (f) => replaceDotGit(f, 'hello\n')],
    ['a .git file that points nowhere', (f) => replaceDotGit(f, 'gitdir: ../gone\n')],
    ['a .git file that points to a file', (f) => replaceDotGit(f, 'gitdir: .git\n')],
    ['a .git file that points to a plain folder', (f) => replaceDotGit(f, 'gitdir: .\n')],
    [
      'a dangling .git link',
      (f) => [rmSync(join(f, '.git'), { recursive: true }), symlinkSync('gone', join(f, '.git'))],
    ],
    ['no HEAD', (f) => rmSync(join(f, '.git/HEAD'))],
    ['an empty HEAD', (f) => truncateSync(join(f, '.git/HEAD'))],
    ['a HEAD of another kind', (f) => writeFileSync(join(f, '.git/HEAD'), 'hello')],
    ['no objects', (f) => rmSync(join(f, '.git/objects'), { recursive: true })],
    ['no refs', (f) => rmSync(join(f, '.git/refs'), { recursive: true })],
    ['no configuration', (f) => rmSync(join(f, '.git/config'))],
    ['a huge configuration', (f) => truncateSync(join(f, '.git/config'), 5 << 20)],
    ['a folder for a configuration', (f) => [rmSync(join(f, '.git/config')), mkdirSync(join(f, '.git/config'))]],
    ['a common directory that is gone', (f) => writeFileSync(join(f, '.git/commondir'), '../gone\n')],
    ['an empty commondir', (f) => writeFileSync(join(f, '.git/commondir'), '')],
  ];

  it.each(damages)('includes %s', (_, damage) => {
    cpSync(join(shared, '../outer'), base, { recursive: true });
    const folder = join(base, 'inner');
    damage(folder);
    const error = refusal(folder);
    expect(error.word).toBe('unavailable');
    expect(error.message).toContain(folder);
    expect(error.hint).toBeTruthy();
  });

  it.skipIf(process.getuid?.() === 0)('includes what may not be read (root may read everything)', () => {
    const folder = make('r');
    for (const closed of ['.git', '.git/config', '.git/HEAD']) {
      chmodSync(join(folder, closed), 0);
      expect(refusal(folder).word, closed).toBe('forbidden');
      chmodSync(join(folder, closed), 0o700);
    }
    mkdirSync(join(base, 'shut/in'), { recursive: true });
    chmodSync(join(base, 'shut'), 0);
    expect(refusal(join(base, 'shut/in')).word).toBe('forbidden');
    chmodSync(join(base, 'shut'), 0o700);
  });
});

function replaceDotGit(folder: string, text: string): void {
  rmSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, '.git'), text);
}
