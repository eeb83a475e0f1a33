// Checks the text of a path argument: a path that would leave the repository, on this or another system, is refused before the
// disk is accessed.
import { isAbsolute, relative } from 'node:path';
import { LoreError } from '../core/error.ts';

type Platform = NodeJS.Platform;

const usualHint = 'Use a path relative to the repository root, as list_files and search_code return it.';

/** The argument, for errors. */
export interface PathArgument {
  /** As in `Cannot read "x"`. */
  action: string;
  /** As in `arguments.path`. */
  argument: string;
  /** Base of a relative path, if it is not the root. */
  from?: string;
  /** The path as given, if another is checked. */
  given?: string;
  hint?: string;
}

const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[ .:]|$)/i;
/** NTFS streams: another name of the same file, or of a folder. */
const stream = /:\$[a-z0-9_]+(?::|$)|::/i;
/** Letters that macOS ignores in a name. */
const unseen = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** The normalised path from the root, with slashes; empty for the root itself. An absolute path may be inside it. */
export function readPath(
  given: string,
  root: string,
  options: PathArgument,
  platform: Platform = process.platform,
): string {
  const fail = (state: string) => pathError(given, state, options);
  if (given.includes('\0')) throw fail('it is not a path');
  if (/^[\\/]{2}|^\\/.test(given)) throw fail('it is on another machine or device');
  if (/^~[^\\/]*(?:[\\/]|$)/.test(given)) throw fail('it is in a home folder');
  const isWindows = platform === 'win32';
  const hasDrive = /^[A-Za-z]:/.test(given);
  if (hasDrive && !(isWindows && isAbsolute(given))) throw fail('it is on a drive');
  const way = isAbsolute(given) ? relative(root, given) : given;
  if (isAbsolute(way)) throw fail('it is outside the repository');
  const segments: string[] = [];
  for (const segment of way.split(isWindows ? /[\\/]/ : '/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' || segment.split('\\').includes('..')) {
      if (segment !== '..' || segments.pop() === undefined) throw fail('it is outside the repository');
      continue;
    }
    const wrong = judgeSegment(segment, isWindows);
    if (wrong !== undefined) throw fail(wrong);
    segments.push(segment);
  }
  return segments.join('/');
}

function judgeSegment(segment: string, isWindows: boolean): string | undefined {
  if (isGitFolder(segment)) return 'it belongs to git';
  if (stream.test(segment)) return 'it names a stream of a file';
  if (!isWindows) return undefined;
  if (segment.includes(':')) return 'it names a stream of a file';
  if (device.test(segment)) return 'it is a device';
  return /[. ]$/.test(segment) ? 'this system would read it as another name' : undefined;
}

/** In every spelling that some system accepts. */
export function isGitFolder(segment: string): boolean {
  const plain = segment
    .replace(unseen, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
  return plain === '.git' || plain === 'git~1';
}

export function pathError(path: string, state: string, options: PathArgument): LoreError {
  const { action, argument, given = path, hint = usualHint } = options;
  return new LoreError('forbidden', `Cannot ${action} "${given}": ${state}`, {
    hint,
    details: { path: argument, expected: 'a path inside the repository', received: given },
  });
}
