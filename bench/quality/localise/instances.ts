// The issue→files sets, and where the history of each repository lies.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Instance {
  id: string;
  repo: string;
  base_commit: string;
  problem_statement: string;
  gold_files: string[];
}

export type Split = 'tune' | 'report' | 'tune-multilingual';

export function readInstances(data: string, split: Split): Instance[] | undefined {
  const file = join(data, `swebench/${split}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Instance[]) : undefined;
}

/** The git directory of a repository among mirrors named `owner+name/repo`; GitHub does not tell cases apart. */
export function findMirror(mirrors: string, repo: string): string | undefined {
  if (!existsSync(mirrors)) return undefined;
  const wanted = repo.replace('/', '+').toLowerCase();
  const folder = readdirSync(mirrors).find((name) => name.toLowerCase() === wanted);
  return folder === undefined ? undefined : join(mirrors, folder, 'repo');
}
