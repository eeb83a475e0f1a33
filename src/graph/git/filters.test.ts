// Repositories whose settings name programs, with a real git: plain git runs each, which shows that the trap works; ours none.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFolder } from '../../../test/support/folder.ts';
import { askAboutFiles } from './filters.ts';
import { askGit } from './git.ts';

describe.skipIf(process.platform === 'win32')('a repository whose settings name programs', () => {
  const setUp = () => {
    const folder = createFolder('git');
    const trace = join(createFolder('trace'), 'was-run');
    const program = join(createFolder('programs'), 'evil');
    writeFileSync(program, `#!/bin/sh\necho run >> '${trace}'\nexit 1\n`);
    chmodSync(program, 0o755);
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
      }).toString();
    const commit = (text: string) => {
      writeFileSync(join(folder, 'a.txt'), text);
      git('add', '.');
      git('commit', '-qm', text);
    };
    git('init', '-q');
    commit('one');
    commit('two');
    const wasRun = () => {
      const found = existsSync(trace);
      rmSync(trace, { force: true });
      return found;
    };
    return { folder, program, git, wasRun };
  };

  it.each(['clean', 'process'])('does not run filters when files are read: %s', async (part) => {
    const { folder, program, git, wasRun } = setUp();
    writeFileSync(join(folder, '.gitattributes'), 'a.txt filter=a=b.c\n');
    for (const [key, value] of [
      [part, program],
      ['required', 'true'],
    ] as const)
      git('config', `filter.a=b.c.${key}`, value);
    writeFileSync(join(folder, 'a.txt'), 'three');
    const ask = ['diff', '--name-only', 'HEAD', '--'];
    try {
      git(...ask);
    } catch {
      // It was run, and failed.
    }
    expect(wasRun()).toBe(true);
    expect(await askAboutFiles(folder, ask)).toBe('a.txt');
    expect(wasRun()).toBe(false);
  });

  it('does not fetch missing objects, even with an old git', async () => {
    const { folder, program, git, wasRun } = setUp();
    const tree = git('rev-parse', 'HEAD~1^{tree}').trim();
    rmSync(join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2)));
    for (const [key, value] of [
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'origin'],
      ['core.sshCommand', program],
      ['remote.origin.url', 'ssh://host/x'],
      ['remote.origin.promisor', 'true'],
      ['protocol.ssh.allow', 'always'],
    ] as const)
      git('config', key, value);
    const ask = ['log', '--name-only', '--format=%h'];
    expect(() => git(...ask)).toThrow();
    expect(wasRun()).toBe(true);
    const real = execFileSync('sh', ['-c', 'command -v git']).toString().trim();
    const older = createFolder('older');
    writeFileSync(join(older, 'git'), `#!/bin/sh\nunset GIT_NO_LAZY_FETCH; exec '${real}' "$@"\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${older}${delimiter}${process.env.PATH}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(askGit(folder, ask)).rejects.toMatchObject({ word: 'unavailable' });
    expect(wasRun()).toBe(false);
  });
});
