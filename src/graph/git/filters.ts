// Disables the filters of a repository, which are programs that git starts when it compares files. git has no option for that,
// so each configured filter is set to empty.
import { askGit } from './git.ts';

const keys = String.raw`^filter\..*\.(clean|smudge|process|required)$`;

export async function askAboutFiles(folder: string, args: readonly string[]): Promise<string | undefined> {
  return askGit(folder, args, { settings: await silenceFilters(folder) });
}

/** In the environment, after existing entries: a filter's name may contain characters that a command line cannot. */
async function silenceFilters(folder: string): Promise<NodeJS.ProcessEnv> {
  const output = await askGit(folder, ['config', '--includes', '--name-only', '-z', '--get-regexp', keys]);
  const found = [...new Set((output ?? '').split('\0'))].filter((name) => name !== '');
  const before = Number(process.env.GIT_CONFIG_COUNT ?? 0) || 0;
  const settings: NodeJS.ProcessEnv = { GIT_CONFIG_COUNT: String(before + found.length) };
  for (const [at, name] of found.entries()) {
    settings[`GIT_CONFIG_KEY_${before + at}`] = name;
    settings[`GIT_CONFIG_VALUE_${before + at}`] = name.endsWith('.required') ? 'false' : '';
  }
  return settings;
}
