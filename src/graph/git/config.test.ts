// git's configuration as we read it, beside what the real git reads from the same text.
import { execFileSync, spawnSync } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../../test/support/folder.ts';
import type { LoreError } from '../../core/error.ts';
import { identifyFolder } from '../project/project.ts';

const folder = realpathSync(createFolder('project-config'));
execFileSync('git', ['init', '-q', folder]);
const file = join(folder, '.git/config');

/** What git takes the address of origin to be; undefined where it refuses the file or knows none. */
function askGit(): string | undefined {
  const { status, stdout } = spawnSync('git', ['config', '-z', '--file', file, '--get-all', 'remote.origin.url']);
  return status === 0 ? stdout.toString().split('\0')[0] : undefined;
}

describe('configuration', () => {
  it.each([
    '[remote "origin"]\n\turl = https://example.org/a/b\n',
    '[remote "origin"]\nurl=https://example.org/a/b',
    '[REMOTE "origin"]\r\n\tURL = https://example.org/a/b\r\n',
    '[remote "origin"] url = https://example.org/a/b ; why\n',
    '[remote "origin"] # here\nurl = https://example.org/a/b # there\n',
    '[remote.Origin]\nurl = https://example.org/a/b\n',
    '[remote "origin"]\nurl = "https://example.org/a/b"   \n',
    '[remote "origin"]\nurl = https://"example.org"/a/"b" \t\n',
    '[remote "origin"]\nurl = "https://example.org/a;b#c"\n',
    '[remote "origin"]\nurl = https://example.org/\\\na/b\n',
    '[remote "or\\igin"]\nurl = https://example.org/a/b\n',
    '[remote "origin"]\nfetch\nprune = true\nurl = https://example.org/a/b\n',
    '[remote "origin"]\nurl = https://example.org/a/b\nurl = https://example.org/second\n',
    '[remote "origin"]\nx = 1\n[core]\n; nothing\n\n[remote "origin"]\nurl = https://example.org/a/b\n',
    '[include]\npath = /etc/passwd\n[remote "origin"]\nurl = https://example.org/a/b\n',
    '[remote "origin"]\npushurl = https://example.org/push\nurl = https://example.org/a/b',
    '\uFEFF[remote "origin"]\nurl = https://example.org/a/b\n',
  ])('%j is read as git reads it', (text) => {
    writeFileSync(file, text);
    const url = askGit();
    expect(url).toMatch(/^https:\/\/example\.org\//);
    const expected = String(url).includes('#') ? /^git:example\.org\/[0-9a-f]{32}$/ : /^git:example\.org\/a\/b$/;
    expect(identifyFolder(folder).claim).toMatch(expected);
  });

  it.each([
    '',
    '[core]\nbare = false\n',
    '[remote "origin"]\nfetch = x\n',
    '[remote]\npushDefault = x\n',
    '# only\n',
    'url = x\n',
  ])('%j has no remote', (text) => {
    writeFileSync(file, text);
    expect(askGit()).toBeUndefined();
    expect(identifyFolder(folder).remotes).toEqual([]);
  });

  it.each([
    '[remote "origin\nurl = https://s3cret@example.org/a/b\n',
    '[remote "origin"\nurl = https://s3cret@example.org/a/b\n',
    '[remote "origin"]\nurl = "https://s3cret@example.org/a/b\n',
    '[remote "origin"]\nurl = C:\\s3cret\\qrepo\n',
    '[remote "origin"]\n= s3cret\n',
    '[remote "origin"]\n1url = s3cret\n',
    '[remote "origin"]\nurl s3cret\n',
    '<<<<<<< ours\n[remote "origin"]\nurl = https://s3cret@example.org/a/b\n',
  ])('%j is refused, as git refuses it, and not quoted', (text) => {
    writeFileSync(file, text);
    expect(spawnSync('git', ['config', '--file', file, '--list']).status).not.toBe(0);
    let error: LoreError | undefined;
    try {
      identifyFolder(folder);
    } catch (thrown) {
      error = thrown as LoreError;
    }
    expect(error?.word).toBe('unavailable');
    expect(error?.message).toMatch(/line \d is not git configuration/);
    expect(error?.message).not.toContain('s3cret');
  });

  it('of any size is read fast', () => {
    const filler = `x = ${' '.repeat(400_000)}"${'\\\\'.repeat(200_000)}"\n`;
    writeFileSync(file, `[core]\n${filler}[remote "origin"]\nurl = https://example.org/a/b\n`);
    const began = performance.now();
    expect(identifyFolder(folder).claim).toBe('git:example.org/a/b');
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
