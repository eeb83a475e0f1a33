// The guard of a log, from what this user and the project's repository say.
import { LoreError } from '../../../core/error.ts';
import { sql } from '../../../store/sql.ts';
import { askGit } from '../../git/git.ts';
import type { OpenGraph } from '../../open.ts';
import type { Scope } from '../../project/scope.ts';
import { findDefaultBranch } from '../default-branch.ts';
import type { SharedLevel } from '../level.ts';
import { inLog, type ShareLog } from '../log.ts';
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
  const { project, opened } = scope;
  const branch = await findDefaultBranch(scope);
  if (!branch && (await hadSigners(opened, { project: project.id, level }))) throw lostError();
  const signers = branch && (await readSignersFile(project.root, branch.commit));
  return createTeamGuard({ signers, now: opened.graph.now(), ...openKey(signingKey()) });
}

/** Of the default branch, as the user last fetched it: what somebody proposes in a branch or a fork counts for nothing. */
async function readSignersFile(root: string, commit: string): Promise<string | undefined> {
  const entry = await askGit(root, ['ls-tree', '--full-tree', commit, '--', signersFile]);
  if (entry === '') return undefined;
  // A list that is there and cannot be read must not count as none.
  const [, blob] = /^100\d+ blob ([0-9a-f]+)\t/.exec(entry ?? '') ?? [];
  const text = blob && (await askGit(root, ['cat-file', 'blob', blob]));
  if (text !== undefined) return text;
  throw new LoreError('unavailable', `Cannot read "${signersFile}" of the default branch`, {
    hint: 'It must be a plain file. In a partial clone, fetch it: git show origin/HEAD:.lore/allowed_signers',
  });
}

/** Whether the log was last judged by a list. */
async function hadSigners({ store }: Pick<OpenGraph, 'store'>, log: ShareLog): Promise<boolean> {
  const row = await store.one<{ guard: string }>(sql`select guard from shared_remote where ${inLog(log)}`);
  return row !== undefined && row.guard !== '';
}

/** A clone that was deleted or damaged must not make strangers count. */
function lostError(): LoreError {
  return new LoreError('unavailable', `Cannot read "${signersFile}": this clone has no default branch of its remote`, {
    hint: 'Run git fetch, and git remote set-head origin --auto, in the folder of the project.',
  });
}

/** Without the key everything is still received. */
function openKey(file: string) {
  if (file === '') return {};
  try {
    return { signing: openSigningKey(file) };
  } catch (error) {
    if (error instanceof LoreError)
      return { problem: { reason: error.message.replace(/^Cannot sign: /, ''), hint: error.hint } };
    throw error;
  }
}
