// The id of a remote: equal for all spellings of its URL, and without secrets.
import { realpathSync } from 'node:fs';
import { basename, dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findGitDirectory, resolveCommon } from './directory.ts';
import { attempt, broken, hash, isFolder, type Seen } from './files.ts';

const networkSchemes = new Set(['http', 'https', 'ssh', 'git', 'git+ssh', 'ssh+git', 'git+https', 'ftp', 'ftps']);
/** Other host names of the same forges, for networks that allow only port 443. */
const sameHost: Record<string, string> = {
  'ssh.github.com': 'github.com',
  'altssh.gitlab.com': 'gitlab.com',
  'altssh.bitbucket.org': 'bitbucket.org',
};
/** Forges that ignore the case of paths and accept any user name. */
const forges = new Set(['github.com', 'gitlab.com', 'bitbucket.org']);
const serviceUsers = new Set(['git', 'gitea', 'gitlab', 'forgejo', 'gogs']);

export interface Remote {
  id: string;
  name?: string;
}

/** Longer ids are hashed, because ids are stored in many rows. */
const longestId = 500;

export function readRemote(url: string, place: string, common: string, seen: Seen): Remote {
  const remote = readAddress(url, place, common, seen);
  return remote.id.length <= longestId ? remote : { id: `git:${hash(remote.id)}` };
}

/** Parses a URL the way git does. */
function readAddress(url: string, place: string, common: string, seen: Seen): Remote {
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
  if (!parts) throw broken(join(common, 'config'), 'the address of its remote is not valid');
  return readNetwork(parts[1], parts[2] as string, parts[3] ?? '', common);
}

function readNetwork(login: string | undefined, rawHost: string, address: string, common: string): Remote {
  const user = login?.split(':')[0] ?? '';
  const bare = rawHost.toLowerCase().replace(/\.$/, '');
  const inner = /^\[(?:[^@]*@)?([^:\]]+)(?::\d+)?\]$/.exec(bare)?.[1] ?? bare;
  const host = sameHost[inner] ?? inner;
  const [written = '', ...query] = address.split(/[?#]/);
  // `alice@host:notes` is in Alice's home: Bob's `notes` on that host is another project.
  const inHome = !/^[/~]/.test(written) && user !== '' && !serviceUsers.has(user) && !forges.has(host);
  const full = (inHome ? `~/${written}` : written).replace(/^\/?~\//, `~${hash(user)}/`);
  const path = posix.normalize(`/${full}`).replace(/^\/+|\/*(?:\.git)?\/*$/g, '');
  if (path === '') throw broken(join(common, 'config'), 'the address of its remote names no repository');
  // An unescaped password ends up in the path, and a token in the query: neither may be shown.
  const isSuspect = query.length > 0 || /^[^/]+@|\p{Cc}/u.test(path);
  if (isSuspect) return { id: `git:${host}/${hash([path, ...query].join('?'))}` };
  return { id: `git:${host}/${forges.has(host) ? path.toLowerCase() : path}`, name: posix.basename(path) };
}

/** Addresses for helper programs: distinguished by their text, without the user name. */
function hashRemote(scheme: string, address: string): Remote {
  return { id: `git:${scheme.toLowerCase()}/${hash(address.replace(/^([a-z0-9+.-]*:?\/\/)?[^/]*@/i, '$1'))}` };
}

/**
 * A remote on this machine is a repository itself, so its clones belong to the same project. If it no longer exists, its
 * path is resolved by git's conventions, which keeps the id.
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

/** The real path of the existing part, and the rest as written. */
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

/** The name of a repository from its folder or URL. */
export function nameOf(path: string): string {
  return basename(path.replace(/\/\.git\/?$/, '')).replace(/(?<=.)\.(?:git|bundle)$/, '') || path;
}
