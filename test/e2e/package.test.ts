// The package as it is published: small, complete, and working with nothing but its declared dependencies. With
// LORE_TEST_INSTALL=1 npm installs it from the registry; otherwise the packages of this repository are linked beside it.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../src/core/version.ts';
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
    expect(packed.size).toBeLessThanOrEqual(32 * megabyte);
    expect(packed.unpackedSize).toBeLessThanOrEqual(43 * megabyte);
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['LICENSE', 'assets/NOTICE', 'bin/lore.cjs', 'dist/index.js', 'man/lore.1']),
    );
  });

  it('stores, finds and indexes', () => {
    lore('remember', 'Walruses are fed at noon.');
    expect(lore('recall', 'when are walruses fed?')).toContain('at noon');
    writeFileSync(join(project, 'feed.ts'), 'export function feedWalrus() {}\n');
    lore('index_repository');
    expect(lore('repo_symbol', 'feedWalrus')).toContain('feed.ts');
  });

  // On Windows npm links commands elsewhere.
  it.skipIf(process.platform === 'win32')('is a command after npm link', () => {
    const prefix = join(folder, 'prefix');
    const env = { ...process.env, npm_config_prefix: prefix };
    run('npm', ['link', '--ignore-scripts', '--no-audit', '--no-fund'], root, env);
    expect(run(join(prefix, 'bin/lore'), ['version'], project).trim()).toBe(version);
  });

  it('runs from a clone in the folder of the caller', () => {
    // Its parts without a build, which would disturb other tests.
    const clone = join(folder, 'clone');
    for (const name of ['scripts', 'bin']) mkdirSync(join(clone, name), { recursive: true });
    for (const name of ['package.json', 'scripts/lore.mjs']) copyFileSync(join(root, name), join(clone, name));
    writeFileSync(join(clone, 'scripts/build.mjs'), '');
    writeFileSync(
      join(clone, 'bin/lore.cjs'),
      'console.log(JSON.stringify([process.cwd(), ...process.argv.slice(1)]))',
    );
    const printed = run('npm', ['--prefix', clone, 'run', '-s', 'lore', '--', 'recall', 'a b'], project);
    const program = realpathSync(join(clone, 'bin/lore.cjs'));
    expect(JSON.parse(printed)).toEqual([realpathSync(project), program, 'recall', 'a b']);
  });

  it.skipIf(!process.env.LORE_TEST_INSTALL)('runs with npx from the packed file', () => {
    const env = { ...process.env, HOME: join(folder, 'home'), npm_config_yes: 'true' };
    expect(run('npx', ['--package', join(folder, packed.filename), 'lore', 'version'], project, env).trim()).toBe(
      version,
    );
  });

  it('can be imported', () => {
    const program = "import { LoreError, createApp } from 'lorekeeper'; console.log(typeof createApp, LoreError.name)";
    expect(run(process.execPath, ['--input-type=module', '-e', program], folder).trim()).toBe('function LoreError');
  });
});
