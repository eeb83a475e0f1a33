// Finding the repository that a call means. Only what lies within the allowed roots once links are resolved is one, since
// an agent may be talked into naming any folder.
import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { isInside, resolveHome } from '../../../core/path.ts';
import { refusePath, type Said } from '../../../files/path.ts';
import { type Folder, identifyFolder } from '../../../graph/project.ts';
import { findAddress, readAddress } from './address.ts';
import { type CloneStore, getClone } from './clones.ts';
import type { Asking, Place } from './places.ts';

export interface Allowed {
  /** Besides the caller's project. */
  roots: readonly string[];
  clones: CloneStore;
}

const said: Said = { action: 'use repository', argument: 'arguments.repo' };

export async function locatePlace(allowed: Allowed, call: Asking, repo?: string): Promise<Place> {
  const { folder } = call.caller;
  const address = repo === undefined ? undefined : findAddress(repo, folder);
  if (address !== undefined)
    return locateClone(allowed, call, address).catch((error) => explainShort(error, repo, address));
  const own = identifyFolder(folder);
  const place = repo === undefined ? own : await chooseFolder(allowed, repo, folder, own);
  refuseWhole(place.root);
  if (repo === undefined) refuseBare(own, own.root);
  const { root, name } = place;
  return { root, name, ...('part' in place && { part: place.part }) };
}

async function chooseFolder(allowed: Allowed, repo: string, from: string, own: Folder): Promise<Place> {
  const real = await resolveAllowed(allowed, repo, from, own.root);
  if (!(await stat(real)).isDirectory()) throw refuseUse(repo, 'it is not a folder');
  const found = identifyFolder(real);
  refuseBare(found, repo);
  if (await isAllowed(allowed, found.root, own.root)) return found;
  // The top of its repository is out of bounds: then the folder stands for itself.
  return { root: real, name: found.name, part: real };
}

async function resolveAllowed(allowed: Allowed, given: string, from: string, own: string): Promise<string> {
  if (given.includes('\0')) throw refusePath(given, 'it is not a path', said);
  const asked = resolve(from, given);
  const real = await realpath(asked).catch(() => undefined);
  // Whether something is there is nobody's business outside the roots.
  if (!(await isAllowed(allowed, real ?? asked, own))) throw refuseFolder(given);
  if (real !== undefined) return real;
  throw new LoreError('not_found', `Cannot use repository "${given}": there is no such folder`, {
    details: { path: said.argument, expected: 'a folder or git address', received: given },
  });
}

async function isAllowed({ roots }: Allowed, path: string, own: string): Promise<boolean> {
  if (isInside(path, own)) return true;
  for (const root of roots) {
    const real = await realpath(resolveHome(root)).catch(() => undefined);
    if (real !== undefined && isInside(path, real)) return true;
  }
  return false;
}

async function locateClone(allowed: Allowed, call: Asking, given: string): Promise<Place> {
  let address = readAddress(given);
  if (address.folder !== undefined) {
    const { folder } = call.caller;
    const real = await resolveAllowed(allowed, address.folder, folder, identifyFolder(folder).root);
    address = readAddress(`file://${real}`);
  }
  const root = await getClone(allowed.clones, address, call);
  // Each state of a clone lies in a folder of its own.
  return { root, name: identifyFolder(root).name, part: address.key, url: address.url };
}

/** Who meant a folder learns why something is cloned. */
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

/** A server that was started anywhere must not show the whole machine. */
function refuseWhole(root: string): void {
  if (dirname(root) !== root) return;
  throw new LoreError('forbidden', `Cannot use repository "${root}": it is the whole file system`, {
    hint: 'Start the server in the folder of the project, or let the client name it.',
  });
}

/** What lies in one is git's own. */
function refuseBare({ root, isGit }: Folder, given: string): void {
  if (!isGit || existsSync(join(root, '.git'))) return;
  throw refuseUse(given, 'it is bare, so it has no files', `file://${root} is cloned, and has them.`);
}

function refuseUse(given: string, state: string, hint?: string): LoreError {
  return new LoreError('invalid_input', `Cannot use repository "${given}": ${state}`, {
    ...(hint !== undefined && { hint }),
    details: { path: said.argument, expected: 'a folder with files', received: given },
  });
}

function refuseFolder(given: string): LoreError {
  return new LoreError('forbidden', `Cannot use repository "${given}": it lies outside the allowed folders`, {
    hint: 'The setting roots allows further folders; a git address (https://…, ssh://…, git@…) is cloned.',
    details: { path: said.argument, expected: 'a folder within the project or the roots', received: given },
  });
}
