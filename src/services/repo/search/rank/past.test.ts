// A history is that of the commit that is checked out, and no failure where there is none.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../../../../test/support/folder.ts';
import { readHistory } from './past.ts';

function change(folder: string, path: string, message: string): void {
  writeFileSync(join(folder, path), message);
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
  execFileSync('git', ['-C', folder, 'add', path]);
  execFileSync('git', ['-C', folder, ...who, 'commit', '-q', '-m', message]);
}

/** Whoever asks too early is answered without. */
const pathsWith = async (folder: string, term: string) =>
  [...((await readHistory(folder))?.score(new Map([[term, 1]])).keys() ?? [])].sort();

it('is read again when another commit is checked out', async () => {
  const folder = createFolder('history');
  execFileSync('git', ['init', '-q', folder]);
  expect(await readHistory(folder)).toBeUndefined();
  change(folder, 'a.ts', 'sockets');
  await expect.poll(() => pathsWith(folder, 'socket')).toEqual(['a.ts']);
  expect(await readHistory(folder)).toBe(await readHistory(folder));
  change(folder, 'b.ts', 'sockets');
  await expect.poll(() => pathsWith(folder, 'socket')).toEqual(['a.ts', 'b.ts']);
});

it('is none where there is no git', async () => {
  expect(await readHistory(createFolder('plain'))).toBeUndefined();
});
