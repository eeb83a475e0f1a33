// The files of this installation: settings, database, audit log, keys. Code that opens or lists a project's files asks this
// module, so that no caller can show them, wherever they are.
import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { auditKeyFile } from '../core/audit/key.ts';
import { defaultLocation, folderBeside } from '../core/location.ts';
import { isInside } from '../core/path.ts';

interface OwnFiles {
  settingsFile: string;
  /** The database as in the settings; empty for the default. */
  location: string;
}

type IsOwn = (name: string) => boolean;

/** Folders of an installation beside its database: documents, credentials, keys, repositories, and the same of each tenant. */
export const ownFolders = ['forge', 'gateway', 'sync', 'tenants'] as const;
/** Its files and folders there. */
const beside = new RegExp(`^(?:audit[-.]|pseudonyms?[-.]|(?:${ownFolders.join('|')})$)`);
/** In the data folder, clones of repositories. */
const clones = 'repositories';
const environmentKey = 'lorekeeper.own-files';

let known: readonly OwnFiles[] | undefined;
let resolved: Resolved | undefined;

/** Hides the files of this installation from now on. */
export function protectOwnFiles(files: OwnFiles): void {
  known = [...(known ?? []), files];
  resolved = undefined;
}

/** Call before a thread is started, because threads have their own modules. A thread knows only the files returned. */
export function passOwnFiles(): readonly OwnFiles[] {
  threads().setEnvironmentData(environmentKey, allKnown() as never);
  return allKnown();
}

function allKnown(): readonly OwnFiles[] {
  known ??= (threads().getEnvironmentData(environmentKey) as OwnFiles[] | undefined) ?? [];
  return known;
}

/** Loaded when needed: it would add two milliseconds to every start. */
function threads() {
  return process.getBuiltinModule('node:worker_threads');
}

/** The names in a folder that are ours; undefined if there are none. `folder` is a real path. */
export function findOwnNames(folder: string): IsOwn | undefined {
  const { data, named } = resolvePlaces();
  if (data.some((own) => isInside(folder, own) && !isInside(folder, join(own, clones)))) {
    return (name) => name !== clones || !data.includes(folder);
  }
  return named.get(folder);
}

/** `path` is a real path. */
export function isOwnFile(path: string): boolean {
  return findOwnNames(dirname(path))?.(basename(path)) ?? false;
}

/** One of them under another name: a hard link, or another spelling on some systems. */
export function isOwnInode({ nlink, dev, ino }: Stats): boolean {
  if (nlink < 2 && process.platform === 'linux') return false;
  const places = resolvePlaces();
  places.inodes ??= listInodes(places);
  return places.inodes.has(`${dev} ${ino}`);
}

interface Resolved {
  at: number;
  /** Folders with all that is in them: as written, and as real paths. */
  data: readonly string[];
  /** Other folders that contain files of ours. */
  named: ReadonlyMap<string, IsOwn>;
  inodes?: ReadonlySet<string>;
}

/** Cached, because thousands of files may be read in a row, while ours rarely move. */
const resolvedMs = 1_000;

function resolvePlaces(): Resolved {
  if (resolved && performance.now() - resolved.at < resolvedMs) return resolved;
  const named = new Map<string, IsOwn>();
  const data: string[] = [];
  const addWhole = (folder: string) => data.push(folder, real(folder));
  const add = (folder: string, isOwn: IsOwn) => {
    for (const place of [folder, real(folder)]) {
      const other = named.get(place);
      named.set(place, other ? (name) => other(name) || isOwn(name) : isOwn);
    }
  };
  for (const { settingsFile, location } of allKnown()) {
    const settings = resolve(settingsFile);
    for (const file of new Set([settings, real(settings)])) {
      add(dirname(file), (name) => name.startsWith(basename(file)));
    }
    add(dirname(settings), (name) => name.startsWith(auditKeyFile));
    const folder = folderBeside(location);
    const database = join(folder, basename(location || defaultLocation()));
    for (const file of new Set([database, real(database)])) {
      add(dirname(file), (name) => name.startsWith(basename(file)));
    }
    add(folder, (name) => beside.test(name));
    for (const name of ownFolders) addWhole(join(folder, name));
  }
  if (allKnown().length > 0) addWhole(dirname(defaultLocation()));
  resolved = { at: performance.now(), data, named };
  return resolved;
}

function listInodes({ named, data }: Resolved): Set<string> {
  const inodes = new Set<string>();
  const places = [...named, ...data.map((folder): [string, IsOwn] => [folder, () => true])];
  for (const [folder, isOwn] of places) {
    for (const name of listNames(folder).filter(isOwn)) {
      const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (stats?.isFile()) inodes.add(`${stats.dev} ${stats.ino}`);
    }
  }
  return inodes;
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Also for a file that does not exist yet. */
function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : join(real(dirname(path)), basename(path));
  }
}
