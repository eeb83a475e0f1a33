// The guard of a log, from what this user and the project's repository say.
import { LoreError } from '../../../core/error.ts';
import { askGit } from '../../git/git.ts';
import type { Scope } from '../../project/scope.ts';
import { findDefaultBranch } from '../default-branch.ts';
import type { SharedLevel } from '../level.ts';
import type { ShareRemote } from '../remote.ts';
import { createPrivateGuard } from './encrypted.ts';
import type { BatchGuard } from './guard.ts';
import { openGuardKeys } from './keys.ts';
import { createTeamGuard } from './signed.ts';
import { signersFile } from './signers.ts';
import { openSigningKey } from './ssh-key.ts';

export interface GuardOptions {
  /** The folder for our own repositories. */
  folder: string;
  /** The path of the user's SSH key; empty if nothing is signed. */
  signingKey(): string;
}

export async function openGuard(
  scope: Scope,
  level: SharedLevel,
  { ref }: Pick<ShareRemote, 'ref'>,
  { folder, signingKey }: GuardOptions,
): Promise<BatchGuard> {
  if (level === 'mine') return createPrivateGuard(ref, await openGuardKeys(folder));
  return createTeamGuard({
    signers: await readSignersFile(scope),
    now: scope.opened.graph.now(),
    ...openKey(signingKey()),
  });
}

/** Of the default branch, as the user last fetched it: what somebody proposes in a branch or a fork counts for nothing. */
async function readSignersFile(scope: Scope): Promise<string | undefined> {
  const { root } = scope.project;
  const branch = await findDefaultBranch(scope);
  const entry = branch && (await askGit(root, ['ls-tree', '--full-tree', branch.commit, '--', signersFile]));
  if (!entry) return undefined;
  // A list that is there and cannot be read must not count as none.
  const [, blob] = /^100\d+ blob ([0-9a-f]+)\t/.exec(entry) ?? [];
  const text = blob && (await askGit(root, ['cat-file', 'blob', blob]));
  if (text !== undefined) return text;
  throw new LoreError('unavailable', `Cannot read "${signersFile}" of the default branch`, {
    hint: 'It must be a plain file. In a partial clone, fetch it: git show origin/HEAD:.lore/allowed_signers',
  });
}

/** Without the key everything is still received. */
function openKey(file: string) {
  if (file === '') return {};
  try {
    return { signing: openSigningKey(file) };
  } catch (error) {
    if (error instanceof LoreError) return { problem: error.message };
    throw error;
  }
}
