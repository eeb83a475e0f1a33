// A disk that fills up while the graph is written: nothing acknowledged is lost, and it goes on when there is room.
import { describe, expect, it } from 'vitest';
import { bundle } from '../support/bundle.ts';
import { createFolder } from '../support/folder.ts';
import { finish } from '../support/lore.ts';
import { canMount, mountDisk, spawnAmongMounts } from '../support/mounts.ts';

describe.skipIf(!canMount)('a full disk', () => {
  it('refuses writes, serves reads, and accepts writes again when there is space', {
    timeout: 120_000,
  }, async () => {
    const program = await bundle('test/crash/full-disk.ts', { format: 'esm', packages: 'external' });
    const folder = createFolder('full');
    const disk = mountDisk(folder, 6_000_000);
    const { code, stdout, stderr } = await finish(spawnAmongMounts([disk], [process.execPath, program, folder]));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { refusals, whileFull, found, afterRoom, reopened } = JSON.parse(stdout);
    for (const refusal of refusals) {
      expect(refusal).toEqual({
        word: 'unavailable',
        message: `Cannot use database "${folder}/lore.db": the disk is full`,
        hint: 'Free some space; no acknowledged write was lost.',
      });
    }
    expect(whileFull.acknowledged).toBeGreaterThan(0);
    expect(whileFull.kept).toBe(whileFull.acknowledged);
    expect(found).toBeGreaterThan(0);
    expect(afterRoom.acknowledged).toBeGreaterThan(whileFull.acknowledged);
    expect(afterRoom.kept).toBe(afterRoom.acknowledged);
    expect(reopened).toEqual({ kept: afterRoom.acknowledged, check: { integrity_check: 'ok' } });
  });
});
