// Collects one page of list_files. The cursor is the last path, so a page costs only what it shows.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { readCursor, writeCursor } from '../../../core/cursor.ts';
import { LoreError } from '../../../core/error.ts';
import { nameInside } from '../../../core/path.ts';
import { type Glob, matchGlob, parseGlob } from '../../../files/glob.ts';
import { resolveInside } from '../../../files/inside.ts';
import { walkTree } from '../../../files/tree.ts';
import type { RepositoryTree } from '../context.ts';
import type { Listing } from './list-files.ts';

interface Asked {
  path: string;
  depth: number;
  glob: string | undefined;
  limit: number;
  cursor: string | undefined;
}

/** Most alternatives of one pattern. */
const mostGlobs = 64;

export async function listFiles(place: RepositoryTree, asked: Asked, signal?: AbortSignal): Promise<Listing> {
  const { root, url } = place;
  const folder = await findFolder(root, asked.path);
  const globs = asked.glob === undefined ? undefined : readGlobs(asked.glob);
  const after = asked.cursor === undefined ? undefined : readCursor(asked.cursor, (path) => checkPlace(path, folder));
  const found: { path: string; isFolder: boolean }[] = [];
  const options = { from: folder, depth: asked.depth, measure: false, signal, ...(after !== undefined && { after }) };
  for await (const { path, isFolder } of walkTree(root, options)) {
    if (globs && (isFolder || !fits(globs, path, folder))) continue;
    found.push({ path, isFolder });
    if (found.length > asked.limit) break;
  }
  const page = found.slice(0, asked.limit);
  const last = page.at(-1);
  return {
    path: folder,
    ...(url !== undefined && { repo: url }),
    entries: await Promise.all(page.map((entry) => measure(root, entry))),
    ...(found.length > page.length && last && { next_cursor: writeCursor(last.path) }),
  };
}

async function measure(root: string, { path, isFolder }: { path: string; isFolder: boolean }) {
  if (isFolder) return { path: `${path}/` };
  const stats = await lstat(join(root, path)).catch(() => undefined);
  return { path, size: stats?.size ?? 0 };
}

/** Relative to the root, as a real path. */
async function findFolder(root: string, given: string): Promise<string> {
  if (given === '') return '';
  const { real, isFolder } = await resolveInside(root, given);
  if (!isFolder) {
    throw new LoreError('invalid_input', `Cannot list "${given}": it is not a folder`, {
      hint: 'Use read_file to read a file.',
      details: { path: 'arguments.path', expected: 'a folder', received: given },
    });
  }
  return nameInside(real, root);
}

/** Without a slash, matches the name; with one, the path from the listed folder or the root. */
function fits(globs: readonly Glob[], path: string, folder: string): boolean {
  const parts = path.split('/');
  const depth = folder === '' ? 0 : folder.split('/').length;
  return globs.some((glob) => {
    if (glob.length === 1) return matchGlob(glob, parts, parts.length - 1);
    return matchGlob(glob, parts, depth) || (depth > 0 && matchGlob(glob, parts));
  });
}

function readGlobs(pattern: string): Glob[] {
  const alternatives = expandBraces(pattern.replace(/^\.?\//, ''));
  const globs = alternatives.map((one) => parseGlob(one)).filter((glob) => glob !== undefined);
  if (globs.length === alternatives.length && globs.length <= mostGlobs) return globs;
  throw new LoreError('invalid_input', `Cannot list files like "${pattern}": it is not a valid pattern`, {
    hint: 'Use * ? [abc] ** and {a,b}.',
    details: { path: 'arguments.glob', expected: 'a pattern', received: pattern },
  });
}

/** Expands the innermost braces first, up to the limit. */
function expandBraces(pattern: string): string[] {
  let done = [pattern];
  for (let round = 0; round < 8; round++) {
    if (done.length > mostGlobs) break;
    const next = done.flatMap((one) => {
      const found = /\{([^{}]*)\}/.exec(one);
      if (!found) return [one];
      const [whole, inner = ''] = found;
      return inner.split(',').map((word) => one.slice(0, found.index) + word + one.slice(found.index + whole.length));
    });
    if (next.length === done.length && next.every((one, at) => one === done[at])) return next;
    done = next;
  }
  return done;
}

function checkPlace(path: unknown, folder: string): string | undefined {
  return typeof path === 'string' && (folder === '' || path.startsWith(`${folder}/`)) ? path : undefined;
}
