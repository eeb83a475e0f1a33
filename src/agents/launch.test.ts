// Which command is written, and which ones are known again as ours.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/support/folder.ts';
import { callsOurHook, describeLaunch, describePortable, startsOurServer, writeCommandLine } from './launch.ts';

describe('the command that is written', () => {
  const script = realpathSync(import.meta.filename ?? new URL(import.meta.url).pathname);
  const real = realpathSync(process.execPath);

  it('is the current Node and script', () => {
    expect(describeLaunch({ execPath: real, invoked: script, script, env: {} })).toEqual({
      command: real,
      args: [script],
    });
  });

  it('is npx if it installed us from the registry, and never for a package from elsewhere', () => {
    const folder = join(createFolder('npm'), '_npx', '1234');
    const cached = join(folder, 'node_modules', 'lorekeeper', 'bin', 'lore.cjs');
    mkdirSync(folder, { recursive: true });
    const describe = (dependencies: object) => {
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies }));
      const { command } = describeLaunch({ execPath: real, invoked: cached, script: cached, env: {} });
      return [command, describePortable(cached).command];
    };
    expect(describe({ lorekeeper: '^0.1.0' })).toEqual(['npx', 'npx']);
    for (const spec of ['file:../../lorekeeper-0.1.0.tgz', 'github:someone/lorekeeper', 'https://example.org/x.tgz']) {
      expect(describe({ lorekeeper: spec })).toEqual([real, 'lore']);
    }
    expect(describe({})).toEqual([real, 'lore']);
    expect(describePortable(script)).toEqual({ command: 'lore', args: [] });
  });

  it('resolves links that exist for one shell only', () => {
    const invoked = '/run/user/1000/fnm_multishells/12/bin/lore';
    expect(
      describeLaunch({ execPath: real, invoked, script, env: { PATH: '/run/user/1000/fnm_multishells/12/bin' } }),
    ).toEqual({ command: real, args: [script] });
  });

  it.each([
    ['linux', undefined, "/usr/bin/node '/opt/a b/lore.cjs' hook Stop"],
    ['darwin', undefined, "/usr/bin/node '/opt/a b/lore.cjs' hook Stop"],
  ] as const)('is quoted for %s', (platform, shell, line) => {
    expect(writeCommandLine(['/usr/bin/node', '/opt/a b/lore.cjs', 'hook', 'Stop'], platform, shell)).toBe(line);
  });

  it('is quoted for the shells of Windows', () => {
    const words = ['C:\\Program Files\\nodejs\\node.exe', 'C:\\npm\\lore.cjs', 'hook', 'stop'];
    const line = '"C:/Program Files/nodejs/node.exe" C:/npm/lore.cjs hook stop';
    expect(writeCommandLine(words, 'win32')).toBe(line);
    expect(writeCommandLine(words, 'win32', 'powershell')).toBe(`& ${line}`);
    expect(writeCommandLine(words.slice(1), 'win32', 'powershell')).toBe('C:/npm/lore.cjs hook stop');
  });
});

describe('our own', () => {
  it.each([
    [['lore', 'stdio'], true],
    [['node', '/opt/lorekeeper/bin/lore.cjs', 'stdio'], true],
    [['npx', '-y', 'lorekeeper@1.2.3', 'stdio'], true],
    [['C:\\npm\\lore.cmd', 'stdio'], true],
    [['/usr/local/bin/lorekeeper', 'stdio'], true],
    [['folklore', 'stdio'], false],
    [['npx', '-y', 'lorekeeper-clone', 'stdio'], false],
    [['lore', 'serve'], false],
    [[undefined, 1, 'stdio'], false],
  ])('server %j: %s', (words, known) => {
    expect(startsOurServer(words)).toBe(known);
  });

  it.each([
    ['/usr/bin/node /opt/lore.cjs hook Stop', true],
    ['"C:/Program Files/nodejs/node.exe" "C:/a b/lore.cjs" hook stop', true],
    ["'/opt/a b/lore.cjs' hook Stop", true],
    ['npx -y lorekeeper@2 hook Stop', true],
    ['lore hook Stop || true', true],
    ['folklore hook Stop', false],
    ['lore call status', false],
    ['echo lore', false],
    [undefined, false],
  ])('hook %j: %s', (line, known) => {
    expect(callsOurHook(line)).toBe(known);
  });
});
