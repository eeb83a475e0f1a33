// A hundred and more attempts to get out of what is allowed: none shows or changes anything, and each is in the audit log.
import { existsSync, linkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCursor } from '../../src/core/cursor.ts';
import { LoreError } from '../../src/core/error.ts';
import { prepareBreakOut, secretName, secretText } from '../support/break-out.ts';
import { findLeaks, readSecretCases, type SecretCase, secretsOf } from '../support/secrets.ts';
import { openSystem, type System } from '../support/system.ts';

/** Made by whatever gets a shell or an option through. */
let touched: string;
let system: System;
const asked: string[][] = [];

beforeAll(async () => {
  const run = () => async (program: string, args: readonly string[]) => {
    asked.push([program, ...args]);
    throw new LoreError('unavailable', 'Cannot run it');
  };
  system = await prepareBreakOut({ registry: { run } });
  touched = join(system.folder, 'touched');
});
afterAll(() => system.close());

/** What it says, whether it fails or not. */
async function attempt(name: string, args: object): Promise<{ outcome: string; said: string }> {
  try {
    return { outcome: 'ok', said: JSON.stringify([await system.call(name, args), await system.text(name, args)]) };
  } catch (error) {
    const { word, message, hint, details } = error as LoreError;
    return { outcome: word, said: JSON.stringify([message, hint, Object.keys(details ?? {})]) };
  }
}

async function expectNothing(name: string, args: object, outcomes: readonly string[]): Promise<void> {
  const { outcome, said } = await attempt(name, args);
  expect(outcomes).toContain(outcome);
  // The name may come back as it was given, and as nothing else.
  const given = JSON.stringify(args);
  if (!given.includes(secretName)) expect(said).not.toContain(secretName);
  if (!given.includes(secretText)) expect(said).not.toContain(secretText);
  expect(existsSync(touched)).toBe(false);
  expect(await system.audited()).toMatchObject([{ tool: name, outcome }]);
}

const refused = ['forbidden', 'not_found', 'invalid_input'];

const outsidePaths: [string, string][] = [
  ['the folder above', '..'],
  ['a file outside', `../outside/${secretName}`],
  ['a way around', `sub/../../outside/${secretName}`],
  ['a way with dots and slashes', `.//sub/.././../outside//${secretName}`],
  ['a system file', '/etc/passwd'],
  ['a system file, with two slashes', '//etc/passwd'],
  ['the root', '/'],
  ['our own environment', '/proc/self/environ'],
  ['the root by way of the process', '/proc/self/root/etc/passwd'],
  ['our folder by way of the process', '/proc/self/cwd'],
  ['an open file', '/proc/self/fd/0'],
  ['a device', '/dev/zero'],
  ['standard input', '/dev/stdin'],
  ['home', '~'],
  ['a key in home', '~/.ssh/id_rsa'],
  ["somebody's home", '~root/.bashrc'],
  ['a link to a file outside', 'file-out'],
  ['a link to a folder outside', 'folder-out'],
  ['a file behind a link', `folder-out/${secretName}`],
  ['a file behind a relative link', `relative-out/${secretName}`],
  ['a file behind two links', `second/${secretName}`],
  ['a file behind a link further down', `sub/up/outside/${secretName}`],
  ['what is not there behind a link', 'folder-out/no/such/thing'],
  ['a circle of links', 'loop'],
  ['below a circle of links', 'loop/x'],
  ['a link to nothing', 'dangling'],
  ['below a link to nothing', 'dangling/x'],
  ['a system file behind a link', 'to-root/etc/passwd'],
  ['a system file behind a link to the process', 'to-process/etc/passwd'],
  ['a link whose text is a tilde', 'to-home'],
  ['a NUL', 'sub\0'],
  ['a NUL before the end', `sub/plain.txt\0/../../outside/${secretName}`],
  ['an address', `file:///etc/passwd`],
  ['escaped dots', `%2e%2e/outside/${secretName}`],
  ['dots of another script', `．．/outside/${secretName}`],
  ['backslashes', `..\\outside\\${secretName}`],
  ['a drive', 'C:\\Windows\\win.ini'],
  ['another machine', '\\\\server\\share\\x'],
  ['a device of Windows', '\\\\.\\PhysicalDrive0'],
  ['a stream', 'sub/plain.txt::$DATA'],
  ['a variable', '$HOME/.ssh'],
  ['a command', '$(touch touched)'],
  ['an option', '--help'],
  ['a line end', 'sub\n/etc/passwd'],
  ['the settings', 'config.json'],
  ['the database', 'lore.db'],
  ['its journal', 'lore.db-wal'],
  ['the audit log', 'audit.jsonl'],
  ['its head', 'audit.head'],
  ['a full file of it', 'audit-000000000007.jsonl'],
  ['the settings, roundabout', 'sub/../config.json'],
  ['more than a path may have', 'a/'.repeat(3_000)],
];

describe('paths', () => {
  it.each(outsidePaths)('fs_stat: %s', (_, path) => expectNothing('fs_stat', { path }, refused));

  it.each(outsidePaths)('fs_search in: %s', (_, path) => expectNothing('fs_search', { path }, refused));

  it.each([
    ['a number', 7],
    ['a list', ['/etc']],
    ['an object', { toString: '/etc' }],
    ['null', null],
  ])('that are no text: %s', (_, path) => expectNothing('fs_stat', { path }, ['invalid_input']));

  it.each([
    ['a file outside of the project by its own name', { name: secretName }],
    ['by its words', { query: secretName }],
    ['by its content', { content: secretText }],
    ['by its content and name', { content: secretText, name: '*' }],
    ['our own files by name', { name: 'audit*' }],
    ['our own settings', { name: 'config.json' }],
  ])('fs_search: %s', (_, args) => expectNothing('fs_search', args, ['ok']));

  it('a hard link to a file outside shows nothing new', async () => {
    // A hard link is the file itself: whoever made it could read it.
    linkSync(join(system.outside, secretName), join(system.project, 'sub', 'hard.txt'));
    expect(await system.call('fs_stat', { path: 'sub/hard.txt' })).toMatchObject({
      path: 'sub/hard.txt',
      type: 'file',
    });
    rmSync(join(system.project, 'sub', 'hard.txt'));
  });
});

describe('values that look like options, commands or patterns', () => {
  it.each([
    '--pre=/bin/sh',
    '--pre',
    '--file=/etc/passwd',
    '-f/etc/passwd',
    '-e',
    '--',
    '--files',
    '--hostname-bin=/bin/sh',
    '--search-zip',
    '--follow',
    '--database=/etc/passwd',
    '$(touch touched)',
    '`touch touched`',
    '; touch touched',
    '| touch touched',
    '&& touch touched',
    '> touched',
    'x\n--pre=/bin/sh',
    'x\0--pre=/bin/sh',
    "'; touch touched; '",
    '(a+)+$',
    '[[[[',
    '*'.repeat(200),
    '\\',
    '../**/*',
  ])('%j', async (value) => {
    await expectNothing('fs_search', { content: value }, ['ok', 'invalid_input']);
    await expectNothing('fs_search', { query: value }, ['ok', 'invalid_input']);
    await expectNothing('fs_search', { name: value }, ['ok', 'invalid_input']);
  });

  it.each<object>([
    { limit: 0 },
    { limit: 1e9 },
    { limit: '5; touch touched' },
    { min_size: -1 },
    { type: 'socket' },
    { modified_after: 'now; touch touched' },
    { modified_after: '2026-99-99' },
    { modified_before: '1'.repeat(39) },
    { content: 'x'.repeat(2_000) },
    { unknown: '--pre=/bin/sh' },
    JSON.parse('{"__proto__":{"limit":1}}'),
  ])('arguments: %j', (args) => expectNothing('fs_search', args, ['invalid_input']));

  it('a cursor that was made up', async () => {
    const made = (top: string, way: string[]) => writeCursor(top, way, 'a');
    await expectNothing('fs_search', { cursor: made('/etc', []) }, ['invalid_input']);
    await expectNothing('fs_search', { cursor: made(system.outside, []) }, ['invalid_input']);
    await expectNothing('fs_search', { cursor: 'e30' }, ['invalid_input']);
    await expectNothing('fs_search', { cursor: '../../etc' }, ['invalid_input']);
    await expectNothing('fs_search', { cursor: made(system.project, ['..', 'outside']) }, ['ok']);
    await expectNothing('fs_search', { cursor: made(system.project, ['folder-out']) }, ['ok']);
  });
});

describe('addresses of settings', () => {
  it.each([
    ['an option', '--schemadir=/tmp'],
    ['an option for a schema', 'gsettings:--schemadir=/tmp'],
    ['a schema with blanks', 'gsettings:org.a set org.b'],
    ['a schema with a line end', 'gsettings:org.a\norg.b'],
    ['a schema with a NUL', 'gsettings:org.a\0'],
    ['a schema with a path that leaves', 'gsettings:org.a:/../x'],
    ['no schema', 'gsettings:'],
    ['an option for dconf', 'dconf:--help'],
    ['a relative folder', 'dconf:org/a'],
    ['an empty part', 'dconf:/a//b/'],
    ['a folder with a blank', 'dconf:/a b/'],
    ['a file for defaults', 'defaults:/etc/passwd'],
    ['a relative file for defaults', 'defaults:../x'],
    ['home for defaults', 'defaults:~/x'],
    ['an option for defaults', 'defaults:-currentHost'],
    ['another machine', '\\\\server\\HKLM\\Software'],
    ['a device', '\\\\.\\HKLM'],
    ['no hive', 'HKXX\\Software'],
    ['a hive with an option', 'HKCU /s'],
    ['slashes', 'HKCU/Software'],
    ['an empty key', 'HKCU\\\\Software'],
    ['a NUL in a key', 'HKCU\\a\0b'],
    ['a line end in a key', 'HKCU\\a\r\n/f'],
    ['another view', 'reg16:HKCU\\a'],
    ['an address in an address', 'reg32:gsettings:org.a'],
    ['another scheme', 'file:///etc/passwd'],
    ['a path', '/etc/passwd'],
  ])('%s', async (_, path) => {
    await expectNothing('reg_read', { path }, ['invalid_input']);
    await expectNothing('reg_write', { path, name: 'a', type: 's', value: 'x' }, ['invalid_input']);
    expect(asked).toEqual([]);
  });

  it.each([
    ['gsettings:org.a', '--help'],
    ['gsettings:org.a', 'a b'],
    ['gsettings:org.a', 'a\n'],
    ['gsettings:org.a', ''],
    ['dconf:/a/', 'b/c'],
    ['dconf:/a/', '../c '],
    ['dconf:/a/', ''],
    ['defaults:a', '-g'],
    ['defaults:a', ''],
    ['defaults:a', 'x\n'],
    ['HKCU\\a', 'x\0'],
    ['HKCU\\a', 'x\r\n    y    REG_SZ    z'],
  ])('names: %s %j', async (path, name) => {
    await expectNothing('reg_read', { path, name }, ['invalid_input']);
    expect(asked).toEqual([]);
  });

  it('permissions that are missing', async () => {
    const other = await openSystem({ permissions: {} });
    await other.fail('reg_read', { path: 'HKCU\\a', name: 'token' });
    const [secret] = (await readSecretCases()).filter(({ text }) => text.length < 500) as [SecretCase];
    await other.fail('reg_write', { path: 'HKCU\\a', name: 'n', type: 'REG_SZ', value: secret.text });
    const lines = await other.audited(2);
    expect(lines.map(({ outcome }) => outcome)).toEqual(['forbidden', 'forbidden']);
    expect(findLeaks(Buffer.from(JSON.stringify(lines)), secretsOf(secret))).toEqual([]);
    await other.close();
  });
});
