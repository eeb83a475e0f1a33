// lore service install, with a service manager that does what the unit says.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

/** Notes its arguments; "restart" starts the unit's command in a session of its own, "disable" ends it. */
const manager = `#!/bin/sh
folder=$(dirname "$0")
echo "$@" >> "$folder/called"
case "$2" in
restart)
  command=$(sed -n 's/^ExecStart=//p' "$HOME/.config/systemd/user/lorekeeper.service")
  setsid sh -c "echo \\$\\$ > '$folder/pid'; exec $command" > /dev/null 2>&1 &
  until [ -s "$folder/pid" ]; do :; done ;;
disable) kill "$(cat "$folder/pid")" ;;
esac
`;

it.runIf(process.platform === 'linux')('runs the server in the background until it is uninstalled', async () => {
  const home = createFolder('home');
  const programs = createFolder('programs');
  writeFileSync(join(programs, 'systemctl'), manager);
  chmodSync(join(programs, 'systemctl'), 0o755);
  const port = String(await findPort());
  const env = {
    HOME: home,
    PATH: `${programs}${delimiter}${process.env.PATH}`,
    LORE_DB: join(home, 'lore.db'),
    LORE_TOKEN: 'hunter2hunter2',
  };
  const lore = (...args: string[]) => runLore(['service', ...args, '--port', port], { env });
  onTestFinished(() => void lore('uninstall'));
  const file = join(home, '.config/systemd/user/lorekeeper.service');

  const printed = await lore('install', '--print');
  expect(printed.stdout).toContain(`Environment="LORE_DB=${env.LORE_DB}"`);
  expect(printed.stderr).toMatch('secret: LORE_TOKEN');
  expect(existsSync(file)).toBe(false);

  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, 'an earlier unit', { mode: 0o644 });
  expect(await lore('install')).toMatchObject({ code: 0, stdout: expect.stringContaining(`:${port}/mcp`) });
  expect(readFileSync(file, 'utf8')).not.toContain('hunter2');
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(await lore('status')).toMatchObject({ code: 0 });

  expect(await lore('uninstall')).toMatchObject({ code: 0 });
  expect(existsSync(file)).toBe(false);
  expect(readFileSync(join(programs, 'called'), 'utf8').trim().split('\n')).toEqual([
    '--user daemon-reload',
    '--user enable lorekeeper.service',
    '--user restart lorekeeper.service',
    '--user disable --now lorekeeper.service',
    '--user daemon-reload',
  ]);
});

it.runIf(process.platform === 'linux')('says so if there is no service manager', async () => {
  const env = { HOME: createFolder('home'), PATH: createFolder('empty') };
  const { code, stderr } = await runLore(['service', 'install'], { env });
  expect([code, stderr]).toEqual([8, expect.stringMatching(/systemctl/)]);
});

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
