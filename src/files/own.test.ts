// What tools that read files never see.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../../test/support/folder.ts';
import { isOwnFile, ownFolders, protectOwnFiles } from './own.ts';

it('folders beside a database are hidden with all that is in them, and nothing else there is', () => {
  const folder = createFolder('data');
  mkdirSync(join(folder, 'gateway/run'), { recursive: true });
  protectOwnFiles({ settingsFile: join(folder, 'config.json'), location: join(folder, 'lore.db') });
  for (const name of ownFolders) {
    for (const path of [name, join(name, 'a.key'), join(name, 'run/deep/a.key')])
      expect(isOwnFile(join(folder, path)), path).toBe(true);
  }
  for (const name of ['config.json', 'lore.db', 'lore.db-wal', 'audit-1.log'])
    expect(isOwnFile(join(folder, name)), name).toBe(true);
  for (const name of ['src', 'forge.ts', 'syncing/a.ts', 'src/sync/a.ts'])
    expect(isOwnFile(join(folder, name)), name).toBe(false);
});
