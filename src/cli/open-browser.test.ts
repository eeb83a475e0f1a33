// The browser gets the address, outlives the program that starts it, and is not started without a screen.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../test/support/folder.ts';
import { openBrowser } from './open-browser.ts';

it.runIf(process.platform === 'linux')('a browser: is started on a screen, and nowhere else (xdg-open)', async () => {
  const folder = createFolder('browser');
  const opened = join(folder, 'opened');
  // As xdg-open does: it ends before the browser.
  const program = `#!/bin/sh\n(while kill -0 $$ 2>/dev/null; do :; done; echo "$1" > "${opened}") &\n`;
  writeFileSync(join(folder, 'xdg-open'), program);
  chmodSync(join(folder, 'xdg-open'), 0o755);
  const env = { PATH: `${folder}:${process.env.PATH}` };
  await openBrowser('https://a.example/', env);
  await openBrowser('https://b.example/', { ...env, DISPLAY: ':0', SSH_CONNECTION: 'x' });
  await openBrowser('https://c.example/?a=b&c', { ...env, DISPLAY: ':0' });
  await expect.poll(() => existsSync(opened) && readFileSync(opened, 'utf8')).toBe('https://c.example/?a=b&c\n');
});
