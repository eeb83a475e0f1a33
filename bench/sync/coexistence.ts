// Many syncs beside a user who works: status, HEAD, index, reflog, stash and worktrees of the user's repository stay as they are,
// whatever kind of repository it is, and fsck and gc find nothing wrong in the remote or in our own repository.
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashHex } from '../../src/core/crypto.ts';
import { createFolder, removeFolders } from '../../test/support/folder.ts';
import type { Services } from '../../test/support/services.ts';
import { createDevice, createRemote, git } from '../../test/support/share.ts';

const kinds = ['clone', 'worktree', 'bare', 'shallow', 'partial', 'sha256', 'detached', 'submodule', 'hooks'] as const;

export async function run({ count = 1_000 }: { count?: number }) {
  const result = { syncs: 0, kinds: kinds.length, changed: 0, broken: 0, unsent: 0, failed: 0 };
  let services: Services | undefined;
  const each = Math.ceil(count / kinds.length);
  for (const kind of kinds) {
    const format = kind === 'sha256' ? ['--object-format=sha256'] : [];
    const remote = createRemote(...format);
    const { folder, watched } = lay(kind, format);
    const home = createFolder('sync');
    const device = await createDevice('Ann', remote, { folder, home, ...(services && { services }) });
    services ??= device.services;
    const before = watched.map(describe);
    for (let at = 0; at < each; at++) {
      if (at % 4 === 0) await device.share(await device.remember(`The walrus of ${kind} sleeps ${at} hours.`));
      const { pending } = await device.sync();
      result.syncs++;
      result.unsent += pending;
    }
    if (JSON.stringify(watched.map(describe)) !== JSON.stringify(before)) result.changed++;
    for (const repository of [remote, ...readdirSync(home).map((name) => join(home, name))]) {
      if (!isSound(repository)) result.broken++;
    }
  }
  await services?.close();
  removeFolders();
  return { ...result, failed: result.changed + result.broken + result.unsent };
}

function isSound(repository: string): boolean {
  try {
    git(repository, 'fsck', '--strict');
    git(repository, 'gc', '-q');
    git(repository, 'fsck', '--strict');
    return true;
  } catch {
    return false;
  }
}

/** Every file with its content and time: HEAD, index, reflog, stash, worktrees and objects are among them. */
function describe(folder: string): string {
  const files = (readdirSync(folder, { recursive: true }) as string[]).sort().map((name) => {
    const stats = lstatSync(join(folder, name));
    return stats.isFile() ? [name, stats.mtimeMs, hashHex(readFileSync(join(folder, name)))] : [name];
  });
  return JSON.stringify(files);
}

function lay(kind: (typeof kinds)[number], format: readonly string[]): { folder: string; watched: string[] } {
  const base = createFolder(`user-${kind}`);
  const [source, folder] = [join(base, 'source'), join(base, 'project')];
  mkdirSync(source);
  git(source, 'init', '-q', ...format);
  for (const text of ['one', 'two']) {
    writeFileSync(join(source, 'a.txt'), text);
    git(source, 'add', '.');
    git(source, 'commit', '-qm', text);
  }
  if (kind === 'worktree') git(source, 'worktree', 'add', '-q', '-b', 'tree', folder);
  else if (kind === 'bare') git(source, 'clone', '-q', '--bare', source, folder);
  else if (kind === 'shallow') git(source, 'clone', '-q', '--depth', '1', `file://${source}`, folder);
  else if (kind === 'partial') {
    git(source, 'config', 'uploadpack.allowFilter', 'true');
    git(source, 'clone', '-q', '--filter=blob:none', `file://${source}`, folder);
  } else if (kind === 'submodule') {
    const top = join(base, 'top');
    mkdirSync(top);
    git(top, 'init', '-q');
    git(top, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'part');
    return { folder: join(top, 'part'), watched: [top, source] };
  } else git(source, 'clone', '-q', source, folder);
  if (kind === 'detached') git(folder, 'checkout', '-q', '--detach', 'HEAD~1');
  if (kind === 'clone') {
    writeFileSync(join(folder, 'a.txt'), 'stashed');
    git(folder, 'stash');
    writeFileSync(join(folder, 'a.txt'), 'staged');
    git(folder, 'add', '.');
    writeFileSync(join(folder, 'a.txt'), 'unstaged');
  }
  if (kind === 'hooks') {
    const hooks = join(folder, '.hooks');
    mkdirSync(hooks);
    for (const name of ['pre-push', 'reference-transaction', 'post-commit', 'pre-auto-gc']) {
      writeFileSync(join(hooks, name), `#!/bin/sh\ntouch '${folder}/hook-was-run'; exit 1\n`, { mode: 0o755 });
    }
    git(folder, 'config', 'core.hooksPath', hooks);
  }
  // Fills the index's cache of file times, which any `git status` of the user would.
  if (kind !== 'bare') execFileSync('git', ['-C', folder, 'status'], { stdio: 'ignore' });
  return { folder, watched: [folder, source] };
}
