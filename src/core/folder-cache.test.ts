// A folder is read again when one of its files was replaced, added or removed, and only then.
import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../test/support/folder.ts';
import { FolderCache } from './folder-cache.ts';

/** The folder is asked again. */
async function becomeStale(): Promise<void> {
  const until = performance.now() + 5;
  while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
}

it('a folder cache: reads again after a change, and not without one', async () => {
  const folder = createFolder('cache');
  let reads = 0;
  const cache = new FolderCache(folder, () => ++reads, 0);
  /** As if the last change was long ago. */
  const settle = (seconds: number) => utimesSync(folder, seconds, seconds);
  settle(1_000);
  expect([cache.get(), cache.get()]).toEqual([1, 1]);
  await becomeStale();
  expect(cache.get()).toBe(1);
  writeFileSync(join(folder, 'draft'), 'a');
  renameSync(join(folder, 'draft'), join(folder, 'file'));
  await becomeStale();
  // Right after a change there may be another one of the same time.
  expect([cache.get(), cache.get()]).toEqual([2, 3]);
  settle(2_000);
  expect([cache.get(), cache.get()]).toEqual([4, 4]);
  cache.clear();
  expect(cache.get()).toBe(5);
  rmSync(folder, { recursive: true });
  await becomeStale();
  expect(cache.get()).toBe(0);
});
