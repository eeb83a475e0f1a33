// References as git stores them: loose, packed, symbolic; and what only git can read.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../../test/support/folder.ts';
import { git } from '../../../test/support/share.ts';
import { readRef } from './ref.ts';

const name = 'refs/remotes/origin/main';

function createRepository(): {
  folder: string;
  common: string;
  commit: string;
  write(file: string, text: string): void;
} {
  const folder = createFolder('refs');
  git(folder, 'init', '-q');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'x');
  const common = join(folder, '.git');
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(common, file)), { recursive: true });
    writeFileSync(join(common, file), text);
  };
  return { folder, common, commit: git(folder, 'rev-parse', 'HEAD').trim(), write };
}

it('a reference is found where git put it, or is absent', () => {
  const { folder, common, commit } = createRepository();
  expect(readRef(common, name)).toBeUndefined();
  git(folder, 'update-ref', name, commit);
  git(folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', name);
  expect(readRef(common, name)).toBe(commit);
  git(folder, 'pack-refs', '--all');
  expect(readRef(common, name)).toBe(commit);
  expect(readRef(common, 'refs/remotes/origin/HEAD')).toBe(commit);
  expect(readRef(common, 'refs/remotes/origin/master')).toBeUndefined();
});

it.each([
  ['nonsense', { [name]: 'x' }],
  ['a path out of the repository', { [name]: 'ref: refs/../../elsewhere' }],
  ['a loop', { [name]: `ref: ${name}` }],
  ['another format of references', { 'reftable/tables.list': '' }],
])('only git can read %s', (_, files) => {
  const { common, write } = createRepository();
  for (const [file, text] of Object.entries(files)) write(file, text);
  expect(readRef(common, name)).toBe('unknown');
});
