// Teams that list their signers, and what somebody who can push does to their remote.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameBatch, renameBatch, signBatch, writeBatch } from '../../src/graph/share/batch.ts';
import { tick } from '../../src/graph/share/clock.ts';
import { openSigningKey } from '../../src/graph/share/guard/ssh-key.ts';
import { readDevice } from '../../src/graph/share/log.ts';
import type { SharedOp } from '../../src/graph/share/op.ts';
import { createFolder } from './folder.ts';
import { createDevice, createRemote, type Device, type DeviceOptions, git } from './share.ts';

export const hasKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;
export const teamLog = 'refs/lore/team/log';

const opened: Device[] = [];

export async function openDevice(name: string, remote: string, options: DeviceOptions = {}): Promise<Device> {
  const device = await createDevice(name, remote, options);
  opened.push(device);
  return device;
}

/** After all tests of a file. */
export async function closeOpened(): Promise<void> {
  for (const { services } of opened.splice(0)) await services.close();
}

export function createKey(passphrase = ''): string {
  const file = join(createFolder('keys'), 'id');
  execFileSync('ssh-keygen', ['-q', '-N', passphrase, '-t', 'ed25519', '-f', file]);
  return file;
}

/** The key of Eve is not among the lines. */
export async function openTeam() {
  const remote = createRemote();
  const keys = { ann: createKey(), bob: createKey(), eve: createKey() };
  const ann = await openDevice('Ann', remote, { signingKey: keys.ann });
  const bob = await openDevice('Bob', remote, { signingKey: keys.bob });
  const eve = await openDevice('Eve', remote, { signingKey: keys.eve });
  const lines = [lineOf('ann@example.org', keys.ann), lineOf('bob@example.org', keys.bob)];
  return { remote, keys, ann, bob, eve, lines, eveLine: lineOf('eve@example.org', keys.eve) };
}

/** Lines of allowed signers, merged into the default branch, which all devices then fetch. */
export function listSigners(devices: readonly Device[], lines: readonly string[]): void {
  const [{ folder }] = devices as [Device];
  mkdirSync(join(folder, '.lore'), { recursive: true });
  writeFileSync(join(folder, '.lore/allowed_signers'), lines.map((line) => `${line}\n`).join(''));
  git(folder, 'checkout', '-q', '-B', 'main');
  git(folder, 'add', '.');
  git(folder, 'commit', '-qm', 'signers');
  git(folder, 'push', '-q', '-f', 'origin', 'main');
  for (const device of devices) git(device.folder, 'fetch', '-q', 'origin');
}

export const lineOf = (name: string, key: string, options = '') =>
  `${name} ${options}${readFileSync(`${key}.pub`, 'utf8').split(' ', 2).join(' ')}`;

export async function shareText(device: Device, text: string): Promise<string> {
  const id = await device.remember(text);
  await device.share(id);
  await device.sync();
  return id;
}

export async function recall(device: Device, query: string): Promise<string[]> {
  const { memories } = (await device.call('recall', { query })) as { memories: { text: string }[] };
  return memories.map(({ text }) => text);
}

export const listFiles = (remote: string, ref: string) =>
  git(remote, 'ls-tree', '-r', '--name-only', ref)
    .trim()
    .split('\n')
    .filter((path) => path !== '');

/** As somebody who can push does: the files of a log, and only they, are what the function makes of them. */
export function rewrite(remote: string, ref: string, change: (files: Map<string, string>) => void): void {
  const isThere = git(remote, 'for-each-ref', ref) !== '';
  const files = new Map(
    (isThere ? listFiles(remote, ref) : []).map((path) => [path, git(remote, 'show', `${ref}:${path}`)]),
  );
  change(files);
  const index = { GIT_INDEX_FILE: join(createFolder('index'), 'index') };
  const run = (input: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=e', '-c', 'user.email=e@example.org', ...args], {
      cwd: remote,
      input,
      env: { ...process.env, ...index },
    }).toString();
  for (const [path, text] of files) {
    const blob = run(text, 'hash-object', '-w', '--stdin').trim();
    run('', 'update-index', '--add', '--cacheinfo', `100644,${blob},${path}`);
  }
  const commit = run('', 'commit-tree', '-m', 'x', run('', 'write-tree').trim()).trim();
  git(remote, 'update-ref', ref, commit);
}

/** A file of the same device and time with another content, named after it. */
export function addFile(files: Map<string, string>, path: string, text: string): void {
  files.set((renameBatch(path, text) as { path: string }).path, text);
}

export const deviceIdOf = ({ scope }: Device): Promise<string> => readDevice(scope.opened.store);

/** Operations in the folder of any device, signed by any key or by none. */
export async function plant(
  remote: string,
  { dev, by = 'Ann', key }: { dev: string; by?: string; key?: string },
  ops: readonly Partial<SharedOp>[],
): Promise<string> {
  const at = tick(Date.now(), []);
  const whole = ops.map((op) => ({ at, gen: 0, prev: [], dev, by, ...op }) as SharedOp);
  const batch = { level: 'team' as const, ops: whole as [SharedOp] };
  const text = key === undefined ? writeBatch(batch) : await signBatch(batch, openSigningKey(key).sign);
  const { path } = nameBatch(batch.ops[0], text);
  rewrite(remote, teamLog, (files) => files.set(path, text));
  return path;
}
