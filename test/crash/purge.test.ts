// Purging survives a kill at any moment: whoever is asked to finish leaves no byte of the text, in the database and its backup.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { sql } from '../../src/store/sql.ts';
import { writeMemories } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { finish, runLore, spawnLore } from '../support/lore.ts';

const kills = Number(process.env.CRASH_KILLS ?? 2);
const secret = 'zqxlamp';

describe('a purge that is killed', () => {
  it('is finished by the next', { timeout: 60_000 * (kills + 1) }, async () => {
    const folder = createFolder('project');
    const env = { LORE_DB: join(folder, 'lore.db') };
    const lore = (...args: string[]) => runLore(args, { env, cwd: folder });
    await writeMemories(env.LORE_DB, 3_000);
    for (let n = 0; n < kills; n++) {
      const store = await openStore(env.LORE_DB);
      await lore('remember', `The ${secret} number ${n} is green.`);
      if (n === 0) await lore('backup', join(folder, 'backup.db'));
      const jobs = async () => (await store.all(sql`select id from operation where kind = 'purge'`)).length;
      const before = await jobs();
      const child = spawnLore(['purge', secret, '--yes'], env, folder);
      const ended = finish(child);
      await expect.poll(jobs, { interval: 1 }).toBeGreaterThan(before);
      // A little later each time.
      for (let step = 0; step < n * 20; step++) await jobs();
      child.kill('SIGKILL');
      await ended;
      // The time for which the dead one held it is over.
      await store.run(sql`update operation set held_until = 0 where kind = 'purge'`);
      await store.run(sql`update lease set until = 0`);
      await store.close();
      expect(await lore('purge', '--finish')).toMatchObject({ code: 0 });
      expect(filesWith(secret, folder)).toEqual([]);
    }
  });
});

/** In another process: to read a file here that is open as a database would drop the locks on it. */
function filesWith(text: string, folder: string): string[] {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const program = `for (const file of process.argv.slice(2))
    if (require('node:fs').readFileSync(file, 'latin1').toLowerCase().includes(process.argv[1])) console.log(file)`;
  const { stdout } = spawnSync(process.execPath, ['-e', program, text, ...files], { encoding: 'utf8' });
  return stdout.split('\n').filter((line) => line !== '');
}
