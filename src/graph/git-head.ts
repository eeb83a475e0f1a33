// Where a working tree stands: its branch and commit, read from git's own files, because a save must not wait for a
// process. Whatever cannot be read is simply not known.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

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

/** Of a folder, too, there is nothing to read. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trimEnd();
  } catch {
    return undefined;
  }
}
