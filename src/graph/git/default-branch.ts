// The default branch of a repository: what its members have agreed on.
import { findGitDirectory, readRepository } from './directory.ts';
import { askGit } from './git.ts';

/** Its commit. Of the remote, where there is one: a branch that is checked out here may be anybody's. */
export async function findDefaultBranch(root: string): Promise<string | undefined> {
  const found = findGitDirectory(root, new Map());
  if (!found) return undefined;
  const { remotes } = readRepository(found, new Map());
  const names = [...remotes.keys()].sort((a) => (a === 'origin' ? -1 : 1)).slice(0, 3);
  const refs = names.flatMap((name) => ['HEAD', 'main', 'master'].map((branch) => `refs/remotes/${name}/${branch}`));
  for (const ref of remotes.size === 0 ? ['HEAD'] : refs) {
    const commit = await askGit(root, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
    if (commit) return commit;
  }
  return undefined;
}
