// The branch and commit of a working tree, read from git's own files, because a save must not wait for a process. Unreadable
// values are undefined.
import { join, resolve } from 'node:path';
import { openNamed, readOpenedSync } from '../../files/open.ts';

const maxFileBytes = 16 << 20;

interface GitHead {
  /** Undefined for a detached HEAD. */
  branch?: string;
  /** Undefined before the first commit. */
  commit?: string;
}

export function readHead(root: string): GitHead | undefined {
  const pointer = read(join(root, '.git'));
  const gitDirectory = pointer === undefined ? join(root, '.git') : resolve(root, pointer.replace(/^gitdir: /, ''));
  const head = read(join(gitDirectory, 'HEAD'));
  if (head === undefined) return undefined;
  const ref = /^ref: (refs\/.+)$/.exec(head)?.[1];
  // Git does not write a reference that leads elsewhere.
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

/** Skips folders and anything that git does not write: a pipe, a huge file. */
function read(path: string): string | undefined {
  return readOpenedSync(openNamed(path), maxFileBytes)?.toString().trimEnd();
}
