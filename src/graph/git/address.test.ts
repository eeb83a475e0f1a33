// Which texts are addresses, what git gets of them, and that nothing secret in one is repeated.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../../test/support/folder.ts';
import { LoreError } from '../../core/error.ts';
import { findAddress, readAddress } from './address.ts';

const nowhere = createFolder('address');

function catchError(given: string): LoreError {
  try {
    readAddress(findAddress(given, nowhere) ?? '');
  } catch (error) {
    if (error instanceof LoreError) return error;
  }
  throw new Error(`"${given}" was not refused`);
}

describe('a short form of an address', () => {
  it.each([
    ['owner/name', 'https://github.com/owner/name'],
    ['owner-1/na.me_2.git', 'https://github.com/owner-1/na.me_2.git'],
    ['github.com/owner/name', 'https://github.com/owner/name'],
    ['www.github.com/owner/name', 'https://github.com/owner/name'],
    ['gitlab.com/group/sub/name', 'https://gitlab.com/group/sub/name'],
    ['codeberg.org/owner/name', 'https://codeberg.org/owner/name'],
    ['bitbucket.org/owner/name', 'https://bitbucket.org/owner/name'],
  ])('is understood: %s', (given, url) => {
    expect(readAddress(findAddress(given, nowhere) as string).url).toBe(url);
  });

  it.each([
    'name',
    './owner/name',
    '../owner',
    'owner/..',
    '/owner/name',
    'a/b/c',
    '~/name',
    'owner/na me',
    '.git/x',
    'C:\\me@work\\x',
    '',
  ])('is not one: %j', (given) => {
    expect(findAddress(given, nowhere)).toBeUndefined();
  });

  it('is a folder if it exists', () => {
    const folder = createFolder('folder');
    mkdirSync(join(folder, 'owner/name'), { recursive: true });
    expect(findAddress('owner/name', folder)).toBeUndefined();
    expect(findAddress('github.com/owner/name', folder)).toBe('https://github.com/owner/name');
  });
});

describe('a page of a forge', () => {
  it.each([
    ['https://github.com/owner/name/tree/main/src', 'https://github.com/owner/name'],
    ['https://github.com/owner/name/blob/main/a.ts#L3', 'https://github.com/owner/name'],
    ['https://www.github.com/owner/name?tab=readme', 'https://github.com/owner/name'],
    ['github.com/owner/name/pull/7', 'https://github.com/owner/name'],
    ['https://gitlab.com/a/b/c/-/tree/main/src', 'https://gitlab.com/a/b/c'],
    ['https://codeberg.org/owner/name/src/branch/main', 'https://codeberg.org/owner/name'],
  ])('leads to its repository: %s', (given, repository) => {
    const { word, message, hint } = catchError(given);
    expect([word, message]).toEqual([
      'invalid_input',
      `Cannot clone "${repository}/…": it is a web page of a repository`,
    ]);
    expect(hint).toContain(`Use "${repository}"`);
  });

  it.each(['https://github.com/owner/name.git', 'https://github.com/owner/name/', 'https://host/a/b/tree/main'])(
    'is not one: %s',
    (given) => {
      expect(readAddress(given).url).toBe(given);
    },
  );
});

describe('an address with a login', () => {
  const secret = 's3cretW0rd';
  const token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
  it.each([
    `https://${token}@github.com/owner/name`,
    `https://${secret}@host/x.git`,
    `https://ada:${secret}@host/x.git`,
    `https://ada:${secret}/more@host/x.git`,
    `https://x-access-token:${token}@github.com/owner/name/tree/main`,
    `http://@host/${token}.git`,
    `git://${secret}@host/x`,
    `ssh://git:${secret}@host/x`,
    `ssh://${token}@host/x`,
    `ada:${secret}@host:x`,
    `https://host/x.git?private_token=${secret}`,
    `https://host/${token}/x.git`,
    `HTTPS://${secret}@host/a b`,
    `ext::https://${secret}@host/x`,
  ])('is refused, and its login is not repeated: %s', (given) => {
    const error = catchError(given);
    expect(['invalid_input', 'forbidden']).toContain(error.word);
    const said = JSON.stringify([error.message, error.hint, error.details]);
    expect(said).not.toContain(secret);
    expect(said).not.toContain(token);
  });

  it('is accepted for ssh, where it names an account, and is part of the cache key', () => {
    const urls = [
      'ssh://git@host/x',
      'ssh://ada@host/x',
      'ssh://Ada@host/x',
      'ssh://host/x',
      'git@host:x',
      'ada@host:x',
    ];
    const addresses = urls.map(readAddress);
    expect(addresses.map(({ url }) => url)).toEqual(urls);
    expect(new Set(addresses.map(({ key }) => key)).size).toBe(urls.length);
    expect(readAddress('ssh://git@HOST/x.git').key).toBe(addresses[0]?.key);
  });
});
