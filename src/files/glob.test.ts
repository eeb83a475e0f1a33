// Rules for ignored files, held against git itself; and patterns that would keep a regular expression busy for ever.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/support/folder.ts';
import { matchGlob, parseGlob } from './glob.ts';
import { type IgnoreRules, isIgnored, parseRules } from './ignore-rules.ts';

const patterns = [
  '*.log',
  'a',
  '/a',
  'a/',
  'a/b',
  '/a/b/',
  '**/b',
  'a/**',
  'a/**/c',
  '**/b/**',
  '**',
  '/**/c.txt',
  'a/*/c',
  'a**c',
  '**b',
  'b**/c',
  '*',
  '!a',
  '!*.log',
  '?',
  '[ab]',
  '[!a]',
  '[^a]*',
  '[a-c].txt',
  '[[:digit:]]*',
  '[]a]',
  '[a',
  '\\#x',
  '#x',
  '\\!x',
  'x\\ ',
  'x  ',
  'x\\',
  'b/*.txt',
  'foo*bar*.t?t',
  'A',
  '*.TXT',
  '[a/]b',
  '.*',
  '/*',
  '!/a',
  'a/b/c.log\r',
  '*/b',
  '/',
  '//a',
  'a//b',
];
const files = [
  'a',
  'b',
  'c.txt',
  'x.log',
  '#x',
  '!x',
  'x ',
  'x',
  '7up',
  ']',
  'a.txt',
  '.hidden',
  'fooXbarY.txt',
  'd/a',
  'd/b/c.txt',
  'd/b/x.log',
  'e/b',
  'e/a/b/c',
  'e/a/q/c',
  'bob/c',
  'axc',
];

/** Git's own word on each. */
function askGit(folder: string, names: readonly string[]): string[] {
  try {
    const told = execFileSync('git', ['check-ignore', '--no-index', '-z', '--stdin'], {
      cwd: folder,
      input: names.join('\0'),
    });
    return told.toString().split('\0').slice(0, -1).sort();
  } catch {
    return [];
  }
}

/** As a walk does it: what lies in an ignored folder is ignored. */
function decide(names: readonly string[], rules: readonly IgnoreRules[]): string[] {
  return names
    .filter((name) => {
      const parts = name.split('/');
      return parts.some((_, at) => {
        const own = rules.filter(({ depth }) => depth <= at);
        return isIgnored(parts.slice(0, at + 1), at < parts.length - 1, own);
      });
    })
    .sort();
}

function createTree(): string {
  const folder = createFolder('ignored');
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '');
  }
  return folder;
}

describe.skipIf(process.platform !== 'linux')('rules for ignored files', () => {
  const folder = createTree();

  it.each(patterns)('are as git reads them: %j', (pattern) => {
    writeFileSync(join(folder, '.gitignore'), `${pattern}\n`);
    expect(decide(files, [parseRules(`${pattern}\n`, 0)])).toEqual(askGit(folder, files));
  });

  it('are as git reads them, several at once and in inner folders', () => {
    for (const [at, first] of patterns.entries()) {
      const second = patterns[(at * 7 + 3) % patterns.length];
      const [outer, inner] = [`${first}\n!${second}\n`, `${second}\n!c*\n`];
      writeFileSync(join(folder, '.gitignore'), outer);
      writeFileSync(join(folder, 'd', '.gitignore'), inner);
      const names = files.filter((name) => name.startsWith('d/'));
      expect(decide(names, [parseRules(outer, 0), parseRules(inner, 1)]), outer + inner).toEqual(askGit(folder, names));
    }
  });
});

describe('a pattern that is made to be slow', () => {
  it.each([
    ['*a'.repeat(60), `${'a'.repeat(4_000)}b`],
    [`${'**/a/'.repeat(60)}b`, `${'a/'.repeat(2_000)}c`],
    [`${'[ab]*'.repeat(60)}z`, 'ab'.repeat(2_000)],
    [`${'?*'.repeat(60)}z`, 'a'.repeat(4_000)],
  ])('is decided: %s', (pattern, path) => {
    const glob = parseGlob(pattern);
    expect(glob && matchGlob(glob, path.split('/'))).toBe(false);
  });
});
