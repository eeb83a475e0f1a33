// Sync beside the user's own work: repositories of every kind stay as they are, a remote may be away, and git may fail anywhere.
import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { hashHex } from '../../src/core/crypto.ts';
import { createFolder } from '../support/folder.ts';
import { closeDevices, createDevice, createRemote, git, openTwo } from '../support/share.ts';

afterAll(closeDevices);

/** Every file of a folder, with its content and the time of its last change. */
function snapshot(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[]).sort().map((name) => {
    const stats = lstatSync(join(folder, name));
    return stats.isFile() ? `${name} ${stats.mtimeMs} ${hashHex(readFileSync(join(folder, name)))}` : name;
  });
}

function createSource(...options: string[]): string {
  const source = join(createFolder('source'), 'source');
  mkdirSync(source);
  git(source, 'init', '-q', ...options);
  for (const text of ['one', 'two']) {
    writeFileSync(join(source, 'a.txt'), text);
    git(source, 'add', '.');
    git(source, 'commit', '-qm', text);
  }
  return source;
}

/** The user's folder, and the options of the remote. */
const kinds: Record<string, (source: string, target: string) => void> = {
  'a clone with a stash, staged and unstaged changes': (source, target) => {
    git(source, 'clone', '-q', source, target);
    writeFileSync(join(target, 'a.txt'), 'stashed');
    git(target, 'stash');
    writeFileSync(join(target, 'a.txt'), 'staged');
    git(target, 'add', '.');
    writeFileSync(join(target, 'a.txt'), 'unstaged');
  },
  'a worktree': (source, target) => void git(source, 'worktree', 'add', '-q', '-b', 'tree', target),
  'a bare repository': (source, target) => void git(source, 'clone', '-q', '--bare', source, target),
  'a shallow clone': (source, target) => void git(source, 'clone', '-q', '--depth', '1', `file://${source}`, target),
  'a partial clone': (source, target) => {
    git(source, 'config', 'uploadpack.allowFilter', 'true');
    git(source, 'clone', '-q', '--filter=blob:none', `file://${source}`, target);
  },
  'a detached HEAD, with hooks': (source, target) => {
    git(source, 'clone', '-q', source, target);
    git(target, 'checkout', '-q', '--detach', 'HEAD~1');
    const hooks = join(target, 'hooks');
    mkdirSync(hooks);
    for (const name of ['pre-push', 'reference-transaction', 'post-commit', 'pre-auto-gc']) {
      writeFileSync(join(hooks, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    }
    git(target, 'config', 'core.hooksPath', hooks);
  },
};

describe('sync leaves as it was:', () => {
  it.each([...Object.keys(kinds), 'a repository with SHA-256'])('%s', async (kind) => {
    const isSha256 = kind.includes('SHA-256');
    const format = isSha256 ? ['--object-format=sha256'] : [];
    const source = createSource(...format);
    const target = join(createFolder('user'), 'project');
    const lay = kinds[kind] ?? ((from, to) => git(from, 'clone', '-q', from, to));
    lay(source, target);
    const remote = createRemote(...format);
    const { ann, bob } = await openTwo();
    const device = await createDevice('Ann', remote, { folder: target, services: ann.services });
    const other = await createDevice('Bob', remote, {
      services: bob.services,
      ...(isSha256 && { folder: createSource(...format) }),
    });
    const before = [snapshot(target), snapshot(source)];
    await device.share(await device.remember(`The walrus sleeps in ${kind}.`));
    expect(await device.sync()).toMatchObject({ sent: 1, pending: 0 });
    expect(await other.sync()).toMatchObject({ stored: 1 });
    expect([snapshot(target), snapshot(source)]).toEqual(before);
    expect(spawnSync('git', ['fsck', '--strict'], { cwd: remote }).status).toBe(0);
  });
});

describe('a remote that', () => {
  it('is away gets everything later', async () => {
    const { ann, bob, remote } = await openTwo();
    await ann.share(await ann.remember('The walrus sleeps.'));
    const away = `${remote}.away`;
    git(remote, 'init', '-q', '--bare', away);
    rmSync(remote, { recursive: true });
    mkdirSync(remote);
    expect(await ann.sync()).toMatchObject({ pending: 1, problem: expect.stringMatching(/^Cannot fetch from/) });
    rmSync(remote, { recursive: true });
    git(away, 'clone', '-q', '--bare', away, remote);
    expect(await ann.sync()).toMatchObject({ sent: 1, pending: 0 });
    expect(await bob.sync()).toMatchObject({ stored: 1 });
  });

  it('lost its reference gets it again', async () => {
    const { ann, bob, remote } = await openTwo();
    for (const device of [ann, bob]) {
      await device.share(await device.remember(`The walrus sleeps, says ${device.name}.`));
      await device.sync();
    }
    git(remote, 'update-ref', '-d', 'refs/lore/team/log');
    await ann.sync();
    expect(await bob.sync()).toMatchObject({ sent: 1 });
    await ann.sync();
    expect(await bob.export()).toBe(await ann.export());
    expect(git(remote, 'ls-tree', '-r', '--name-only', 'refs/lore/team/log').trim().split('\n')).toHaveLength(2);
  });

  it('accepts no changes is still read', async () => {
    const { ann, bob, remote } = await openTwo();
    await ann.share(await ann.remember('The walrus sleeps.'));
    await ann.sync();
    mkdirSync(join(remote, 'hooks'), { recursive: true });
    writeFileSync(join(remote, 'hooks/pre-receive'), '#!/bin/sh\necho protected >&2; exit 1\n', { mode: 0o755 });
    await bob.share(await bob.remember('The seal eats.'));
    expect(await bob.sync()).toMatchObject({
      stored: 1,
      pending: 1,
      problem: expect.stringContaining('does not accept changes from you'),
    });
    rmSync(join(remote, 'hooks/pre-receive'));
    expect(await bob.sync()).toMatchObject({ sent: 1 });
  });
});

it('git may fail at every command, before or after it did its work: nothing is lost or sent twice', async () => {
  const folder = createFolder('wrapper');
  const count = join(folder, 'count');
  const real = spawnSync('sh', ['-c', 'command -v git']).stdout.toString().trim();
  const wrapper = join(folder, 'git');
  const lay = (failing: number, when: 'before' | 'after') => {
    writeFileSync(count, '0');
    const fail = `[ "$n" = ${failing} ] && exit 137`;
    const lines = [`n=$(($(cat '${count}') + 1)); echo $n > '${count}'`];
    lines.push(...(when === 'before' ? [fail, `exec '${real}' "$@"`] : [`'${real}' "$@"`, 's=$?', fail, 'exit $s']));
    writeFileSync(wrapper, `#!/bin/sh\n${lines.join('\n')}\n`);
    chmodSync(wrapper, 0o755);
  };
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  lay(0, 'before');
  const { ann, bob } = await openTwo();
  let sent = 0;
  let commands = 0;
  for (const when of ['before', 'after'] as const) {
    for (let failing = 1; failing <= Math.max(1, commands); failing++) {
      lay(failing, when);
      await ann.share(await ann.remember(`The walrus sleeps ${when} ${failing}.`));
      sent++;
      await ann.sync().catch(() => {});
      lay(0, 'before');
      expect(await ann.sync()).toMatchObject({ pending: 0 });
      commands = Math.max(commands, Number(readFileSync(count, 'utf8')));
    }
  }
  expect(commands).toBeGreaterThan(3);
  await bob.sync();
  expect(await bob.export()).toBe(await ann.export());
  expect((await bob.export()).split('\n')).toHaveLength(sent);
});
