// Resolves the path of a caller to a file or folder of a project. It follows links one by one while they stay inside, so it
// never touches anything outside. Git's own files are refused, and every refusal is a LoreError.
import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { LoreError } from '../core/error.ts';
import { isInside, nameInside } from '../core/path.ts';
import { type OpenFile, type OpenRefusal, openReal, readOpened, refusalOf } from './open.ts';
import { isOwnFile } from './own.ts';
import { isGitFolder, type PathArgument, pathError, readPath } from './path.ts';

export interface Resolved {
  /** As a real path. */
  real: string;
  /** As the caller knows it: from the root, with slashes and links; empty for the root. */
  name: string;
  isFolder: boolean;
  size: number;
}

const reading: PathArgument = { action: 'read', argument: 'arguments.path' };
/** Editors save by replacing the file. */
const attempts = 3;
/** The same limit as the kernel's. */
const mostLinks = 40;

/** A file or a folder. `root` is a real path. */
export async function resolveInside(root: string, given: string, options: PathArgument = reading): Promise<Resolved> {
  const name = readPath(await aboveLinks(root, given, options), root, { ...options, given });
  let found = follow(root, name);
  for (let attempt = 1; found === 'moved' && attempt < attempts; attempt++) found = follow(root, name);
  if (typeof found === 'string') throw readError(found, given, options);
  const { real, stats } = found;
  return { real, name, isFolder: stats.isDirectory(), size: stats.size };
}

export async function openInside(
  root: string,
  given: string,
  options: PathArgument = reading,
): Promise<{ name: string; file: OpenFile }> {
  for (let attempt = 1; ; attempt++) {
    const { real, name } = await resolveInside(root, given, options);
    const file = openReal(real);
    if (typeof file !== 'string') return { name, file };
    // It has become a link.
    const isReplaced = file === 'moved' || file === 'link';
    if (!isReplaced || attempt === attempts) throw readError(isReplaced ? 'moved' : file, given, options);
  }
}

/** The bytes of a file; undefined if it is larger than the limit, missing or refused. */
export async function readInside(root: string, given: string, most: number): Promise<Buffer | undefined> {
  const opened = await openInside(root, given).catch(() => undefined);
  return opened && readOpened(opened.file, most);
}

/**
 * The real path of an argument at a terminal. A link in the current folder must not lead out of it: it may come from the
 * author of the project.
 */
export function resolveNamed(named: string, options: PathArgument): string {
  const [path, here] = [resolve(named), process.cwd()];
  const found = isInside(path, here) ? follow(realpathSync.native(here), nameInside(path, here)) : realOf(path);
  if (typeof found === 'string') throw readError(found, named, options);
  return found.real;
}

function realOf(path: string): { real: string } | Reason {
  try {
    return { real: realpathSync.native(path) };
  } catch (error) {
    return refusalOf(error);
  }
}

/** An absolute path may contain a link above the root, such as temporary folders on macOS. */
async function aboveLinks(root: string, given: string, { from }: PathArgument): Promise<string> {
  const path = from === undefined || /^~|\0/.test(given) ? given : resolve(from, given);
  if (path.includes('\0') || !isAbsolute(path) || isInside(path, root)) return path;
  const real = await realpath(path).catch(() => path);
  return isInside(real, root) ? real : path;
}

type Reason = OpenRefusal | 'outside' | 'git' | 'dangling';

/** `name` contains no `..`, but the text of a link may. */
export function follow(root: string, name: string): { real: string; stats: Stats } | Reason {
  const separator = sep === '/' ? '/' : /[\\/]/;
  let rest = name.split(separator);
  let at: string[] = [];
  let links = 0;
  try {
    let stats = lstatSync(root);
    for (let segment = rest.shift(); segment !== undefined; segment = rest.shift()) {
      if (segment === '' || segment === '.') continue;
      if (segment === '..' && at.pop() === undefined) return 'outside';
      if (segment === '..') continue;
      if (isGitFolder(segment)) return 'git';
      const path = join(root, ...at, segment);
      stats = lstatSync(path);
      if (!stats.isSymbolicLink()) {
        at.push(segment);
        continue;
      }
      if (++links > mostLinks) return 'link';
      const target = readlinkSync(path);
      const isWhole = isAbsolute(target);
      if (isWhole && target !== root && !target.startsWith(root + sep)) return 'outside';
      if (isWhole) at = [];
      rest = [...(isWhole ? target.slice(root.length) : target).split(separator), ...rest];
    }
    const path = join(root, ...at);
    // Some systems also find a file by other letters.
    const real = process.platform === 'linux' ? path : realpathSync.native(path);
    stats = lstatSync(real);
    if (at.length > 0 && isOwnFile(real)) return 'own';
    return stats.isFile() || stats.isDirectory() ? { real, stats } : 'special';
  } catch (error) {
    const reason = refusalOf(error);
    return reason === 'missing' && links > 0 ? 'dangling' : reason;
  }
}

const states: { readonly [reason in Exclude<Reason, 'missing' | 'folder' | 'exhausted' | 'failed'>]: string } = {
  outside: 'it leads out of the repository',
  git: 'it belongs to git',
  dangling: 'it is a broken link',
  link: 'it is a circular link',
  special: 'it is not a regular file',
  own: "it is one of Lorekeeper's own files",
  denied: 'permission denied',
  moved: 'it was replaced while it was read',
};

function readError(reason: Reason, given: string, options: PathArgument): LoreError {
  const { action, argument } = options;
  const describe = (expected: string) => ({ path: argument, expected, received: given });
  if (reason === 'missing') {
    return new LoreError('not_found', `Cannot ${action} "${given}": there is no such file`, {
      // A hint of the caller's own is about paths that exist but are refused.
      ...(options.hint === undefined && { hint: 'list_files shows the files.' }),
      details: describe('a file of the repository'),
    });
  }
  if (reason === 'folder') {
    return new LoreError('invalid_input', `Cannot ${action} "${given}": it is a folder`, {
      hint: 'list_files shows its content.',
      details: describe('a file'),
    });
  }
  if (reason === 'exhausted' || reason === 'failed') {
    const state = reason === 'exhausted' ? 'too many files are open' : 'the disk cannot read it';
    const details = describe('a file of the repository');
    return new LoreError('unavailable', `Cannot ${action} "${given}": ${state}`, { details });
  }
  return pathError(given, states[reason], options);
}
