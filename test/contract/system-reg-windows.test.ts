// reg_read and reg_write on Windows' registry: on the one that Wine provides, and for what Wine does not say on output
// written down from the public format. Names say which.
import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/core/program/program.ts';
import type { Run } from '../../src/services/system/reg/settings-store.ts';
import { createFolder } from '../support/folder.ts';
import { record } from '../support/recorded-run.ts';
import { openSystem, type System, type SystemOptions } from '../support/system.ts';

const yes = () => ({ action: 'accept', content: { change: true } });
const hasWine = spawnSync('wine', ['--version']).error === undefined;

let system: System;
afterEach(() => system?.close());

async function open(options: SystemOptions = {}): Promise<void> {
  system = await openSystem({ answer: yes, ...options });
}

describe.skipIf(!hasWine)("the Windows registry of Wine's reg.exe", () => {
  const prefix = createFolder('wine');
  const env = { ...process.env, WINEPREFIX: prefix, WINEDEBUG: '-all', DISPLAY: '' };
  const run = (): Run => (program, args, explain) =>
    runProgram({
      program: 'wine',
      args: [program, ...args],
      env,
      silenceMs: 300_000,
      explain: (_, complaint) => explain?.(complaint),
    });
  afterAll(() => void spawnSync('wineserver', ['-k'], { env }));
  const path = String.raw`HKCU\Software\Lore`;

  it('writes every type, lists the values, and undoes the changes', { timeout: 400_000 }, async () => {
    await open({ registry: { run }, settings: { unconfirmedTools: () => ['reg_write'] } });
    const values: [string, string, unknown][] = [
      ['text', 'REG_SZ', 'two words, 50% "quoted" \\ /f'],
      ['', 'REG_SZ', 'without a name'],
      ['number', 'REG_DWORD', 4_294_967_295],
      ['several', 'REG_MULTI_SZ', ['one', 'two words']],
      ['bytes', 'REG_BINARY', '00FF10'],
      ['/v', 'REG_SZ', '/reg:32'],
      ['grows', 'REG_EXPAND_SZ', '%PATH%'],
    ];
    for (const [name, type, value] of values) {
      const { current, undo } = await system.call('reg_write', { path, name, type, value });
      expect(current).toEqual({ name, type, value });
      expect(undo).toEqual({ path, name, type: 'none' });
    }
    const { values: listed } = await system.call('reg_read', { path });
    expect(listed).toHaveLength(values.length);
    expect(listed).toContainEqual({ name: 'text', type: 'REG_SZ', value: 'two words, 50% "quoted" \\ /f' });
    expect(await system.call('reg_read', { path: 'HKEY_CURRENT_USER\\Software' })).toMatchObject({
      keys: expect.arrayContaining(['Lore']),
    });
    await system.call('reg_write', { path, name: 'text', type: 'none' });
    expect(await system.fail('reg_read', { path, name: 'text' })).toMatchObject({ word: 'not_found' });
    expect(await system.fail('reg_read', { path: `${path}\\Nothing` })).toMatchObject({ word: 'not_found' });
  });

  it('has two views', { timeout: 400_000 }, async () => {
    await open({ registry: { run } });
    const at = String.raw`HKLM\Software\Lore`;
    for (const view of ['32', '64']) {
      await system.call('reg_write', { path: `reg${view}:${at}`, name: 'view', type: 'REG_SZ', value: view });
    }
    for (const view of ['32', '64']) {
      expect(await system.call('reg_read', { path: `reg${view}:${at}`, name: 'view' })).toMatchObject({
        values: [{ value: view }],
      });
    }
  });
});

describe("Windows' registry, recorded", () => {
  it('reads what reg.exe prints, values with line ends included', async () => {
    const said = [
      '',
      'HKEY_CURRENT_USER\\Software\\Lore',
      '    (Default)    REG_SZ    first',
      '    Big    REG_QWORD    0xffffffffffffffff',
      '    Two  words    REG_DWORD    0x10',
      '    Empty    REG_SZ    ',
      '    Nothing    REG_NONE',
      '',
      'HKEY_CURRENT_USER\\Software\\Lore\\Sub key',
      '',
    ].join('\r\n');
    const one = '\r\nHKEY_CURRENT_USER\\Software\\Lore\r\n    A    REG_SZ    x\r\n    Fake    REG_SZ    y\r\n\r\n';
    const keys = '\r\nHKEY_CURRENT_USER\\AppEvents\r\nHKEY_CURRENT_USER\\Console\r\n';
    const { run } = record({ 'query HKCU\\Software\\Lore': said, 'query HKCU\\Other': one, 'query HKCU': keys });
    await open({ registry: { run } });
    expect(await system.call('reg_read', { path: 'HKCU' })).toMatchObject({
      values: [],
      keys: ['AppEvents', 'Console'],
    });
    expect(await system.call('reg_read', { path: 'HKCU\\Software\\Lore' })).toMatchObject({
      values: [
        { name: '', type: 'REG_SZ', value: 'first' },
        { name: 'Big', type: 'REG_QWORD', value: '18446744073709551615' },
        { name: 'Two  words', type: 'REG_DWORD', value: 16 },
        { name: 'Empty', type: 'REG_SZ', value: '' },
        { name: 'Nothing', type: 'REG_NONE', value: '' },
      ],
      keys: ['Sub key'],
    });
    expect(await system.call('reg_read', { path: 'HKCU\\Other', name: 'A' })).toMatchObject({
      values: [{ name: 'A', value: 'x\n    Fake    REG_SZ    y' }],
    });
  });

  it.each([
    ['REG_DWORD', -1],
    ['REG_DWORD', 4_294_967_296],
    ['REG_DWORD', '0x10'],
    ['REG_DWORD', 1.5],
    ['REG_QWORD', '18446744073709551616'],
    ['REG_MULTI_SZ', 'text'],
    ['REG_MULTI_SZ', ['a\\0b']],
    ['REG_BINARY', 'abc'],
    ['REG_BINARY', '/f'],
    ['REG_SZ', 'a\0b'],
    ['REG_SZ', 7],
    ['REG_LINK', 'x'],
  ])('refuses %s %j', async (type, value) => {
    const { run, asked } = record({});
    await open({ registry: { run } });
    expect((await system.fail('reg_write', { path: 'HKCU\\A', name: 'n', type, value })).word).toBe('invalid_input');
    expect(asked.filter(([, verb]) => verb === 'add')).toEqual([]);
  });
});
