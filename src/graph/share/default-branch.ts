// The default branch of a project's repository: what its team has agreed on. What somebody proposes in a branch or a fork is not in it.

import { findGitDirectory, type Repository, readRepository } from '../git/directory.ts';
import { askGit } from '../git/git.ts';
import { readRef } from '../git/ref.ts';
import { readRemote } from '../git/remote.ts';
import type { Scope } from '../project/scope.ts';
import { listRemotes } from './destination.ts';

export interface DefaultBranch {
  /** The repository it belongs to, by a name that is the same in every clone. */
  repository: string;
  commit: string;
}

/** As the user last fetched it. Undefined if there is none, or if nobody knows which remote is the team's. */
export async function findDefaultBranch(scope: Scope): Promise<DefaultBranch | undefined> {
  const { root, id } = scope.project;
  const found = root === '' ? undefined : findGitDirectory(root, new Map());
  if (!found) return undefined;
  const { remotes, common } = readRepository(found, new Map());
  const remote = await findTeamRemote(scope, remotes);
  if (remote === undefined && remotes.size > 0) return undefined;
  // A bare clone has the branches of its remote as its own.
  const isOwn = remote === undefined || found.gitDirectory === root;
  const refs = isOwn ? ['HEAD'] : ['HEAD', 'main', 'master'].map((ref) => `refs/remotes/${remote}/${ref}`);
  for (const ref of refs) {
    const read = isOwn ? 'unknown' : readRef(common, ref);
    const commit =
      read === 'unknown' ? await askGit(root, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]) : read;
    if (!commit) continue;
    const url = remotes.get(remote ?? '');
    return { commit, repository: url === undefined ? id : readRemote(url, root, common, new Map()).id };
  }
  return undefined;
}

/** A repository may have many, and those of colleagues are forks. The one that a person chose to sync with comes first. */
async function findTeamRemote({ opened, project }: Scope, remotes: Repository['remotes']): Promise<string | undefined> {
  const chosen = (await listRemotes(opened, project.id)).find(({ level }) => level === 'team')?.remote;
  const names = [...remotes.keys()];
  const synced = names.find((name) => name === chosen) ?? names.find((name) => remotes.get(name) === chosen);
  return synced ?? names.find((name) => name === 'origin') ?? (names.length === 1 ? names[0] : undefined);
}
