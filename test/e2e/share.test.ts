// Sharing as a person does it: the real command line, a remote, a home folder with git's settings and SSH keys, and no other
// settings, so that all files are where they are by default.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';
import { createRemote, git } from '../support/share.ts';
import { hasKeygen, rewrite, teamLog } from '../support/trust.ts';

interface Person {
  home: string;
  folder: string;
  lore(args: readonly string[], input?: string): Promise<{ code: number | null; stdout: string; stderr: string }>;
  /** Shares a memory; returns its id. */
  share(text: string, ...options: string[]): Promise<string>;
}

function createPerson(name: string, origin: string, env: Record<string, string> = {}): Person {
  const [home, folder] = [createFolder('home'), join(createFolder('clone'), 'shop')];
  writeFileSync(join(home, '.gitconfig'), `[user]\n  name = ${name}\n  email = ${name.toLowerCase()}@example.org\n`);
  mkdirSync(folder);
  git(folder, 'init', '-q');
  git(folder, 'remote', 'add', 'origin', origin);
  const lore: Person['lore'] = (args, input) =>
    runLore(args, {
      cwd: folder,
      env: { HOME: home, LORE_CONFIG: join(home, 'config.json'), ...env },
      ...(input && { input }),
    });
  return {
    home,
    folder,
    lore,
    async share(text, ...options) {
      const { id } = JSON.parse((await lore(['remember', text, '--json'])).stdout) as { id: string };
      await lore(['share', id, '--yes', ...options]);
      return id;
    },
  };
}

describe('lore sync', () => {
  it('brings a memory to the other machines of a user, with a key that the user carries there', async () => {
    const [origin, remote] = ['https://example.org/shop.git', createRemote()];
    const [laptop, desktop] = [createPerson('Ann', origin), createPerson('Ann', origin)];
    const sync = ['sync', 'now', '--level', 'mine', '--remote', remote];
    expect(await laptop.lore(['sync', 'key'])).toMatchObject({ code: 3, stdout: '' });
    await laptop.share('The walrus sleeps.', '--level', 'mine');
    expect((await laptop.lore(sync)).stdout).toBe(`mine  ${remote}  1 sent, 0 received\n`);
    expect((await laptop.lore(['sync', 'status'])).stdout).toContain('encrypted');
    expect((await desktop.lore(sync)).stderr).toContain('lore sync key --set');
    const { stdout: key } = await laptop.lore(['sync', 'key']);
    expect(key).toMatch(/^lore-key-[\w-]{43}\n$/);
    expect(await desktop.lore(['sync', 'key', '--set'], 'nonsense')).toMatchObject({ code: 2 });
    expect(await desktop.lore(['sync', 'key', '--set'], key)).toMatchObject({ code: 0 });
    expect((await desktop.lore(['sync', 'now'])).stdout).toBe(`mine  ${remote}  0 sent, 1 received, 1 new\n`);
    expect((await desktop.lore(['recall', 'walrus'])).stdout).toContain('The walrus sleeps.');
    const file = join(desktop.home, '.local/share/lorekeeper/sync/mine.keys');
    if (process.platform === 'linux') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.skipIf(!hasKeygen)('shares with a team that lists its signers (skipped without ssh-keygen)', async () => {
    const remote = createRemote();
    const create = (name: string) => {
      const key = join(createFolder('keys'), 'id');
      execFileSync('ssh-keygen', ['-q', '-N', '', '-t', 'ed25519', '-f', key]);
      return createPerson(name, remote, { LORE_SIGNING_KEY: key });
    };
    const [ann, bob] = [create('Ann'), create('Bob')];
    const { stdout: line } = await ann.lore(['sync', 'signer']);
    expect(line).toMatch(/^ann@example\.org namespaces="lorekeeper" ssh-ed25519 \S+\n$/);
    mkdirSync(join(ann.folder, '.lore'));
    appendFileSync(join(ann.folder, '.lore/allowed_signers'), line);
    git(ann.folder, 'checkout', '-q', '-b', 'main');
    git(ann.folder, 'add', '.');
    git(ann.folder, 'commit', '-qm', 'signers');
    git(ann.folder, 'push', '-q', 'origin', 'main');
    git(bob.folder, 'fetch', '-q', 'origin');
    await ann.share('The walrus sleeps.');
    expect((await ann.lore(['sync', 'now', '--remote', 'origin'])).stdout).toBe(
      `team  ${remote}  1 sent, 0 received\n`,
    );
    expect((await ann.lore(['sync', 'status'])).stdout).toMatch(
      /^team {2}origin {2}synced .+ {2}signed with SHA256:\S+\n/,
    );
    rewrite(remote, teamLog, (files) => files.set('log/\u001b[31m\nteam  0 sent', 'x'));
    await bob.share('The seal bites.');
    const synced = await bob.lore(['sync', 'now', '--remote', 'origin']);
    expect(synced).toMatchObject({ code: 1, stdout: `team  ${remote}  0 sent, 1 received, 1 new\n` });
    expect(synced.stderr).toMatch(
      /your key SHA256:\S+ is not in \.lore\/allowed_signers .+ 1 change waits here\.\nAdd the line that lore sync signer prints\.\n/,
    );
    const { stdout: status } = await bob.lore(['sync', 'status']);
    expect(status).toContain('nothing can be sent: your key');
    // Strangers name files: they cannot write to the terminal.
    expect(status).toContain('"log/\\u001b[31m\\nteam  0 sent": it is not a batch of operations');
    expect((await bob.lore(['recall', 'walrus'])).stdout).toContain('from team (signed): ann@example.org');
  });
});
