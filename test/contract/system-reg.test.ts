// reg_read and reg_write: on real desktop settings under a D-Bus session of their own, and for macOS on output written
// down from the public format. Names say which. What a person has to say to a change.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readAddress } from '../../src/services/system/reg/address.ts';
import { readVariant, writeVariant } from '../../src/services/system/reg/gvariant.ts';
import type { Run } from '../../src/services/system/reg/settings-store.ts';
import { createFolder } from '../support/folder.ts';
import { record } from '../support/recorded-run.ts';
import { type Json, openSystem, type System, type SystemOptions } from '../support/system.ts';

const has = (program: string, ...args: string[]) => spawnSync(program, args).error === undefined;
const yes = () => ({ action: 'accept', content: { change: true } });

let system: System;
afterEach(() => system?.close());

async function open(options: SystemOptions = {}): Promise<void> {
  system = await openSystem({ answer: yes, ...options });
}

const hasDesktop = has('dbus-daemon', '--version') && has('dconf', 'help') && hasSchema();

function hasSchema(): boolean {
  return spawnSync('gsettings', ['list-keys', 'org.gnome.desktop.interface']).status === 0;
}

describe.skipIf(!hasDesktop)('real desktop settings in a separate session', () => {
  const kept = { ...process.env };
  const names = ['DBUS_SESSION_BUS_ADDRESS', 'XDG_CONFIG_HOME', 'XDG_RUNTIME_DIR', 'XDG_CACHE_HOME'];
  let bus: ChildProcess;

  beforeAll(async () => {
    const folder = createFolder('session');
    for (const name of names) {
      process.env[name] = join(folder, name);
      mkdirSync(join(folder, name), { mode: 0o700 });
    }
    const { DBUS_SESSION_BUS_ADDRESS: _, ...env } = process.env;
    bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const lines = createInterface({ input: bus.stdout as NodeJS.ReadableStream });
    process.env.DBUS_SESSION_BUS_ADDRESS = (await lines[Symbol.asyncIterator]().next()).value as string;
  });
  afterAll(() => {
    bus?.kill();
    for (const name of names) {
      if (kept[name] === undefined) delete process.env[name];
      else process.env[name] = kept[name];
    }
  });

  const path = 'gsettings:org.gnome.desktop.interface';

  it('reads a schema and one of its keys', async () => {
    await open();
    const { values } = (await system.call('reg_read', { path })) as { values: Json[] };
    expect(values).toContainEqual({ name: 'clock-format', type: 's', value: '24h' });
    expect(values).toContainEqual({ name: 'avatar-directories', type: 'as', value: [] });
    expect(await system.call('reg_read', { path, name: 'clock-show-date' })).toMatchObject({
      values: [{ name: 'clock-show-date', type: 'b', value: true }],
    });
    expect(await system.text('reg_read', { path, name: 'clock-format' })).toBe('clock-format = "24h" (s)');
  });

  it('changes a key after a confirmation with both values, and undoes it', async () => {
    await open();
    const change = { path, name: 'clock-format', type: 's', value: '12h' };
    const done = await system.call('reg_write', change);
    expect(system.questions).toEqual([
      `Change a setting of this machine?\n${path}  clock-format\nnow: "24h" (s)\nthen: "12h" (s)`,
    ]);
    expect(done).toMatchObject({ old: { value: '24h' }, current: { value: '12h' } });
    expect(await system.audited(2)).toMatchObject([
      { tool: 'reg_write', outcome: 'begun', arguments: JSON.stringify(change) },
      { tool: 'reg_write', outcome: 'ok', facts: { old: { value: '24h' }, current: { value: '12h' } } },
    ]);
    expect(await system.call('reg_write', done.undo as object)).toMatchObject({ current: { value: '24h' } });
    expect(await system.call('reg_write', { path, name: 'cursor-size', type: 'i', value: -5 })).toMatchObject({
      current: { value: -5 },
    });
    expect(await system.call('reg_write', { path, name: 'cursor-size', type: 'none' })).toMatchObject({
      current: { value: 24 },
    });
  });

  it.each([
    ['clock-show-date', 'i', 5, 'arguments.type'],
    ['clock-show-date', 'b', 5, 'arguments.value'],
    ['text-scaling-factor', 'd', 99, 'arguments.value'],
    ['clock-format', 's', '13h', 'arguments.value'],
    ['clock-format', 'gvariant', 'true', 'arguments.value'],
    ['clock-format', 'gvariant', '--help', 'arguments.value'],
  ])("leaves %s to its schema's own check of %s %j", async (name, type, value, place) => {
    await open();
    expect(await system.fail('reg_write', { path, name, type, value })).toMatchObject({
      word: 'invalid_input',
      details: { path: place },
    });
  });

  it('reports missing settings', async () => {
    await open();
    const gone = { word: 'not_found' };
    expect(await system.fail('reg_read', { path: 'gsettings:org.nope' })).toMatchObject(gone);
    expect(await system.fail('reg_read', { path, name: 'nope' })).toMatchObject(gone);
    expect(await system.fail('reg_read', { path: 'dconf:/org/lore/', name: 'nope' })).toMatchObject(gone);
    expect(await system.fail('reg_read', { path: 'gsettings:org.gnome.desktop.app-folders.folder' })).toMatchObject({
      word: 'invalid_input',
      hint: 'gsettings:org.gnome.desktop.app-folders.folder:/the/path/',
    });
  });

  it('writes and removes dconf keys of every type', async () => {
    await open();
    const at = 'dconf:/org/lore/test/';
    const values: [string, unknown][] = [
      ['b', true],
      ['s', "it's a \"text\"\nwith 'all' \\ of it \u2028 é 😀"],
      ['s', '--option'],
      ['s', ''],
      ['i', -7],
      ['u', 7],
      ['x', '-9223372036854775808'],
      ['t', '18446744073709551615'],
      ['d', 0.5],
      ['d', 3],
      ['as', ['one', "two's", '']],
      ['as', []],
      ['gvariant', "{'a': <1>}"],
    ];
    for (const [index, [type, value]] of values.entries()) {
      const name = `key${index}`;
      const { current, undo } = await system.call('reg_write', { path: at, name, type, value });
      expect(current).toEqual({ name, type, value });
      expect(undo).toEqual({ path: at, name, type: 'none' });
    }
    const { values: listed } = await system.call('reg_read', { path: at });
    expect(listed).toHaveLength(values.length);
    expect(await system.call('reg_read', { path: 'dconf:/org/lore' })).toMatchObject({ keys: ['test'] });
    expect(await system.fail('reg_write', { path: at, name: 'key0', type: 's', value: 'x' })).toMatchObject({
      details: { path: 'arguments.type', expected: 'b, gvariant' },
    });
    const { old } = await system.call('reg_write', { path: at, name: 'key0', type: 'none' });
    expect(old).toMatchObject({ value: true });
    expect(await system.fail('reg_read', { path: at, name: 'key0' })).toMatchObject({ word: 'not_found' });
  });
});

describe('defaults of macOS, recorded', () => {
  const plist = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>autohide</key>
	<true/>
	<key>a &amp; b</key>
	<string>x &lt;y&gt; &#233;</string>
	<key>tilesize</key>
	<integer>48</integer>
	<key>speed</key>
	<real>0.5</real>
	<key>raw</key>
	<data>
	AP8=
	</data>
	<key>apps</key>
	<array>
		<dict>
			<key>id</key>
			<integer>1</integer>
		</dict>
		<string>two</string>
	</array>
	<key>nothing</key>
	<dict/>
</dict>
</plist>
`;

  it('reads and writes', async () => {
    const { run, asked } = record({
      'export com.apple.dock': plist,
      'write com.apple.dock': '',
      'delete com.apple.dock': '',
    });
    await open({ registry: { run } });
    const path = 'defaults:com.apple.dock';
    expect(await system.call('reg_read', { path })).toMatchObject({
      values: [
        { name: 'autohide', type: 'bool', value: true },
        { name: 'a & b', type: 'string', value: 'x <y> é' },
        { name: 'tilesize', type: 'int', value: 48 },
        { name: 'speed', type: 'float', value: 0.5 },
        { name: 'raw', type: 'data', value: '00ff' },
        { name: 'apps', type: 'array', value: [{ id: 1 }, 'two'] },
        { name: 'nothing', type: 'dict', value: {} },
      ],
    });
    await system.call('reg_write', { path, name: 'tilesize', type: 'int', value: 64 });
    await system.call('reg_write', { path, name: 'tilesize', type: 'none' });
    await system.call('reg_write', { path, name: 'x', type: 'string', value: '-int' });
    expect(asked.filter(([, verb]) => verb !== 'export')).toEqual([
      ['/usr/bin/defaults', 'write', 'com.apple.dock', 'tilesize', '-int', '64'],
      ['/usr/bin/defaults', 'delete', 'com.apple.dock', 'tilesize'],
      ['/usr/bin/defaults', 'write', 'com.apple.dock', 'x', '-string', '-int'],
    ]);
    for (const [type, value] of [
      ['array', ['-int']],
      ['int', '5'],
      ['bool', 'yes'],
      ['dict', {}],
      ['string', 'a\0'],
    ]) {
      expect((await system.fail('reg_write', { path, name: 'y', type, value })).word).toBe('invalid_input');
    }
  });
});

describe('permission to change settings', () => {
  const change = { path: 'HKCU\\A', name: 'n', type: 'REG_SZ', value: 'x' };
  const answers = { 'query HKCU\\A': '\r\nHKEY_CURRENT_USER\\A\r\n    n    REG_SZ    old\r\n', 'add HKCU\\A': '' };

  it('is off for both until a user allows it, and the error explains how', async () => {
    const { run, asked } = record(answers);
    await open({ registry: { run }, permissions: {} });
    expect(await system.fail('reg_read', { path: 'HKCU\\A' })).toMatchObject({
      word: 'forbidden',
      hint: 'A person can allow it: lore allow reg',
    });
    expect(await system.fail('reg_write', change)).toMatchObject({
      word: 'forbidden',
      hint: 'A person can allow it: lore allow reg_write --level write',
    });
    await system.close();
    await open({ registry: { run }, permissions: { reg: 'read' } });
    await system.call('reg_read', { path: 'HKCU\\A' });
    expect((await system.fail('reg_write', change)).word).toBe('forbidden');
    expect(asked.map(([, verb]) => verb)).toEqual(['query']);
  });

  it('does not hide which key is missing', async () => {
    const run = (): Run => async (_program, _args, explain) => {
      throw explain?.('No such key “nope”');
    };
    await open({ registry: { run } });
    const { message, details } = await system.fail('reg_read', { path: 'gsettings:org.a.b', name: 'nope' });
    expect(message).toBe('Cannot find key "nope" of schema "org.a.b": it does not exist');
    expect(details).toMatchObject({ path: 'arguments.name', received: 'nope' });
  });

  it.each<[string, SystemOptions['answer']]>([
    ['declines', () => ({ action: 'decline' })],
    ['cancels', () => ({ action: 'cancel' })],
    ['accepts without a tick', () => ({ action: 'accept', content: { change: false } })],
    ['accepts with another word', () => ({ action: 'accept', content: { change: 'true' } })],
    ['accepts with nothing', () => ({ action: 'accept' })],
    ['cannot be asked', undefined],
  ])('is not given when the person %s', async (_, answer) => {
    const { run, asked } = record(answers);
    system = await openSystem({ registry: { run }, ...(answer && { answer }) });
    expect((await system.fail('reg_write', change)).word).toBe('forbidden');
    expect(asked.some(([, verb]) => verb === 'add')).toBe(false);
    expect(await system.audited()).toMatchObject([{ tool: 'reg_write', outcome: 'forbidden' }]);
  });

  it('is not asked for if a user allowed that', async () => {
    const { run, asked } = record(answers);
    system = await openSystem({ registry: { run }, settings: { unconfirmedTools: () => ['reg_write'] } });
    await system.call('reg_write', change);
    expect(asked.some(([, verb]) => verb === 'add')).toBe(true);
  });

  it('does not apply to a value that changed meanwhile', async () => {
    const { run, asked } = record(answers);
    const answer = () => {
      answers['query HKCU\\A'] = '\r\nHKEY_CURRENT_USER\\A\r\n    n    REG_SZ    another\r\n';
      return yes();
    };
    await open({ registry: { run }, answer });
    expect((await system.fail('reg_write', change)).word).toBe('conflict');
    expect(asked.some(([, verb]) => verb === 'add')).toBe(false);
  });
});

describe('addresses', () => {
  it.each([
    ['HKEY_LOCAL_MACHINE\\Software\\A B\\', { kind: 'reg', key: 'HKLM\\Software\\A B' }],
    ['hkcu', { kind: 'reg', key: 'HKCU' }],
    ['reg32:HKLM\\X', { kind: 'reg', key: 'HKLM\\X', view: '32' }],
    ['gsettings:org.a.b', { kind: 'gsettings', schema: 'org.a.b' }],
    ['gsettings:org.a:/b/c/', { kind: 'gsettings', schema: 'org.a:/b/c/' }],
    ['dconf:/a/profiles:/:b1dc/', { kind: 'dconf', folder: '/a/profiles:/:b1dc/' }],
    ['defaults:NSGlobalDomain', { kind: 'defaults', domain: 'NSGlobalDomain' }],
  ])('%s', (path, address) => expect(readAddress(path)).toEqual(address));
});

describe('GVariant text', () => {
  it.each([
    ["'a\\'b\\\\c\\u00e9\\U0001f600'", 's', "a'b\\cé😀"],
    ['"say \'it\'"', 's', "say 'it'"],
    ["['a', 'b, c']", 'as', ['a', 'b, c']],
    ['uint32 7', 'u', 7],
    ['int64 9223372036854775807', 'x', '9223372036854775807'],
    ['1.0', 'd', 1],
    ["('a', 1)", 'gvariant', "('a', 1)"],
    ["'open", 'gvariant', "'open"],
  ])('%s is %s %j', (text, type, value) => expect(readVariant(text)).toEqual({ type, value }));

  it('is written so that it reads the same', () => {
    for (const value of ['', "'", '\\', '\n\t\u0000\u001f\u2028', 'é😀', "', <'x'>, '"]) {
      expect(readVariant(writeVariant('s', value))).toEqual({ type: 's', value });
      expect(readVariant(writeVariant('as', [value, value]))).toEqual({ type: 'as', value: [value, value] });
    }
  });
});
