// Trees as a hostile repository may have them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/support/folder.ts';
import { parseRules } from './ignore-rules.ts';
import { type TreeOptions, walkTree } from './tree.ts';

function create(files: readonly string[]): string {
  const root = createFolder('tree');
  for (const file of files) {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  return root;
}

async function walk(root: string, options: TreeOptions = {}) {
  const paths: string[] = [];
  const skipped: string[] = [];
  const onSkip = (reason: string, path: string) => void skipped.push(`${reason} ${path}`);
  for await (const { path, isFolder } of walkTree(root, { ...options, onSkip }))
    paths.push(isFolder ? `${path}/` : path);
  return { paths, skipped };
}

describe('a tree', () => {
  it('is listed folder by folder, in order', async () => {
    const root = create(['b.txt', 'a/z', 'a/b/c', 'a.txt', 'B', 'é', 'a-b', '.hidden', '.git/config', 'x/.git/config']);
    expect((await walk(root)).paths).toEqual(['.hidden', 'B', 'a/b/c', 'a/z', 'a-b', 'a.txt', 'b.txt', 'é']);
    expect((await walk(root, { from: 'a', depth: 1 })).paths).toEqual(['a/b/', 'a/z']);
  });

  it('continues after any of its paths', async () => {
    const root = create(['a/b/c', 'a/b/d', 'a/b-c', 'a/z', 'b', 'c/d/e/f']);
    const { paths } = await walk(root);
    for (const [at, after] of paths.entries()) {
      expect((await walk(root, { after })).paths, after).toEqual(paths.slice(at + 1));
    }
    expect((await walk(root, { after: 'a/nothing/here' })).paths).toEqual(['a/z', 'b', 'c/d/e/f']);
  });

  it.skipIf(process.platform === 'win32')('follows no link, waits at no pipe, takes names as they are', async () => {
    const root = create(['real/a', 'with\nnewline', 'back\\slash', ' space ', '*', '[x]']);
    symlinkSync('..', join(root, 'real', 'loop'));
    symlinkSync('/etc', join(root, 'etc'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const { paths, skipped } = await walk(root);
    expect(paths).toEqual([' space ', '*', '[x]', 'back\\slash', 'real/a', 'with\nnewline']);
    expect(skipped).toEqual(['link etc', 'other pipe', 'link real/loop']);
  });

  it('is listed even with slow rules', async () => {
    const root = createFolder('tree');
    const rules = `*${'a'.repeat(96)}?b\n`.repeat(10_000);
    const classes = `*[${'a-b'.repeat(30)}]c\n`.repeat(10_000);
    const outer = parseRules(rules, 0);
    const kept = [outer, parseRules(classes, 1, { outer })].flatMap((own) => own.rules);
    expect(kept.length).toBeLessThan(1_000);
    let folder = root;
    for (let depth = 0; depth < 4; depth++) {
      folder = join(folder, 'd');
      mkdirSync(folder);
      writeFileSync(join(folder, '.gitignore'), depth % 2 ? classes : rules);
    }
    for (const end of ['1', '2', 'x']) writeFileSync(join(folder, 'a'.repeat(240) + end), '');
    writeFileSync(join(root, '.gitignore'), '*x\n');
    expect((await walk(root)).paths.filter((path) => path.includes('aaa'))).toHaveLength(2);
  });

  it.skipIf(process.platform !== 'linux')('leaves out what no text can name', async () => {
    const root = create(['fine']);
    execFileSync('sh', ['-c', 'printf x > "$(printf "bad\\377")"'], { cwd: root });
    const { paths, skipped } = await walk(root);
    expect(paths).toEqual(['fine']);
    expect(skipped).toHaveLength(1);
  });

  it('has rules in its folders, and the nearest takes precedence', async () => {
    const root = create(['a.log', 'in/b.log', 'in/keep.log', 'out/c', 'out/in/d', 'x.txt']);
    writeFileSync(join(root, '.gitignore'), '*.log\nout/\n');
    writeFileSync(join(root, '.loreignore'), 'x.txt\n!a.log\n');
    writeFileSync(join(root, 'in', '.gitignore'), '!keep.log\n');
    const { paths } = await walk(root);
    expect(paths).toEqual(['.gitignore', '.loreignore', 'a.log', 'in/.gitignore', 'in/keep.log']);
    // Who names what is ignored means it.
    expect((await walk(root, { from: 'out/in' })).paths).toEqual(['out/in/d']);
  });

  it('is bounded in depth and number', async () => {
    const root = create([`${'d/'.repeat(300)}deep`, ...Array.from({ length: 9_000 }, (_, at) => `many/${at}`)]);
    const whole = await walk(root);
    expect(whole.paths).toHaveLength(9_000);
    expect(whole.paths).toEqual([...whole.paths].sort());
    expect(whole.skipped.map((line) => line.split(' ')[0])).toEqual(['too_deep']);
    const some = await walk(root, { most: 5_000 });
    expect(some.paths.length).toBeLessThanOrEqual(5_000);
    expect(some.skipped).toContain('beyond_limit many');
  });

  it('stops on abort', async () => {
    const root = create(Array.from({ length: 3_000 }, (_, at) => `${at % 50}/${at}`));
    const stopping = new AbortController();
    const walking = (async () => {
      for await (const { path } of walkTree(root, { signal: stopping.signal })) {
        if (path !== '') stopping.abort();
      }
    })();
    await expect(walking).rejects.toMatchObject({ name: 'AbortError' });
  });
});
