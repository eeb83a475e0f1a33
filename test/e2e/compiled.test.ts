// What was compiled is kept for the next start, on versions of Node that do not do so themselves.
import { existsSync, readdirSync } from 'node:fs';
import Module from 'node:module';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runLore, spawnLore } from '../support/lore.ts';

const keepsItself = 'enableCompileCache' in Module;

/** What is kept, without the version it is of. */
function listKept(home: string): string[] {
  const folder = join(home, '.cache/lorekeeper');
  return existsSync(folder) ? readdirSync(folder).map((name) => name.replace(/@.*$/, '')) : [];
}

describe.skipIf(keepsItself || process.platform === 'win32')('compiled code', () => {
  it('is cached once, separately for hooks', async () => {
    const home = createFolder('compiled');
    for (const command of ['version', 'version']) await runLore([command], { env: { HOME: home, XDG_CACHE_HOME: '' } });
    expect(listKept(home)).toEqual([expect.stringMatching(/-dist-\w+-any$/)]);
    await runLore(['hook', 'UserPromptSubmit'], { env: { HOME: home, XDG_CACHE_HOME: '' }, input: '{"prompt":"x"}' });
    const kept = listKept(home);
    expect(kept.filter((name) => name.endsWith('-any'))).toHaveLength(1);
    expect(kept.filter((name) => name.endsWith('-hook'))).toHaveLength(kept.length - 1);
    expect(kept.length).toBeGreaterThan(1);
  });

  it.each([['stdio'], ['serve', '--port', '0']])(
    'is cached by lore %s, even if it is killed',
    async (name, ...rest) => {
      const home = createFolder('compiled');
      const child = spawnLore([name, ...rest], { HOME: home, XDG_CACHE_HOME: '' });
      onTestFinished(() => void child.kill('SIGKILL'));
      const own = expect.stringMatching(new RegExp(`-${name}$`));
      await expect.poll(() => listKept(home)).toEqual(name === 'stdio' ? [own] : [own, own]);
      expect(child.exitCode).toBeNull();
    },
  );
});
