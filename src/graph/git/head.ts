// The branch and commit of a working tree, read from git's own files, because a save must not wait for a process. Unreadable
// values are undefined.
import { join, resolve } from 'node:path';
import { openNamed, readOpenedSync } from '../../files/open.ts';

const maxFileBytes = 16 << 20;

interface GitHead {
  /** None where a commit is checked out by itself. */
  branch?: string;
  /** None before the first. */
  commit?: string;
}

export function readHead(root: string): GitHead | undefined {
  const pointer = read(join(root, '.git'));
  const gitDirectory = pointer === undefined ? join(root, '.git') : resolve(root, pointer.replace(/^gitdir: /, ''));
  const head = read(join(gitDirectory, 'HEAD'));
  if (head === undefined) return undefined;
  const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
  // A reference that leads elsewhere is not one that git wrote.
  if (ref?.split(/[\\/]/).includes('..')) return undefined;
  if (ref === undefined) return isHash(head) ? { commit: head } : undefined;
  const common = resolve(gitDirectory, read(join(gitDirectory, 'commondir')) ?? '.');
  const commit = read(join(common, ref)) ?? findPacked(common, ref);
  return { branch: ref.replace(/^refs\/heads\//, ''), ...(commit !== undefined && isHash(commit) && { commit }) };
}

function findPacked(common: string, ref: string): string | undefined {
  const line = read(join(common, 'packed-refs'))
    ?.split('\n')
    .find((one) => one.endsWith(` ${ref}`));
  return line?.slice(0, line.indexOf(' '));
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(text);
}

/** Nothing of a folder, and nothing of what git would not have written: a pipe, gigabytes. */
function read(path: string): string | undefined {
  return readOpenedSync(openNamed(path), maxFileBytes)?.toString().trimEnd();
}
