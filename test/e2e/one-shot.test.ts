// Commands that do one thing and end: they leave no work behind that looks as if it were running, and end quietly when
// nobody reads their output any more.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { root } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';
import { finish, runLore, spawnLore } from '../support/lore.ts';
import { StdioClient } from '../support/stdio-client.ts';

function createPlace() {
  const folder = createFolder('one-shot');
  mkdirSync(join(folder, 'src'));
  for (let n = 0; n < 40; n++)
    writeFileSync(join(folder, 'src', `feed${n}.ts`), `/** Feeds walrus ${n}. */\nexport function feed${n}() {}\n`);
  const env = { LORE_DB: join(folder, 'lore.db'), LORE_CONFIG: join(folder, 'none.json') };
  const lore = async (...args: string[]) => {
    const { code, stdout, stderr } = await runLore(args, { env, cwd: folder });
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
    return stdout;
  };
  return { folder, env, lore };
}

describe('a command that searches an index', () => {
  it('leaves the index complete and no operation open', async () => {
    const { lore } = createPlace();
    await lore('index_repository');
    for (let round = 0; round < 3; round++) {
      const { index, files } = JSON.parse(
        await lore('search_code', 'who feeds walrus 7?', '--mode', 'semantic', '--json'),
      );
      expect(index).toBe('complete');
      expect(files[0].path).toBe('src/feed7.ts');
    }
    const { operations } = JSON.parse(await lore('status', '--json'));
    expect(operations.map(({ kind, state }: { kind: string; state: string }) => `${kind} ${state}`)).toEqual([
      'index done',
    ]);
  });

  it('lets a server refresh the index, which stays complete meanwhile', async () => {
    const { lore, env, folder } = createPlace();
    await lore('index_repository');
    writeFileSync(join(folder, 'src', 'sleep.ts'), '/** Where the walrus sleeps. */\nexport function sleep() {}\n');
    const child = spawnLore(['stdio', '--structured'], env, folder);
    onTestFinished(() => void child.kill('SIGKILL'));
    const server = new StdioClient({ child, log: () => '', stop: async () => null });
    const search = async () => {
      const args = { query: 'where does the walrus sleep?', mode: 'semantic' };
      const { result } = await server.request('tools/call', { name: 'search_code', arguments: args });
      return result?.structuredContent as { index: string; files: { path: string }[] };
    };
    await expect
      .poll(async () => {
        const { index, files } = await search();
        expect(index).toBe('complete');
        return files[0]?.path;
      })
      .toBe('src/sleep.ts');
  });

  it('leaves operations of other processes to servers', async () => {
    const { lore } = createPlace();
    await lore('learn', 'The walrus of pen 7 is called Wally.', '--detach');
    const { operations } = JSON.parse(await lore('status', '--json'));
    expect(operations).toMatchObject([{ kind: 'learn', state: expect.stringMatching(/^(?:queued|done)$/) }]);
  });
});

describe.skipIf(process.platform === 'win32')('a command whose reader has left', () => {
  it.each(['export', 'tools --json', 'config', 'help'])('ends quietly: lore %s | head -1', async (command) => {
    const { env, folder, lore } = createPlace();
    await lore('remember', `The walrus ${'eats fish, '.repeat(9_000)}and sleeps.`);
    const bin = `'${process.execPath}' '${join(root, 'bin/lore.cjs')}'`;
    const script = `{ ${bin} ${command}; echo "status $?" >&2; } | head -c 1`;
    const child = spawn('sh', ['-c', script], { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env } });
    const { stdout, stderr } = await finish(child);
    expect(stdout).toHaveLength(1);
    expect(stderr).toBe('status 0\n');
  });
});
