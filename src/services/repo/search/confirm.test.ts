// Search results after the files were replaced.
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../../../test/support/folder.ts';
import { confirmFiles } from './confirm.ts';

function createTree() {
  const base = realpathSync(createFolder('confirm'));
  const [root, outside] = [join(base, 'project'), join(base, 'outside')];
  for (const folder of [root, outside, join(root, 'src')]) mkdirSync(folder);
  writeFileSync(join(outside, 'a.ts'), 'one\nsecret of another project\n');
  writeFileSync(join(root, 'src', 'a.ts'), 'one\ntwo\nthree\n');
  return { root, outside };
}

const place = (start: number, text: string) => ({ start, end: start, text });

describe('confirmFiles', () => {
  it('leaves out a file whose folder was swapped for a link while the search program walked', async () => {
    const { root, outside } = createTree();
    rmSync(join(root, 'src'), { recursive: true });
    symlinkSync(outside, join(root, 'src'));
    const found = [{ path: 'src/a.ts', places: [place(2, 'secret of another project')] }];
    expect(await confirmFiles(root, found)).toEqual([]);
  });

  it('shows the line of the file where the search program saw another, as after swapping back', async () => {
    const { root } = createTree();
    const found = [{ path: 'src/a.ts', places: [place(2, 'secret of another project'), place(3, 'three')] }];
    expect(await confirmFiles(root, found)).toEqual([
      { path: 'src/a.ts', places: [place(2, 'two'), place(3, 'three')] },
    ]);
  });

  it('keeps the truncated part of a long line', async () => {
    const { root } = createTree();
    writeFileSync(join(root, 'long.ts'), `${'x'.repeat(500)}needle${'y'.repeat(500)}\n`);
    const text = `…${'x'.repeat(100)}needle${'y'.repeat(100)}…`;
    expect(await confirmFiles(root, [{ path: 'long.ts', places: [place(1, text)] }])).toMatchObject([
      { places: [{ text }] },
    ]);
  });
});
