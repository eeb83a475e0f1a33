// A git that hangs, talks without end, fails or is not trusted: a script under its name says what ours makes of it.
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFolder } from '../../../test/support/folder.ts';
import { askGit, streamGit } from './git.ts';

/** Puts a script in git's place, and gives a folder to run it in. */
function beGit(script: string): string {
  const folder = createFolder('programs');
  writeFileSync(join(folder, 'git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'git'), 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return createFolder('git');
}

async function read(folder: string, limits?: object): Promise<string> {
  let text = '';
  for await (const part of streamGit(folder, ['log'], limits)) text += part;
  return text;
}

describe.skipIf(process.platform === 'win32')('git', () => {
  it("receives its arguments unchanged, and only the folder's repository", async () => {
    vi.stubEnv('GIT_DIR', '/elsewhere');
    const folder = beGit('for last; do :; done; printf "%s %s %s" "$PWD" "$last" "$GIT_DIR"');
    expect(await askGit(folder, ['--since=$(id) ; "x"'])).toMatch(/ --since=\$\(id\) ; "x" $/);
  });

  it('is never a program from the repository', async () => {
    const folder = createFolder('armed');
    writeFileSync(join(folder, 'git'), '#!/bin/sh\ntouch was-run\n', { mode: 0o755 });
    vi.stubEnv('PATH', ['.', folder, process.env.PATH].join(delimiter));
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(await askGit(folder, ['--version'])).toMatch(/^git version/);
    expect(existsSync(join(folder, 'was-run'))).toBe(false);
  });

  it('is ended when it is silent', async () => {
    const folder = beGit('echo begun; exec sleep 600');
    await expect(read(folder, { silenceMs: 200 })).rejects.toMatchObject({ word: 'timeout' });
  });

  it('is ended when it prints too much', async () => {
    const folder = beGit('while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done');
    await expect(read(folder, { maxBytes: 10_000 })).rejects.toMatchObject({ word: 'limit_exceeded' });
  });

  it.each([
    ['exit 1', undefined],
    ['echo "fatal: Needed a single revision" >&2; exit 128', undefined],
    ['echo yes', 'yes'],
  ])('answers by status: %s', async (script, answer) => {
    expect(await askGit(beGit(script), ['rev-parse'])).toBe(answer);
  });

  it.each([
    ['echo "fatal: corrupt" >&2; exit 128', 'unavailable'],
    ['echo "fatal: detected dubious ownership in repository at \'x\'" >&2; exit 128', 'forbidden'],
    ['kill -9 $$', 'unavailable'],
  ])('fails: %s', async (script, word) => {
    await expect(askGit(beGit(script), ['rev-parse'])).rejects.toMatchObject({ word });
  });
});
