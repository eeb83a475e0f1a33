// A lock of all processes: one holder at a time, dead ones are ignored.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../test/support/folder.ts';
import { withFileLock } from './file-lock.ts';

describe('a file lock', () => {
  it('lets one holder work at a time, and ignores dead ones', async () => {
    const path = join(createFolder('lock'), 'lock');
    // No process has this number.
    writeFileSync(path, `4194305 ${hostname()}`);
    let working = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++working);
      await new Promise((resolve) => setImmediate(resolve));
      working--;
    };
    await Promise.all([1, 2, 3].map(() => withFileLock(path, undefined, work)));
    expect(most).toBe(1);
    expect(existsSync(path)).toBe(false);
  });

  it('is not released by a holder that lost it', async () => {
    const path = join(createFolder('lock'), 'lock');
    await withFileLock(path, undefined, async () => writeFileSync(path, 'of another process'));
    expect(readFileSync(path, 'utf8')).toBe('of another process');
  });

  it('ends with its work, also when that fails', async () => {
    const path = join(createFolder('lock'), 'lock');
    await expect(withFileLock(path, undefined, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(existsSync(path)).toBe(false);
  });
});
