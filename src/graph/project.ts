// Which project a folder belongs to, read from git's own files: a start-up must not pay for a process. Whatever is
// broken or unreadable is an error, never a guess, because a wrong answer would show one project's lore to another.
// Ids of places are hashes: a path tells names of people and customers, and an id travels into logs, exports and teams.
import { type BigIntStats, lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashHex } from '../core/crypto.ts';
import { type ErrorWord, LoreError } from '../core/error.ts';

export interface Project {
  /** `git:<host>/<path>` of a remote, `repo:<hash>` of a repository here, `path:<hash>` of a plain folder. */
  readonly id: string;
  readonly name: string;
  /** The top of the working tree the folder lies in; a bare repository's or plain folder's own real path. */
  readonly root: string;
  readonly via: 'remote' | 'git' | 'path';
  /** Whose files these are: a project may have several trees, worktrees and clones, each with files of its own. */
  readonly tree: string;
}

/** The id of a tree that is not the only one its project can have, by the folder or address that tells it apart. */
export function nameTree(project: string, place: string): string {
  return `${project}#${hash(place)}`;
}

/** The project of a tree. */
export function projectOf(tree: string): string {
  const at = tree.indexOf('#');
  return at < 0 ? tree : tree.slice(0, at);
}

const maxFileBytes = 1 << 20;
const maxCached = 256;

/** What a look at the disk depended on: the answer is good while every one of these is as it was. */
type Seen = Map<string, string>;

const cache = new Map<string, { project: Project; seen: Seen }>();

/**
 * A project is its remote (`origin`, else the first by name); without one, the directory its worktrees have in common;
 * outside git, the folder's real path. GIT_DIR, includes and the user's own configuration play no part: the answer must
 * not depend on who asks.
 */
export function identifyProject(folder: string): Project {
  const real = resolveFolder(folder);
  const known = cache.get(real);
  if (known && isUnchanged(known.seen)) return known.project;
  cache.delete(real);
  const seen: Seen = new Map();
  const project = identify(real, seen);
  if (cache.size >= maxCached) cache.clear();
  cache.set(real, { project, seen });
  return project;
}

function resolveFolder(folder: string): string {
  if (folder === '' || folder.includes('\0')) throw refuse('invalid_input', folder, 'it is not a path');
  try {
    const real = realpathSync.native(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    const [word, state] = judge(error);
    throw refuse(word === 'unavailable' ? 'not_found' : word, folder, `it ${state}`, { cause: error });
  }
  throw refuse('invalid_input', folder, 'it is not a folder');
}

function identify(real: string, seen: Seen): Project {
  for (let place = real; ; place = dirname(place)) {
    const found = findGitDirectory(place, seen);
    if (found) return identifyRepository(found, seen);
    if (dirname(place) !== place) continue;
    const id = `path:${hash(real)}`;
    return { id, name: nameOf(real), root: real, via: 'path', tree: id };
  }
}

interface Found {
  root: string;
  gitDirectory: string;
}

function findGitDirectory(place: string, seen: Seen): Found | undefined {
  const dotGit = join(place, '.git');
  if (look(dotGit, seen)) {
    const pointed = isFolder(dotGit) ? dotGit : readPointer(dotGit, 'gitdir: ');
    return { root: place, gitDirectory: resolveGit(resolve(place, pointed), dotGit) };
  }
  if (!look(join(place, 'HEAD'), seen) || !isGitDirectory(place, seen)) return undefined;
  // A bare repository, or a folder inside `.git` itself.
  return { root: basename(place) === '.git' ? dirname(place) : place, gitDirectory: place };
}

function isGitDirectory(place: string, seen: Seen): boolean {
  return look(join(place, 'commondir'), seen) || ['objects', 'refs'].every((part) => isFolder(join(place, part)));
}

function identifyRepository({ root, gitDirectory }: Found, seen: Seen): Project {
  const common = resolveCommon(gitDirectory, seen);
  const remote = chooseRemote(readRemotes(join(common, 'config'), seen));
  const place = basename(common) === '.git' ? dirname(common) : common;
  if (remote === undefined) {
    const id = `repo:${hash(common)}`;
    return { id, name: nameOf(place), root, via: 'git', tree: nameTree(id, root) };
  }
  const { id, name } = readRemote(remote, place, common, seen);
  return { id, name: name ?? nameOf(place), root, via: 'remote', tree: nameTree(id, root) };
}

/** Worktrees share one directory, named in `commondir`; a submodule's has none and stands for itself. */
function resolveCommon(gitDirectory: string, seen: Seen): string {
  checkHead(join(gitDirectory, 'HEAD'));
  const pointer = join(gitDirectory, 'commondir');
  const pointed = look(pointer, seen) ? readPointer(pointer, '') : '.';
  const common = resolveGit(resolve(gitDirectory, pointed), pointer);
  for (const part of ['objects', 'refs']) {
    if (!isFolder(join(common, part))) throw broken(join(common, part), 'it is missing');
  }
  return common;
}

function checkHead(path: string): void {
  const link = attempt(path, () => (lstatSync(path).isSymbolicLink() ? readlinkSync(path) : ''));
  if (link.startsWith('refs/')) return;
  if (!/^(?:ref:\s*refs\/|[0-9a-f]{40}(?:[0-9a-f]{24})?\s*$)/.test(readSmall(path))) {
    throw broken(path, 'it names no branch or commit');
  }
}

function readPointer(path: string, prefix: string): string {
  const text = readSmall(path);
  const target = text.startsWith(prefix) ? text.slice(prefix.length).replace(/\r?\n$/, '') : '';
  if (target === '' || /[\0\n]/.test(target)) throw broken(path, 'it does not say where the repository is');
  return target;
}

function resolveGit(path: string, saidBy: string): string {
  const real = attempt(saidBy, () => realpathSync.native(path), 'the repository it points to');
  if (!isFolder(real)) throw broken(saidBy, 'what it points to is not a folder');
  return real;
}

/** The first address of every remote: the one git fetches from. */
function readRemotes(path: string, seen: Seen): Map<string, string> {
  look(path, seen);
  const remotes = new Map<string, string>();
  for (const { section, subsection, key, value } of parseGitConfig(readSmall(path), path)) {
    if (section !== 'remote' || key !== 'url' || subsection === undefined || value === '') continue;
    if (!remotes.has(subsection)) remotes.set(subsection, value);
  }
  return remotes;
}

function chooseRemote(remotes: Map<string, string>): string | undefined {
  return remotes.get('origin') ?? remotes.get([...remotes.keys()].sort()[0] ?? '');
}

interface ConfigEntry {
  section: string;
  subsection: string | undefined;
  key: string;
  value: string;
}

/** git's own dialect of INI; a line git would die of is an error here too. Nothing of the text may reach a message. */
function* parseGitConfig(text: string, path: string): Generator<ConfigEntry> {
  const header = /[ \t]*\[([\w.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
  const variable =
    /[ \t]*([A-Za-z][\w-]*)[ \t]*(?:=[ \t]*((?:"(?:[^"\\\n]|\\[ntb"\\\n])*"|[^"\\\n;#]|\\[ntb"\\\n])*))?/y;
  const blank = /[ \t]*(?:[;#][^\n]*)?(?:\n|$)/y;
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  let section = '';
  let subsection: string | undefined;
  for (let at = 0; at < source.length; ) {
    const take = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = at;
      const match = pattern.exec(source);
      if (match) at = pattern.lastIndex;
      return match;
    };
    if (take(blank)) continue;
    const opened = take(header);
    if (opened) {
      const [plain = '', ...rest] = (opened[1] as string).toLowerCase().split('.');
      section = plain;
      subsection = opened[2]?.replace(/\\(.)/g, '$1') ?? (rest.length > 0 ? rest.join('.') : undefined);
      continue;
    }
    const assigned = take(variable);
    if (!assigned || !take(blank)) {
      throw broken(path, `line ${source.slice(0, at).split('\n').length} is not git configuration`);
    }
    yield { section, subsection, key: (assigned[1] as string).toLowerCase(), value: unquote(assigned[2] ?? '') };
  }
}

const escapes: Record<string, string> = { n: '\n', t: '\t', b: '\b', '\n': '' };

function unquote(raw: string): string {
  return raw
    .trimEnd()
    .replace(/\\(.)|"/gs, (_, escaped?: string) => (escaped === undefined ? '' : (escapes[escaped] ?? escaped)));
}

const networkSchemes = new Set(['http', 'https', 'ssh', 'git', 'git+ssh', 'ssh+git', 'git+https', 'ftp', 'ftps']);
/** The same forges behind another door, for networks that let only port 443 through. */
const sameHost: Record<string, string> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};
/** Forges that take `Owner/Name` and `owner/name` for one, and any user for their own. */
const forges = new Set(['github.com', 'gitlab.com', 'bitbucket.org']);
const serviceUsers = new Set(['git', 'gitea', 'gitlab', 'forgejo', 'gogs']);

interface Remote {
  id: string;
  name?: string;
}

/** Reads an address the way git does; whatever may be a secret in it is dropped or hashed. */
function readRemote(url: string, place: string, common: string, seen: Seen): Remote {
  const helper = /^([A-Za-z][\w+.-]*)::(.*)$/s.exec(url);
  if (helper) return hashRemote(helper[1] as string, helper[2] as string);
  const full = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/s.exec(url);
  if (full) return readFullAddress((full[1] as string).toLowerCase(), full[2] as string, common, seen);
  const isDrive = process.platform === 'win32' && /^[A-Za-z]:[\\/]/.test(url);
  const short = isDrive ? null : /^(?:([^/[]*)@)?(\[[^\]/]*\]|[^/:@\s]+):(.*)$/s.exec(url);
  if (!short) return readLocal(url, place, seen);
  return readNetwork(short[1], short[2] as string, short[3] as string, common);
}

function readFullAddress(scheme: string, rest: string, common: string, seen: Seen): Remote {
  if (scheme === 'file') {
    const path = attempt(join(common, 'config'), () => fileURLToPath(`file://${rest}`), 'the folder its remote names');
    return readLocal(path, common, seen);
  }
  if (!networkSchemes.has(scheme)) return hashRemote(scheme, rest);
  const parts = /^(?:([^/]*)@)?(\[[^\]/]*\]|[^/:@?#\s]+)(?::\d*)?(\/.*)?$/s.exec(rest);
  if (!parts) throw broken(join(common, 'config'), 'the address of its remote cannot be understood');
  return readNetwork(parts[1], parts[2] as string, parts[3] ?? '', common);
}

function readNetwork(login: string | undefined, rawHost: string, address: string, common: string): Remote {
  const user = login?.split(':')[0] ?? '';
  const bare = rawHost.toLowerCase().replace(/\.$/, '');
  const inner = /^\[(?:[^@]*@)?([^:\]]+)(?::\d+)?\]$/.exec(bare)?.[1] ?? bare;
  const host = sameHost[inner] ?? inner;
  const [written = '', ...query] = address.split(/[?#]/);
  // `alice@host:notes` lies in Alice's home: Bob's `notes` on that host is another project.
  const inHome = !/^[/~]/.test(written) && user !== '' && !serviceUsers.has(user) && !forges.has(host);
  const full = (inHome ? `~/${written}` : written).replace(/^\/?~\//, `~${hash(user)}/`);
  const path = posix.normalize(`/${full}`).replace(/^\/+|\/*(?:\.git)?\/*$/g, '');
  if (path === '') throw broken(join(common, 'config'), 'the address of its remote names no repository');
  // A password that was not escaped ends up in the path, and a token in the query: neither may be shown.
  const isSuspect = query.length > 0 || /^[^/]+@|\p{Cc}/u.test(path);
  if (isSuspect) return { id: `git:${host}/${hash([path, ...query].join('?'))}` };
  return { id: `git:${host}/${forges.has(host) ? path.toLowerCase() : path}`, name: posix.basename(path) };
}

/** Addresses only a helper program understands: kept apart by their text, without what names the user. */
function hashRemote(scheme: string, address: string): Remote {
  return { id: `git:${scheme.toLowerCase()}/${hash(address.replace(/^([a-z0-9+.-]*:?\/\/)?[^/]*@/i, '$1'))}` };
}

/**
 * A remote on this machine is that repository, so its clones are one project with it. When it is gone its place is
 * taken to be what git's habits make it, which keeps the id its clones had.
 */
function readLocal(path: string, place: string, seen: Seen): Remote {
  const target = resolve(place, path);
  for (const candidate of [target, `${target}.git`]) {
    const found = findGitDirectory(candidate, seen);
    if (found) return { id: `repo:${hash(resolveCommon(found.gitDirectory, seen))}`, name: nameOf(target) };
  }
  const gone = /\.(?:git|bundle)$/.test(target) ? target : join(target, '.git');
  return { id: `repo:${hash(resolveBeginning(gone))}`, name: nameOf(target) };
}

/** The real path of what is there, and the rest as written. */
function resolveBeginning(path: string): string {
  for (let there = path; dirname(there) !== there; there = dirname(there)) {
    if (isFolder(there))
      return join(
        attempt(there, () => realpathSync.native(there)),
        path.slice(there.length),
      );
  }
  return path;
}

function nameOf(path: string): string {
  return basename(path.replace(/\/\.git\/?$/, '')).replace(/(?<=.)\.(?:git|bundle)$/, '') || path;
}

function hash(text: string): string {
  return hashHex(text).slice(0, 32);
}

/** Whether there is something at the path; its state, or its absence, becomes part of what the answer rests on. */
function look(path: string, seen: Seen): boolean {
  const state = stateOf(path);
  seen.set(path, state);
  return state !== 'absent';
}

function stateOf(path: string): string {
  const stats = attempt(path, () => statOrNothing(path, lstatSync));
  if (!stats) return 'absent';
  // A folder's times change with every commit; what matters of `.git` is that it is the same folder.
  if (stats.isDirectory()) return `folder ${stats.dev} ${stats.ino}`;
  return `file ${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

function isUnchanged(seen: Seen): boolean {
  for (const [path, state] of seen) if (stateOf(path) !== state) return false;
  return true;
}

function isFolder(path: string): boolean {
  return attempt(path, () => statOrNothing(path, statSync))?.isDirectory() ?? false;
}

function statOrNothing(path: string, stat: typeof lstatSync | typeof statSync): BigIntStats | undefined {
  try {
    return stat(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function readSmall(path: string): string {
  return attempt(path, () => {
    const stats = statSync(path);
    if (!stats.isFile()) throw broken(path, 'it is not a file');
    if (stats.size > maxFileBytes) throw broken(path, 'it is too large to be what git wrote');
    return readFileSync(path, 'utf8');
  });
}

/** Runs a look at the disk; what the system says of a failure becomes our words about the path. */
function attempt<T>(path: string, work: () => T, what = 'it'): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LoreError) throw error;
    const [word, state] = judge(error);
    throw refuse(word, path, `${what} ${state}`, { cause: error });
  }
}

function judge(error: unknown): [ErrorWord, string] {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EACCES' || code === 'EPERM') return ['forbidden', 'may not be read'];
  if (code === 'ENOENT' || code === 'ENOTDIR') return ['unavailable', 'does not exist'];
  if (code === 'ELOOP') return ['invalid_input', 'is a circle of links'];
  return ['unavailable', 'cannot be read'];
}

const hints: Partial<Record<ErrorWord, string>> = {
  forbidden: 'Check the permissions of this path and of the folders above it.',
  unavailable: 'Run `git status` there and mend the repository.',
};

function refuse(word: ErrorWord, path: string, state: string, { cause }: { cause?: unknown } = {}): LoreError {
  const hint = hints[word];
  return new LoreError(word, `Cannot tell the project by "${path}": ${state}`, { ...(hint && { hint }), cause });
}

function broken(path: string, state: string): LoreError {
  return refuse('unavailable', path, `${state}, so the repository is broken`);
}
