// Recall at the command line: the user's days, tags.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runLore } from '../support/lore.ts';

function createProject(more: Record<string, string> = {}) {
  const cwd = createFolder('project');
  const env = { LORE_DB: join(cwd, 'lore.db'), LORE_CONFIG: join(cwd, 'none.json'), ...more };
  return async (...args: string[]) => (await runLore(args, { env, cwd })).stdout;
}

it('recall: a day is a day of the user’s time zone', async () => {
  // Where the date is another one than that of UTC at this moment.
  const isEarly = new Date().getUTCHours() < 10;
  const [zone, hours, option] = isEarly ? ['Etc/GMT+12', -12, '--until'] : ['Pacific/Kiritimati', 14, '--since'];
  const lore = createProject({ TZ: String(zone) });
  await lore('remember', 'The office has a blue door.');
  const today = new Date(Date.now() + Number(hours) * 3_600_000).toISOString().slice(0, 10);
  expect(await lore('recall', 'office door', String(option), today)).toContain('The office has a blue door.');
  expect(await lore('recall', 'office door', '--since', 'today')).toContain('The office has a blue door.');
  expect(await lore('recall', 'office door', '--until', 'yesterday')).not.toContain('blue');
});

it('recall: filters by tags and prints them', async () => {
  const lore = createProject();
  await lore('remember', 'The office has a blue door.', '--tags', 'building');
  await lore('remember', 'The office has a green roof.');
  const found = await lore('recall', 'office', '--tags', 'building');
  expect(found).toContain('#building');
  expect(found).not.toContain('green');
});

it('recall: ends after a deep ranking, whose threads do not keep the process running', async () => {
  const lore = createProject();
  await lore('remember', 'The office has a blue door.');
  await lore('remember', 'The office has a green roof.');
  expect(await lore('recall', 'Which colour is the door of the office?', '--rank', 'deep')).toContain('blue door');
});
