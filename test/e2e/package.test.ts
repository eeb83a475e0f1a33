// The package as it is published: small, complete, and working with nothing but its declared dependencies. With
// LORE_TEST_INSTALL=1 npm installs it from the registry; otherwise the packages of this repository are linked beside it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { root } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';

const megabyte = 1_000_000;
const run = (file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env) =>
  execFileSync(file, args, { cwd, env, encoding: 'utf8', shell: process.platform === 'win32' && file === 'npm' });

interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string }[];
}

describe('the package', () => {
  const folder = createFolder('package');
  const installed = join(folder, 'node_modules', 'lorekeeper');
  const project = join(folder, 'project');
  let packed: Packed;

  beforeAll(() => {
    mkdirSync(project);
    // The gate has built it already.
    const [made] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root));
    packed = made;
    const archive = join(folder, packed.filename);
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    if (process.env.LORE_TEST_INSTALL) run('npm', ['install', '--ignore-scripts', '--no-audit', archive], folder);
    else link(archive);
  }, 120_000);

  function link(archive: string): void {
    mkdirSync(installed, { recursive: true });
    run('tar', ['-xzf', archive, '--strip-components=1', '-C', installed], folder);
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = join(folder, 'node_modules', name);
      mkdirSync(dirname(place), { recursive: true });
      symlinkSync(join(root, 'node_modules', name), place, 'junction');
    }
  }

  function lore(...args: string[]): string {
    const env = {
      ...process.env,
      HOME: join(folder, 'home'),
      XDG_CACHE_HOME: join(folder, 'cache'),
      LORE_DB: join(folder, 'data/lore.db'),
    };
    return run(process.execPath, [join(installed, 'bin/lore.cjs'), ...args], project, env);
  }

  it('is small, and has the licences of what it contains', () => {
    expect(packed.size).toBeLessThanOrEqual(10 * megabyte);
    expect(packed.unpackedSize).toBeLessThanOrEqual(16 * megabyte);
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['LICENSE', 'assets/NOTICE', 'bin/lore.cjs', 'dist/index.js']));
  });

  it('stores, finds and indexes', () => {
    lore('remember', 'Walruses are fed at noon.');
    expect(lore('recall', 'when are walruses fed?')).toContain('at noon');
    writeFileSync(join(project, 'feed.ts'), 'export function feedWalrus() {}\n');
    lore('index_repository');
    expect(lore('repo_symbol', 'feedWalrus')).toContain('feed.ts');
  });

  it('can be imported', () => {
    const program = "import { LoreError, createApp } from 'lorekeeper'; console.log(typeof createApp, LoreError.name)";
    expect(run(process.execPath, ['--input-type=module', '-e', program], folder).trim()).toBe('function LoreError');
  });
});
