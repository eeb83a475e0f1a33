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
    for (const command of ['version', 'config', 'version'])
      await runLore([command], { env: { HOME: home, XDG_CACHE_HOME: '' } });
    expect(listKept(home)).toEqual([expect.stringMatching(/-dist-\w+-any$/)]);
    await runLore(['hook', 'UserPromptSubmit'], { env: { HOME: home, XDG_CACHE_HOME: '' }, input: '{"prompt":"x"}' });
    const kept = listKept(home);
    expect(kept.filter((name) => name.endsWith('-any'))).toHaveLength(1);
    expect(kept.filter((name) => name.endsWith('-hook'))).toHaveLength(kept.length - 1);
    expect(kept.length).toBeGreaterThan(1);
  });

  it('is cached by a server that is killed', async () => {
    const home = createFolder('compiled');
    const child = spawnLore(['stdio'], { HOME: home, XDG_CACHE_HOME: '' });
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect.poll(() => listKept(home)).toEqual([expect.stringMatching(/-stdio$/)]);
    expect(child.exitCode).toBeNull();
  });
});
