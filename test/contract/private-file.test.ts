// Files with stored data can be read by their owner only, from the first byte.
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openAuditFile } from '../../src/store/audit/file.ts';
import { sql } from '../../src/store/sql.ts';
import { openSqlite } from '../../src/store/sqlite/sqlite.ts';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;
const modesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));

describe.skipIf(process.platform === 'win32')('files of the installation', () => {
  const usual = process.umask();
  afterEach(() => process.umask(usual));

  it.each([0o000, 0o022])('database and audit log are private under umask %o', async (umask) => {
    const folder = createFolder('private');
    process.umask(umask);
    const store = await openSqlite(join(folder, 'lore.db'));
    await store.run(sql`create table t (id text)`);
    const audit = openAuditFile(folder);
    await audit.append({ caller: 'local', folder: '/', tool: 't', outcome: 'ok' });
    process.umask(usual);
    const modes = modesIn(folder);
    await audit.close();
    await store.close();
    expect(Object.keys(modes)).toEqual(expect.arrayContaining(['lore.db', 'lore.db-wal', 'lore.db-shm', 'audit.lock']));
    for (const [name, mode] of Object.entries(modes)) expect(mode & 0o077, name).toBe(0);
  });

  it('a readable database of earlier versions becomes private, a shared one does not', async () => {
    const folder = createFolder('private');
    for (const [name, mode, expected] of [
      ['old.db', 0o644, 0o600],
      ['shared.db', 0o660, 0o660],
    ] as const) {
      const path = join(folder, name);
      await (await openSqlite(path)).close();
      chmodSync(path, mode);
      await (await openSqlite(path)).close();
      expect(modeOf(path), name).toBe(expected);
    }
  });

  it('backups and exports are private, also over a file that was not', async () => {
    const folder = createFolder('private');
    const project = join(folder, 'project');
    mkdirSync(project);
    const env = { LORE_CONFIG: join(folder, 'config.json'), LORE_DB: join(folder, 'lore.db'), HOME: folder };
    const lore = (...args: string[]) => runLore(args, { env, cwd: project });
    await lore('remember', 'The vault is on the third floor.');
    writeFileSync(join(folder, 'old.jsonl'), '', { mode: 0o644 });
    for (const args of [
      ['backup', join(folder, 'copy.db')],
      ['export', join(folder, 'new.jsonl')],
      ['export', join(folder, 'old.jsonl'), '--force'],
    ]) {
      expect(await lore(...args)).toMatchObject({ code: 0 });
      expect(modeOf(args[1] as string)).toBe(0o600);
    }
  });
});
