// Finds the repository of a call: the caller's own, a granted folder, or a clone.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { findAddress, readAddress } from '../../../graph/git/address.ts';
import { findOutsideFolders } from '../../../graph/git/external-folders.ts';
import type { Folders } from '../../../graph/project/grant.ts';
import { type Folder, identifyFolder } from '../../../graph/project/project.ts';
import type { RepoCall, RepositoryTree } from '../context.ts';
import { type CloneStore, getClone } from './clones.ts';

export async function locateTree(
  folders: Folders,
  clones: CloneStore,
  call: RepoCall,
  repo?: string,
): Promise<RepositoryTree> {
  if (repo === undefined) {
    const { folder, top } = await folders.locate(call.caller);
    return describe(identifyFolder(folder), top ?? folder, folder);
  }
  const address = findAddress(repo, call.caller.folder);
  if (address !== undefined)
    return openClone(folders, clones, call, address).catch((error) => explainShort(error, repo, address));
  const folder = resolve(call.caller.folder, repo);
  const admitted = await folders.admit(call.caller, folder, 'files', repo);
  if (call.writes) await folders.admit(call.caller, folder, 'write', repo);
  return { ...describe(admitted.folder, admitted.root, repo), folder };
}

/** If the top of its repository is not granted, only the folder itself is used. */
function describe(found: Folder, root: string, given: string): RepositoryTree {
  refuseBare(found, given);
  return { root, name: found.name, ...(root !== found.root && { part: root }) };
}

async function openClone(folders: Folders, clones: CloneStore, call: RepoCall, given: string): Promise<RepositoryTree> {
  let address = readAddress(given);
  if (address.folder !== undefined) {
    const { caller } = await folders.admit(call.caller, resolve(call.caller.folder, address.folder), 'files', given);
    address = readAddress(`file://${await findRepository(folders, call, caller.folder, given)}`);
  }
  const root = await getClone(clones, address, call);
  // Each version of a clone has its own folder.
  return { root, name: identifyFolder(root).name, part: address.key, url: address.url };
}

/** Git follows references to other folders, so all of them must be granted as well. */
async function findRepository(folders: Folders, call: RepoCall, folder: string, given: string): Promise<string> {
  const found = await findOutsideFolders(folder);
  if (!found) throw repositoryError(given, 'it is not a git repository');
  for (const other of found.others) await folders.admit(call.caller, other, 'files', given);
  return found.gitDirectory;
}

/** Explains to a caller that meant a folder why an address is cloned. */
function explainShort(error: unknown, given: string | undefined, address: string): never {
  if (!(error instanceof LoreError) || given === address) throw error;
  const { word, message, hint, details, cause } = error;
  const meant = `There is no folder "${given}" in the project, so it was read as ${address}.`;
  throw new LoreError(word, message, {
    hint: hint === undefined ? meant : `${meant} ${hint}`,
    ...(details && { details }),
    cause,
  });
}

/** Files inside belong to git. */
function refuseBare({ root, isGit }: Folder, given: string): void {
  if (!isGit || existsSync(join(root, '.git'))) return;
  throw repositoryError(given, 'it is bare, so it has no files', `Use file://${root} to clone it.`);
}

function repositoryError(given: string, state: string, hint?: string): LoreError {
  return new LoreError('invalid_input', `Cannot use repository "${given}": ${state}`, {
    ...(hint !== undefined && { hint }),
    details: { path: 'arguments.repo', expected: 'a folder with files', received: given },
  });
}
