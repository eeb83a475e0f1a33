// Folders to ignore, by path, name and pattern.
import { mkdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/support/folder.ts';
import { isIgnoredFolder } from './ignored-folder.ts';

describe('isIgnoredFolder', () => {
  it.each<[string, string[], boolean]>([
    ['/work/secret', [], false],
    ['/work/secret', ['/work/secret'], true],
    ['/work/secret/deep/down', ['/work/secret'], true],
    ['/work/secrets', ['/work/secret'], false],
    ['/work', ['/work/secret'], false],
    ['/work/a/private', ['/work/*/private'], true],
    ['/work/a/b/private/x', ['/work/**/private'], true],
    ['/work/client-a/src', ['client-*'], true],
    ['/work/other', ['client-*', 'private'], false],
    ['/work/a[1]/x', ['/work/a[1]'], true],
    [join(homedir(), 'taxes/2026'), ['~/taxes'], true],
  ])('%s in %j: %s', (folder, patterns, expected) => {
    expect(isIgnoredFolder(folder, patterns)).toBe(expected);
  });

  it('follows links', () => {
    const place = createFolder('links');
    mkdirSync(join(place, 'secret'));
    symlinkSync(join(place, 'secret'), join(place, 'link'));
    expect(isIgnoredFolder(join(place, 'link'), ['secret'])).toBe(true);
  });
});
