// Programs that a repository brings along under a known name, wherever PATH says.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createFolder } from '../../../test/support/folder.ts';
import { findProgram } from './path.ts';
import { runProgram } from './program.ts';

const own = process.env.PATH ?? '';

/** A program that says where it lies. */
function putProgram(folder: string, name: string, says: string): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\necho ${says}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** A repository with a folder in it, and a `printf` of its own in the given place. */
function createRepository(place: string) {
  const root = createFolder('brought');
  mkdirSync(join(root, '.git'));
  mkdirSync(join(root, 'inner'));
  putProgram(join(root, place), 'printf', 'brought');
  return { root, folder: join(root, 'inner') };
}

const sayOwn = (folder: string, path: string[]) => ({
  program: 'printf',
  args: ['own'],
  folder,
  env: { PATH: [...path, own].join(delimiter) },
});

describe.skipIf(process.platform === 'win32')('a program of the repository is not run', () => {
  it.each([['.'], [''], ['tools'], ['./tools']])('when PATH has %j', async (entry) => {
    const { folder } = createRepository(join('inner', entry));
    expect(await runProgram(sayOwn(folder, [entry]))).toBe('own');
  });

  it.each([['inner'], ['inner/bin'], ['bin'], ['node_modules/.bin']])('when its %s is on PATH', async (place) => {
    const { root, folder } = createRepository(place);
    expect(await runProgram(sayOwn(folder, [join(root, place)]))).toBe('own');
  });

  it('when it is a package of a folder above', async () => {
    const above = createFolder('above');
    putProgram(join(above, 'node_modules/.bin'), 'printf', 'brought');
    expect(await runProgram(sayOwn(createFolder('here'), [join(above, 'node_modules/.bin')]))).toBe('own');
  });

  it('when links lead to it', async () => {
    const { root, folder } = createRepository('bin');
    const outside = createFolder('outside');
    symlinkSync(join(root, 'bin'), join(outside, 'folder'));
    symlinkSync(join(root, 'bin/printf'), join(outside, 'printf'));
    expect(await runProgram(sayOwn(folder, [join(outside, 'folder'), outside]))).toBe('own');
    const named = join(createFolder('named'), 'repository');
    symlinkSync(root, named);
    expect(await runProgram(sayOwn(join(named, 'inner'), [join(root, 'bin'), join(named, 'bin')]))).toBe('own');
  });

  it('by a program that is run', async () => {
    const { root, folder } = createRepository('bin');
    const env = { PATH: ['.', join(root, 'bin'), own].join(delimiter) };
    expect(await runProgram({ program: '/bin/sh', args: ['-c', 'exec printf own'], folder, env })).toBe('own');
  });

  it('by one that is run where PATH has nothing else', async () => {
    const { folder } = createRepository('inner');
    const env = { PATH: '.' };
    expect(await runProgram({ program: '/bin/sh', args: ['-c', 'exec printf own'], folder, env })).toBe('own');
  });

  it('where there is no other', async () => {
    const { root, folder } = createRepository('bin');
    const running = runProgram({ program: 'printf', args: [], folder, env: { PATH: join(root, 'bin') } });
    await expect(running).rejects.toMatchObject({ message: 'Cannot run "printf": it is not installed' });
  });

  it('nor one of a folder that is named besides', async () => {
    const { root } = createRepository('bin');
    const path = [join(root, 'bin'), own].join(delimiter);
    expect(await findProgram('printf', [root], path)).not.toContain(root);
    const given = { ...sayOwn('/', [join(root, 'bin')]), outside: [join(root, 'inner')] };
    expect(await runProgram(given)).toBe('own');
  });
});

describe.skipIf(process.platform === 'win32')("a person's own program is run", () => {
  it('by its name in PATH, which some programs depend on', async () => {
    const folder = createFolder('own');
    const file = join(folder, 'many');
    writeFileSync(file, '#!/bin/sh\nbasename "$0"\n');
    chmodSync(file, 0o755);
    symlinkSync(file, join(folder, 'one'));
    expect(await runProgram({ program: 'one', args: [], folder: '/', env: { PATH: `${folder}:${own}` } })).toBe(
      'one\n',
    );
  });

  it('from folders that hold all there is: the root and the home', async () => {
    const home = createFolder('home');
    vi.stubEnv('HOME', home);
    putProgram(join(home, '.local/bin'), 'printf', 'of-the-home');
    mkdirSync(join(home, '.git'));
    expect(await runProgram(sayOwn('/', []))).toBe('own');
    expect(await runProgram(sayOwn(home, [join(home, '.local/bin')]))).toBe('of-the-home\n');
    mkdirSync(join(home, 'project'));
    expect(await runProgram(sayOwn(join(home, 'project'), [join(home, '.local/bin')]))).toBe('of-the-home\n');
    vi.unstubAllEnvs();
  });
});
