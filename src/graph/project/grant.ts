// The only place where a path from a caller becomes a folder to work in. Granted are the caller's own folder, the setting
// `roots`, and folders of this machine in which someone has worked before.
import { realpathSync, statSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Soon } from '../../core/attempt.ts';
import { type Caller, localCaller } from '../../core/call.ts';
import { type ErrorWord, LoreError } from '../../core/error.ts';
import { isInside, isPath, resolveHome } from '../../core/path.ts';
import { type PermissionLevel, permissionLevels, projectsDefault } from '../../core/registry/permission.ts';
import type { GraphAccess } from '../access.ts';
import type { OpenGraph } from '../open.ts';
import { type Folder, identifyFolder, resolveFolder } from './project.ts';
import { isReserved } from './reserved-folder.ts';
import { namePlace } from './resolve.ts';
import { openFolder, openHomeless, openPerson, otherProjectsError, type Scope } from './scope.ts';
import { checkShared, describePerson } from './shared.ts';
import { followMerges, listDecisions, readPlaces } from './table.ts';

/** Requested access: read files, or read or write entries of the project. */
export type Need = 'files' | 'read' | 'write';

export interface Admitted {
  /** Works in the folder from now on. */
  caller: Caller;
  folder: Folder;
  /** The folder with readable files: the project's top, the folder alone if the top is not granted, or empty for none. */
  root: string;
}

export interface Folders {
  /**
   * Refuses a folder that is not granted or not allowed by the permission `projects`. Records nothing. `given` is the path
   * as the caller wrote it.
   */
  admit(caller: Caller, path: string, need: Need, given?: string): Promise<Admitted>;
  /** The scope of the project of a folder named by the caller. */
  enter(caller: Caller, path: string, need: Need): Promise<Scope>;
  /** The caller in another project, which it names by folder, name or id. */
  visit(caller: Caller, named: string, need: Need): Promise<Caller>;
  /** The scope of the caller's own project, or of the user if the caller works in no project. */
  open(caller: Caller): Promise<Scope>;
  /** If the caller works in no project, it works in the first granted folder of its client. */
  settle(caller: Caller): Soon<Caller>;
  /** The caller in the folder whose files it may read; refused if it works in no project. */
  locate(caller: Caller): Promise<Caller>;
  /** The caller's folder, and the real paths of all folders with readable files, its project first. */
  list(caller: Caller): Promise<{ folder: string; tops: string[] }>;
}

export interface FolderRules {
  /** Current value of the setting `roots`. */
  roots(): readonly string[];
  /** Current permission for projects other than the caller's own. */
  projects(): PermissionLevel;
  /** The folders of this installation. */
  own: readonly string[];
}

const nothingSet: FolderRules = { roots: () => [], projects: () => projectsDefault, own: [] };

export function createFolders(access: GraphAccess, rules: FolderRules = nothingSet): Folders {
  const isForbidden = (real: string) =>
    isReserved(real) || rules.own.some((folder) => isInside(real, realOrSame(folder)));

  /** Real paths. A forbidden root grants nothing, not even its subfolders. */
  function keepGrantable(paths: readonly string[]): string[] {
    return paths.flatMap((path) => realOf(resolveHome(path)) ?? []).filter((real) => !isForbidden(real));
  }

  /** The top of the caller's project, if it works in one. */
  function topOf({ folder, top }: Pick<Caller, 'folder' | 'top'>): string[] {
    if (top !== undefined) return top === '' ? [] : [top];
    const real = realOf(folder);
    return real === undefined || isForbidden(real) ? [] : [tryIdentify(real)?.root ?? real];
  }

  /** The setting `roots`, and the server's own project, unless the caller is on another machine. */
  function bases({ identity }: Caller): string[] {
    return [...(identity ? [] : topOf(localCaller)), ...keepGrantable(rules.roots())];
  }

  async function askRoots(caller: Caller): Promise<string[]> {
    const offered = (await caller.roots?.()) ?? [];
    return keepGrantable(
      offered.filter((path) => !isRemote(path) || bases(caller).some((base) => isInside(path, base))),
    );
  }

  /** The caller's own folder, and those of the client that started the server. */
  async function isOwn(caller: Caller, path: string): Promise<boolean> {
    if (topOf(caller).some((top) => isInside(path, top))) return true;
    return caller.started === true && (await askRoots(caller)).some((root) => isInside(path, root));
  }

  /** False without a database: a lookup must not create one. `path` exists. */
  async function isKnown(path: string): Promise<boolean> {
    if (!access.exists()) return false;
    const opened = await access.open();
    const above = listAbove(path).filter((place) => !isForbidden(place) && !isScratch(place));
    // A worktree can be anywhere.
    const home = tryIdentify(path)?.home;
    const homes = home === undefined || isForbidden(home) || isScratch(home) ? above : [...new Set([home, ...above])];
    const places = await readPlaces(
      opened.store,
      homes.map((place) => namePlace(opened, place)),
    );
    return places.some(({ granted }) => granted);
  }

  /** `nearest` is the existing part of the path. */
  async function isGranted(caller: Caller, path: string, nearest = path): Promise<boolean> {
    // At a terminal, a person may name every folder.
    if (isAtTerminal(caller)) return true;
    if (bases(caller).some((base) => isInside(path, base))) return true;
    return !isScratch(path) && !caller.identity && (await isKnown(nearest));
  }

  /** Whether both belong to one project by now. */
  async function isSame(opened: OpenGraph, caller: Caller, folder: Folder): Promise<boolean> {
    const real = realOf(caller.folder);
    const own = real === undefined || isForbidden(real) ? undefined : tryIdentify(real);
    if (own === undefined || own.home === folder.home) return own !== undefined;
    const homes = [own.home, folder.home].map((home) => namePlace(opened, home));
    const [places, decisions] = await Promise.all([readPlaces(opened.store, homes), listDecisions(opened.store)]);
    const [one, other] = homes.map((home) => places.find(({ place }) => place === home)?.project);
    if (one === undefined || other === undefined) return false;
    return followMerges(decisions, one) === followMerges(decisions, other);
  }

  async function admit(caller: Caller, asked: string, need: Need, given = asked): Promise<Admitted> {
    checkPath(asked);
    if (isRemote(asked) && !bases(caller).some((base) => isInside(asked, base))) throw notGrantedError(given, asked);
    const { path, nearest } = await resolveNearest(asked);
    const isTemporary = isScratch(path) && need !== 'files' && !caller.identity;
    if (!isTemporary && isForbidden(path)) throw reservedError(given);
    const own = await isOwn(caller, path);
    const granted = own || (await isGranted(caller, path, nearest));
    if (!granted && !isTemporary) throw notGrantedError(given, asked);
    if (path !== nearest) throw folderError('not_found', given, 'it does not exist');
    if (!statSync(path).isDirectory()) throw folderError('invalid_input', given, 'it is not a folder');
    const folder = identifyFolder(path);
    if (!own && !isTemporary && !isAtTerminal(caller)) await allow(caller, folder, need);
    const isWhole =
      folder.root === path || (await isOwn(caller, folder.root)) || (await isGranted(caller, folder.root));
    const root = granted ? (isWhole ? folder.root : path) : '';
    return { caller: { ...caller, folder: path, top: root }, folder, root };
  }

  async function allow(caller: Caller, folder: Folder, need: Need): Promise<void> {
    const needed = need === 'write' ? 'write' : 'read';
    const level = rules.projects();
    if (permissionLevels.indexOf(level) >= permissionLevels.indexOf(needed)) return;
    if (await isSame(await access.open(), caller, folder)) return;
    throw otherProjectsError(`${need === 'write' ? 'write to' : 'read'} project "${folder.name}"`, level, needed);
  }

  function settle(caller: Caller): Soon<Caller> {
    return isForbidden(resolveFolder(caller.folder)) ? settleInRoot(caller) : caller;
  }

  async function settleInRoot(caller: Caller): Promise<Caller> {
    for (const folder of (await askRoots(caller)).flatMap((root) => topOf({ folder: root }))) {
      if (caller.started) return { ...caller, folder };
      if (await isGranted(caller, folder)) return { ...caller, folder, top: folder };
    }
    return caller;
  }

  /** For a caller without a project, whose client offers no folder that is granted. */
  async function noProjectError(caller: Caller): Promise<LoreError> {
    const [offered] = await askRoots(caller);
    return ownFolderError(resolveFolder(caller.folder), offered);
  }

  async function open(caller: Caller): Promise<Scope> {
    if (caller.identity)
      return openPerson(await access.open(), describePerson(caller, caller.identity, rules.projects()));
    const { folder, id: actor, top } = await settle(caller);
    const others = rules.projects();
    if (isForbidden(resolveFolder(folder))) return openHomeless(await access.open(), { actor, others });
    // First, because a caller without a project must not create a database either.
    const identified = identifyFolder(folder);
    const scope = await openFolder(await access.open(), identified, { actor, others, granting: top === undefined });
    return top === undefined ? scope : { ...scope, project: { ...scope.project, root: top } };
  }

  return {
    admit,
    async visit(caller, named, need) {
      if (caller.identity) return { ...caller, project: checkShared(named, caller.identity) };
      const { findProjectFolder } = await import('./named.ts');
      if (isPath(named)) return (await admit(caller, named, need)).caller;
      const { project } = await open(caller);
      if (named === project.id || named === project.name) return caller;
      // Names of other projects are not for every caller.
      if (rules.projects() === 'off') throw otherProjectsError(`use project "${named}"`, 'off', 'read');
      return (await admit(caller, await findProjectFolder(access, named), need, named)).caller;
    },
    async enter(caller, path, need) {
      const { folder, root } = await admit(caller, path, need);
      const opening = { actor: caller.id, others: rules.projects(), granting: false };
      const scope = await openFolder(await access.open(), folder, opening);
      return { ...scope, project: { ...scope.project, root } };
    },
    open,
    settle,
    async locate(caller) {
      const settled = await settle(caller);
      const [top] = topOf(settled);
      if (top === undefined) throw await noProjectError(settled);
      return { ...settled, top };
    },
    async list(caller) {
      const settled = await settle(caller);
      const theirs = caller.started ? await askRoots(caller) : [];
      const all = [...topOf(settled), ...keepGrantable(rules.roots()), ...theirs];
      if (all.length === 0) throw await noProjectError(settled);
      const isCovered = (folder: string, at: number) =>
        all.some((other, index) => index !== at && isInside(folder, other) && (folder !== other || index < at));
      return { folder: settled.folder, tops: all.filter((folder, at) => !isCovered(folder, at)) };
    },
  };
}

/** The system's temporary folder: every caller may store memories about it, but not read its files. */
function isScratch(real: string): boolean {
  const named = [tmpdir(), ...(process.platform === 'win32' ? [] : ['/tmp'])];
  return named.some((path) => realOf(path) === real);
}

/** A person who is known by a token administers from another machine. */
function isAtTerminal({ scopes, identity }: Caller): boolean {
  return scopes.includes('person') && !identity;
}

function checkPath(given: string): void {
  if (given !== '' && !given.includes('\0') && isAbsolute(given)) return;
  throw folderError('invalid_input', given, 'it is not an absolute path');
}

/** Resolves links in the existing part of the path. Callers must not learn what exists outside granted folders. */
async function resolveNearest(asked: string): Promise<{ path: string; nearest: string }> {
  let rest = '';
  for (let place = asked; ; place = dirname(place)) {
    // A file system that hangs must not stop the whole server.
    const real = await realpath(place).catch(() => undefined);
    if (real !== undefined) return { path: join(real, rest), nearest: real };
    if (dirname(place) === place) return { path: asked, nearest: place };
    rest = join(place.slice(dirname(place).length), rest);
  }
}

/** On Windows, opening a network path sends credentials to that machine. */
function isRemote(path: string): boolean {
  return process.platform === 'win32' && /^[\\/]{2}/.test(path);
}

function listAbove(path: string): string[] {
  const above = [path];
  for (let place = path; dirname(place) !== place; place = dirname(place)) above.push(dirname(place));
  return above;
}

function tryIdentify(path: string): Folder | undefined {
  try {
    return identifyFolder(path);
  } catch {
    return undefined;
  }
}

const reals = new Map<string, string>();

/** For folders of the installation, which may not exist yet and do not move. */
function realOrSame(path: string): string {
  const real = reals.get(path) ?? realOf(path);
  if (real !== undefined) reals.set(path, real);
  return real ?? path;
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function reservedError(given: string): LoreError {
  const hint =
    'The root of a file system, home folders, the folders above them and Lorekeeper’s own folders cannot be projects. Name a folder inside it.';
  return folderError('forbidden', given, 'it cannot be a project', hint);
}

function notGrantedError(given: string, path: string): LoreError {
  const hint = `A person can grant it: lore allow --root ${quote(path)}`;
  return folderError('forbidden', given, 'it is not granted', hint);
}

function folderError(word: ErrorWord, given: string, state: string, hint?: string): LoreError {
  return new LoreError(word, `Cannot use folder "${given}": ${state}`, {
    ...(hint !== undefined && { hint }),
    details: { path: 'folder', expected: 'the absolute path of a granted folder', received: given },
  });
}

function ownFolderError(folder: string, offered: string | undefined): LoreError {
  const name = folder === realOf(homedir()) ? 'the home folder' : `"${folder}"`;
  const client =
    offered === undefined
      ? 'let the client offer it as a root'
      : `grant the folder that the client offers: lore allow --root ${quote(offered)}`;
  return new LoreError('forbidden', `Cannot read files here: ${name} is not a project`, {
    hint: `${isReserved(folder) ? 'Home folders and the folders above them cannot be granted. ' : ''}Name the project with the argument "project". Or a person can start the server with --project FOLDER or LORE_PROJECT=FOLDER, or ${client}.`,
  });
}

/** Quotes for a shell. */
function quote(path: string): string {
  return /^[\w./:@+,~%\\-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
