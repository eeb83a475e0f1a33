// Runs the store, crash and e2e tests on another version of Node, the first argument (24 by default); further ones are test
// files instead of those. Its binary comes from the registry as a package, once, into .cache; LORE_TEST_NODE names one
// that is already there.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [version = '24', ...given] = process.argv.slice(2);
const tests = given.length > 0 ? given : ['test/contract/store', 'test/contract/failure', 'test/crash', 'test/e2e'];

function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit', ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function findNode() {
  if (process.env.LORE_TEST_NODE) return process.env.LORE_TEST_NODE;
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const folder = `${root}.cache/node-${version}`;
  const node = `${folder}/node_modules/${name}/bin/node${isWindows ? '.exe' : ''}`;
  const install = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', `${name}@${version}`];
  if (!existsSync(node)) run('npm', install, { shell: isWindows });
  return node;
}

const node = findNode();
run(node, ['--version']);
run(process.execPath, ['scripts/build.mjs']);
run(node, ['node_modules/vitest/vitest.mjs', 'run', ...tests]);
