// Real histories as input: the commits of public repositories as the memories of a team, and public conversations as the memories
// of one person on two machines. In the end all devices have the same, and answer the same.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolders } from '../../test/support/folder.ts';
import { readConversations } from '../quality/locomo-data.ts';
import { runMachines } from './machines.ts';
import { runTeam } from './team.ts';

const repositories = ['django/django', 'sympy/sympy'];

/** `clones` has bare copies of public repositories, as `owner+name/repo`. */
export async function run({ count = 1_500, clones, root }: { count?: number; clones: string; root: string }) {
  const results: Record<string, { failed: number } | string> = {};
  for (const name of repositories) {
    const copy = join(clones, name.replace('/', '+'), 'repo');
    results[name] = existsSync(copy) ? await runTeam(copy, count) : `skipped: there is no copy of it in "${clones}"`;
  }
  const data = join(root, '../shared/data');
  results.LoCoMo = existsSync(join(data, 'locomo'))
    ? await runMachines(['tune', 'report'].flatMap((split) => readConversations(data, split)))
    : 'skipped: there is no ../shared/data/locomo';
  removeFolders();
  const failed = Object.values(results).reduce((sum, one) => sum + (typeof one === 'string' ? 0 : one.failed), 0);
  return { ...results, failed };
}
