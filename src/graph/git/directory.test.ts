// Folders that point to a repository without being part of it, or that another user's repository claims.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../../test/support/folder.ts';
import { identifyFolder } from '../project/project.ts';
import { askGit } from './git.ts';

function git(folder: string, ...args: string[]): void {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('git', [...author, ...args], { cwd: folder, env, stdio: 'pipe' });
}

it.each<[string, (folder: string, other: string) => void]>([
  ['a link for its .git', (folder, other) => symlinkSync(join(folder, '.git'), join(other, '.git'))],
  ['a .git file', (folder, other) => writeFileSync(join(other, '.git'), `gitdir: ${join(folder, '.git')}\n`)],
  [
    'the .git file of a worktree',
    (folder, other) => writeFileSync(join(other, '.git'), `gitdir: ${join(folder, '.git/worktrees/tree')}\n`),
  ],
  [
    'a directory of its own that shares everything',
    (folder, other) => {
      cpSync(join(folder, '.git/worktrees/tree'), join(other, '.git'), { recursive: true });
      writeFileSync(join(other, '.git/commondir'), join(folder, '.git'));
      writeFileSync(join(other, '.git/gitdir'), join(other, '.git'));
    },
  ],
])('a repository is not another folder that points to it with %s', async (_, point) => {
  const base = realpathSync(createFolder('pointer'));
  git(base, 'init', '-q', 'r');
  const folder = join(base, 'r');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'first');
  git(folder, 'worktree', 'add', '-q', '../tree');
  const other = join(base, 'other');
  mkdirSync(other);
  point(folder, other);
  expect(identifyFolder(other)).toMatchObject({ root: other, home: other });
  const own = [...identifyFolder(folder).local, identifyFolder(folder).claim];
  expect(own).not.toContain(identifyFolder(other).claim);
  expect(identifyFolder(other).local.filter((id) => own.includes(id))).toEqual([]);
  await expect(askGit(other, ['log', '--format=%s'])).rejects.toMatchObject({ word: 'forbidden' });
  for (const part of [folder, join(base, 'tree')]) expect(await askGit(part, ['log', '--format=%s'])).toBe('first');
});

it.skipIf(process.getuid?.() !== 0)(
  'a folder is not part of what another user puts above it (only root can be another user)',
  () => {
    const base = realpathSync(createFolder('planted'));
    const lay = (name: string, owner: number, gitOwner: number, text?: string) => {
      const open = join(base, name);
      git(base, 'init', '-q', name);
      const mine = join(open, 'mine');
      mkdirSync(mine);
      chmodSync(open, 0o1777);
      if (text !== undefined) {
        rmSync(join(open, '.git'), { recursive: true });
        writeFileSync(join(open, '.git'), text);
      }
      chownSync(open, owner, owner);
      chownSync(join(open, '.git'), gitOwner, gitOwner);
      return { open, mine, ...identifyFolder(mine) };
    };
    const [own, other] = [0, 65_534];
    const planted = lay('planted', own, other);
    expect(planted).toMatchObject({ root: planted.mine, isGit: false });
    // Nor does a broken one lock everybody out.
    const broken = lay('broken', own, other, 'nonsense');
    expect(broken).toMatchObject({ root: broken.mine, isGit: false });
    const ours = lay('ours', own, own);
    expect(ours.root).toBe(ours.open);
    // In containers, shared folders belong to another user as a whole.
    const mounted = lay('mounted', other, other);
    expect(mounted.root).toBe(mounted.open);
  },
);
