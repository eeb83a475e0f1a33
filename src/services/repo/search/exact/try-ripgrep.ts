// Decides whether ripgrep can search a tree. It reads every .gitignore: a link to an endless device would fill the memory, and
// a pipe would block it. Such a tree is searched by our own code, which opens only regular files.
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { walkTree } from '../../../../files/tree.ts';
import { findRipgrep } from './ripgrep.ts';
import type { Where } from './with-ripgrep.ts';

const rules = '.gitignore';
/** Most searches are over by then, and rules in subfolders need not be checked. */
const graceMs = 100;

export async function tryRipgrep<T>(
  where: Where,
  search: (program: string, signal: AbortSignal) => Promise<T>,
  otherwise: () => Promise<T>,
): Promise<T> {
  const program = hasOddRules(where) ? undefined : await findRipgrep(where.root);
  if (program === undefined) return otherwise();
  const odd = new AbortController();
  const watching = new AbortController();
  const timer = setTimeout(() => {
    void findOddRules(where, watching.signal).then(
      (isOdd) => isOdd && odd.abort(),
      () => {},
    );
  }, graceMs);
  try {
    return await search(program, AbortSignal.any([where.signal, odd.signal]));
  } catch (error) {
    if (!odd.signal.aborted || where.signal.aborted) throw error;
    return otherwise();
  } finally {
    clearTimeout(timer);
    watching.abort();
  }
}

/** In the folders above the searched one. */
function hasOddRules({ root, path }: Where): boolean {
  const segments = path.split('/').filter((segment) => segment !== '');
  return [...segments, ''].some((_, at) => isOdd(join(root, ...segments.slice(0, at), rules)));
}

function isOdd(path: string): boolean {
  try {
    return !lstatSync(path).isFile();
  } catch {
    return false;
  }
}

async function findOddRules({ root, path }: Where, signal: AbortSignal): Promise<boolean> {
  let isFound = false;
  const onSkip = (reason: string, skipped: string) => {
    isFound ||= (reason === 'link' || reason === 'other') && (skipped === rules || skipped.endsWith(`/${rules}`));
  };
  for await (const _ of walkTree(root, { from: path, measure: false, onSkip, signal })) if (isFound) return true;
  return isFound;
}
