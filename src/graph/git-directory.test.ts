// Folders that point to a repository without being part of it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../test/support/folder.ts';
import { identifyFolder } from './project.ts';

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
])('a repository is not another folder that points to it with %s', (_, point) => {
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
});
