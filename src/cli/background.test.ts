// The definitions of the background service on each system.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/support/folder.ts';
import { describeBackground } from './background.ts';

const background = {
  home: '/home/ana',
  env: {},
  words: ['/usr/bin/node', '/opt/a b/100%/$x/"lore".cjs', 'serve', '--port', '9090'],
  variables: { LORE_DB: '/data/<50%> & "more".db' },
  uid: 501,
};

describe('the background service', () => {
  it('is a systemd unit on Linux', () => {
    const { file, start } = describeBackground({ ...background, platform: 'linux' });
    expect(file?.path).toBe('/home/ana/.config/systemd/user/lorekeeper.service');
    expect(file?.text).toContain(
      String.raw`ExecStart="/usr/bin/node" "/opt/a b/100%%/$$x/\"lore\".cjs" "serve" "--port" "9090"`,
    );
    expect(file?.text).toContain(String.raw`Environment="LORE_DB=/data/<50%%> & \"more\".db"`);
    expect(start.at(-1)).toEqual(['systemctl', '--user', 'restart', 'lorekeeper.service']);
  });

  it('is a unit to which a value with line breaks adds no line', () => {
    const variables = { LORE_ROOTS: '/a\nExecStartPre=/bin/touch b' };
    const { file } = describeBackground({ ...background, variables, platform: 'linux' });
    expect(file?.text).toContain(String.raw`Environment="LORE_ROOTS=/a\x0aExecStartPre=/bin/touch b"`);
  });

  it.runIf(hasProgram('systemd-analyze'))('is a unit that systemd accepts', () => {
    const words = [process.execPath, ...background.words.slice(1)];
    const { file } = describeBackground({ ...background, words, platform: 'linux' });
    const path = join(createFolder('unit'), 'lorekeeper.service');
    writeFileSync(path, file?.text ?? '');
    expect(execFileSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
  });

  it('is an agent of launchd on macOS', () => {
    const { file, stop } = describeBackground({ ...background, platform: 'darwin' });
    expect(file?.path).toMatch(/Library.LaunchAgents.io\.github\.lorekeeper\.plist$/);
    expect(file?.text).toContain('<string>/opt/a b/100%/$x/"lore".cjs</string><string>serve</string>');
    expect(file?.text).toContain('<key>LORE_DB</key><string>/data/&lt;50%&gt; &amp; "more".db</string>');
    expect(stop).toEqual([['launchctl', 'bootout', 'gui/501/io.github.lorekeeper']]);
  });

  it('is a task on Windows', () => {
    const words = ['C:\\Program Files\\nodejs\\node.exe', 'C:\\npm\\lore.cjs', 'serve'];
    expect(describeBackground({ ...background, words, platform: 'win32' }).start[0]).toContain(
      '"C:\\Program Files\\nodejs\\node.exe" "C:\\npm\\lore.cjs" "serve"',
    );
  });

  it('is unknown elsewhere', () => {
    expect(() => describeBackground({ ...background, platform: 'aix' })).toThrow('Cannot install a service on aix');
  });
});

function hasProgram(name: string): boolean {
  try {
    execFileSync(name, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
