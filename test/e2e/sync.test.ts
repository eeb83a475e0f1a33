// Git history as lore: real repositories, the built command line.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

interface Synced {
  branch: string;
  commits: number;
  kept: number;
  known: number;
  superseded: number;
  types: Record<string, number>;
  left: Record<string, number>;
  more: boolean;
  titles?: string[];
}

let repository: string;
let env: Record<string, string>;
let clock: number;

function git(...args: string[]): string {
  const date = `${1_760_000_000 + clock} +0000`;
  return execFileSync('git', args, {
    cwd: repository,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: repository,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ada',
      GIT_AUTHOR_EMAIL: 'ada@example.org',
      GIT_COMMITTER_NAME: 'Ada',
      GIT_COMMITTER_EMAIL: 'ada@example.org',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

/** A commit that touches a file, a minute after the one before. */
function commit(message: string, file = 'src/queue.ts'): string {
  clock += 60;
  const path = join(repository, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${clock}\n`);
  git('add', '-A');
  git('commit', '-q', '-m', message);
  return git('rev-parse', 'HEAD');
}

const lore = (...args: string[]) => runLore(args, { env, cwd: repository });

async function sync(...args: string[]): Promise<Synced> {
  const { code, stdout, stderr } = await lore('sync', 'git', '--json', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

interface Picture {
  nodes: { id: string; kind: string; title?: string; text: string }[];
  edges: { from: string; kind: string; to: string }[];
}

async function query(text: string): Promise<Picture> {
  return JSON.parse((await lore('query_context', text, '--kinds', 'commit', '--json')).stdout);
}

const commitsIn = ({ nodes }: Picture) => nodes.filter(({ kind }) => kind === 'commit').map(({ text }) => text);

beforeEach(() => {
  repository = createFolder('repository');
  env = { LORE_DB: join(createFolder('db'), 'lore.db') };
  clock = 0;
  git('init', '-q', '-b', 'main');
});

describe('lore sync git', () => {
  it('imports relevant commits once, then only new ones', async () => {
    commit('feat: bound the queue\n\nCo-authored-by: Bob <bob@example.org>');
    commit('chore: tidy up the scripts');
    commit('fix(queue)!: refuse what does not fit');
    expect(await sync()).toMatchObject({
      branch: 'main',
      commits: 3,
      kept: 2,
      types: { feat: 1, fix: 1 },
      left: { chore: 1 },
    });
    expect(await sync()).toMatchObject({ commits: 0, kept: 0, known: 0 });
    commit('perf: read the queue in pieces');
    expect(await sync()).toMatchObject({ commits: 1, kept: 1, types: { perf: 1 } });
    const picture = await query('who bounds the queue?');
    expect(commitsIn(picture).sort()).toEqual([
      'feat: bound the queue\n\nFiles: src/queue.ts',
      'fix(queue)!: refuse what does not fit\n\nFiles: src/queue.ts',
      'perf: read the queue in pieces\n\nFiles: src/queue.ts',
    ]);
    const file = picture.nodes.find(({ title }) => title === 'src/queue.ts');
    expect(picture.edges.filter(({ to, kind }) => to === file?.id && kind === 'mentions')).toHaveLength(3);
  });

  it('is not returned by recall', async () => {
    commit('feat: bound the queue');
    await sync();
    expect(JSON.parse((await lore('recall', 'bound the queue', '--json')).stdout).memories).toEqual([]);
  });

  it('previews without storing anything', async () => {
    commit('feat: bound the queue');
    expect(await sync('--dry-run')).toMatchObject({ kept: 1, titles: ['feat: bound the queue'] });
    expect((await lore('sync', 'git', '--dry-run')).stdout).toContain('Would store 1 of 1 commits on main: 1 feat');
    expect(await sync()).toMatchObject({ kept: 1 });
  });

  it('goes back only as far as requested, and later further', async () => {
    for (let at = 0; at < 5; at++) commit(`feat: part number ${at}`);
    expect(await sync('--limit', '2')).toMatchObject({ commits: 2, kept: 2, more: true });
    expect(await sync()).toMatchObject({ commits: 0 });
    const third = new Date((1_760_000_000 + 170) * 1000).toISOString();
    expect(await sync('--since', third)).toMatchObject({ commits: 3, kept: 1, known: 2 });
    expect(await sync('--limit', '100')).toMatchObject({ commits: 5, kept: 2, known: 3, more: false });
  });

  it('replaces commits that were rebased', async () => {
    commit('feat: the beginning of all');
    git('checkout', '-q', '-b', 'topic');
    commit('feat: bound the queue');
    commit('fix: count the queue in bytes', 'src/count.ts');
    expect(await sync()).toMatchObject({ branch: 'topic', kept: 3 });
    git('checkout', '-q', 'main');
    commit('feat: something else on main', 'src/else.ts');
    git('checkout', '-q', 'topic');
    git('rebase', '-q', 'main');
    expect(await sync()).toMatchObject({ commits: 3, kept: 3, known: 0, superseded: 2 });
    const found = commitsIn(await query('queue'));
    expect(found.filter((text) => text.startsWith('feat: bound the queue'))).toHaveLength(1);
    expect(found.filter((text) => text.startsWith('fix: count the queue'))).toHaveLength(1);
  });

  it('continues after known commits were deleted', async () => {
    commit('feat: the beginning of all');
    commit('feat: bound the queue');
    await sync();
    git('commit', '-q', '--amend', '-m', 'feat: bound the queue, in bytes');
    git('reflog', 'expire', '--expire=now', '--all');
    git('gc', '-q', '--prune=now');
    expect(await sync()).toMatchObject({ kept: 1, known: 1, superseded: 1 });
    expect(commitsIn(await query('bound the queue'))[0]).toMatch(/^feat: bound the queue, in bytes/);
  });

  it('links a revert to the reverted commit', async () => {
    const taken = commit('feat: bound the queue');
    await sync();
    git('revert', '--no-edit', taken);
    expect(await sync()).toMatchObject({ types: { revert: 1 } });
    const { nodes, edges } = await query('bound the queue');
    const revert = nodes.find(({ text }) => text.startsWith('Revert'));
    const reverted = nodes.find(({ text }) => text.startsWith('feat: bound'));
    expect(edges).toContainEqual({ from: revert?.id, kind: 'reverts', to: reverted?.id });
  });

  it('stores no secrets and no addresses', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    commit(`fix: the token was ${secret}\n\nSigned-off-by: Ada <ada@example.org>`);
    await sync();
    const { stdout } = await lore('export');
    expect(stdout).toContain('fix: the token was [redacted:github-token]');
    expect(stdout).not.toContain(secret);
    expect(stdout).not.toContain('ada@example.org');
  });

  it('ignores other repositories', async () => {
    commit('feat: bound the queue');
    const other = createFolder('other');
    execFileSync('git', ['init', '-q', other]);
    const { stdout } = await runLore(['sync', 'git', '--json'], {
      env: { ...env, GIT_DIR: join(other, '.git') },
      cwd: repository,
    });
    expect(JSON.parse(stdout)).toMatchObject({ kept: 1 });
  });

  it('imports nothing without commits', async () => {
    expect(await sync()).toMatchObject({ commits: 0, kept: 0 });
  });

  it('imports thousands of commits', async () => {
    const lines: string[] = [];
    for (let at = 0; at < 2_000; at++) {
      const message = `fix: case number ${at} of the parser`;
      lines.push(
        'commit refs/heads/main',
        `committer Ada <ada@example.org> ${1_760_000_000 + at} +0000`,
        `data ${message.length}`,
        message,
        `M 100644 inline src/part-${at % 97}.ts`,
        `data ${String(at).length}`,
        String(at),
      );
    }
    execFileSync('git', ['fast-import', '--quiet'], { cwd: repository, input: `${lines.join('\n')}\n` });
    expect(await sync()).toMatchObject({ commits: 2_000, kept: 2_000 });
    expect(await sync()).toMatchObject({ commits: 0 });
  });

  it.each([
    [['sync'], 2, 'lore: Missing argument: expected now, status, log, purge, key, signer or git'],
    [['sync', 'svn'], 2, 'lore: Unknown argument "svn"'],
    [['sync', 'git', '--limit', 'many'], 2, 'lore: Cannot sync "many" commits: expected a number'],
    [['sync', 'git', '--since', 'whenever'], 2, 'lore: Cannot sync since "whenever": it is not a time'],
  ])('refuses %j', async (args, status, told) => {
    const { code, stderr } = await lore(...args);
    expect({ code, told: stderr.split('\n')[0] }).toEqual({ code: status, told });
  });

  it('reports a missing repository or git', async () => {
    commit('feat: bound the queue');
    const none = await runLore(['sync', 'git'], { env: { ...env, PATH: createFolder('bin') }, cwd: repository });
    expect(none).toMatchObject({ code: 8, stdout: '', stderr: 'lore: Cannot run "git": it is not installed\n' });
    rmSync(join(repository, '.git'), { recursive: true });
    const { code, stderr } = await lore('sync', 'git');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^lore: Cannot sync the git history of ".*": it is not in a git repository$/m);
  });
});
