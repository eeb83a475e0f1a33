// Attempts to get out while things move: programs that a project brings along, that lie, flood or hang, and folders that
// turn into links while they are searched.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFinders } from '../../src/services/system/fs/candidates.ts';
import { prepareBreakOut, secretName, secretText } from '../support/break-out.ts';
import { createFolder } from '../support/folder.ts';
import { isAlive } from '../support/process.ts';

describe('programs', () => {
  function plant(folder: string, name: string, script: string): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }

  it('inside a project are not run, whatever PATH says', async () => {
    const other = await prepareBreakOut();
    const bin = join(other.project, 'node_modules', '.bin');
    const touched = join(other.folder, 'touched');
    for (const name of ['rg', 'plocate']) plant(bin, name, `touch ${touched}`);
    const linked = join(other.folder, 'linked');
    mkdirSync(linked);
    symlinkSync(join(bin, 'rg'), join(linked, 'rg'));
    const finders = createFinders({ path: [bin, '.', 'node_modules/.bin', '', linked].join(':') });
    const around = { roots: [other.project], signal: new AbortController().signal, timeoutMs: 5_000 };
    expect(await finders.texts('x', other.project, around)).toBeUndefined();
    expect(await finders.names(['x'], other.project, around)).toBeUndefined();
    expect(existsSync(touched)).toBe(false);
    await other.close();
  });

  async function openWith(script: string) {
    const bin = createFolder('bin');
    plant(bin, 'rg', script);
    const finders = createFinders({ path: bin });
    const searchTimes = { walkMs: 400, wholeMs: 60_000 };
    const opened = await prepareBreakOut({ files: { finders, searchTimes } });
    writeFileSync(join(opened.project, 'own.txt'), 'wanted');
    return { opened, bin };
  }

  it('with endless output are stopped, and their output is ignored', async () => {
    const { opened } = await openWith(`while :; do printf '../outside/${secretName}\\0/etc/passwd\\0own.txt\\0'; done`);
    const { files } = await opened.call('fs_search', { content: 'wanted' });
    expect(files).toMatchObject([{ path: 'own.txt' }]);
    await opened.close();
  });

  it('with wrong output are not trusted', async () => {
    const lies = [
      `../outside/${secretName}`,
      `folder-out/${secretName}`,
      '/etc/passwd',
      'sub/plain.txt',
      'config.json',
      'loop',
      '',
    ];
    const { opened } = await openWith(`printf '${lies.join('\\0')}\\0own.txt\\0'`);
    for (const content of ['wanted', secretText, 'root']) {
      const found = await opened.call('fs_search', { content });
      expect((found.files as { path: string }[]).map(({ path }) => path)).toEqual(
        content === 'wanted' ? ['own.txt'] : [],
      );
    }
    await opened.close();
  });

  it('that hang are stopped with their children when the call ends', async () => {
    const { opened, bin } = await openWith('sleep 1000 & echo $! > "$(dirname "$0")/pid"; wait');
    const controller = new AbortController();
    const call = opened.call('fs_search', { content: 'wanted' }, { signal: controller.signal });
    const pidFile = join(bin, 'pid');
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').trim() !== '').toBe(true);
    controller.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    const pid = readFileSync(pidFile, 'utf8').trim();
    await expect.poll(() => isAlive(Number(pid))).toBe(false);
    expect(await opened.audited()).toMatchObject([{ tool: 'fs_search', outcome: 'cancelled' }]);
    await opened.close();
  });

  it('that fail are replaced by the built-in search', async () => {
    const { opened } = await openWith('exit 3');
    expect(await opened.call('fs_search', { content: 'wanted' })).toMatchObject({ files: [{ path: 'own.txt' }] });
    await opened.close();
  });
});

describe('races', () => {
  it('a folder that becomes a link during a search shows nothing', async () => {
    const other = await prepareBreakOut();
    const target = join(other.project, 'turning');
    const program = `
      const { mkdirSync, renameSync, symlinkSync, writeFileSync } = require('node:fs');
      const [folder, outside] = process.argv.slice(1);
      mkdirSync(folder + '-real'); writeFileSync(folder + '-real/inside.txt', 'inside');
      symlinkSync(outside, folder + '-link');
      process.stdout.write('ready');
      for (;;) {
        renameSync(folder + '-real', folder); renameSync(folder, folder + '-real');
        renameSync(folder + '-link', folder); renameSync(folder, folder + '-link');
      }`;
    const child = spawn(process.execPath, ['-e', program, target, other.outside], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    let inside = 0;
    try {
      for (let round = 0; round < 150; round++) {
        const calls = [
          other.call('fs_search', { name: '*.txt' }),
          other.call('fs_search', { content: 'secret' }),
          other.call('fs_stat', { path: `turning/${secretName}` }),
          other.call('fs_search', { path: 'turning' }),
        ];
        const said = (await Promise.allSettled(calls)).map((one) =>
          one.status === 'fulfilled' ? JSON.stringify(one.value) : '',
        );
        for (const text of said) {
          expect(text).not.toContain(secretName);
          expect(text).not.toContain(secretText);
        }
        if (said.join('').includes('inside.txt')) inside++;
      }
    } finally {
      child.kill('SIGKILL');
    }
    expect(inside).toBeGreaterThan(0);
    await other.close();
  });
});
