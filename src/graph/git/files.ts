// Reads git's own files. Anything broken or unreadable is an error, because a guess could show one project's memories to
// another.
import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { hashHex } from '../../core/crypto.ts';
import { type ErrorWord, LoreError } from '../../core/error.ts';
import { type OpenRefusal, openNamed, readOpenedSync, refusalOf } from '../../files/open.ts';

const maxFileBytes = 1 << 20;

/** The state of every path that a result depends on: the result is valid while none of them changes. */
export type Seen = Map<string, string>;

/** Ids from paths and URLs are hashes: a path contains names of people and customers. */
export function hash(text: string): string {
  return hashHex(text).slice(0, 32);
}

/** Whether the path exists; the result then depends on its state or absence. */
export function look(path: string, seen: Seen): boolean {
  const state = stateOf(path);
  seen.set(path, state);
  return state !== 'absent';
}

function stateOf(path: string): string {
  const stats = attempt(path, () => statOrNothing(path, lstatSync));
  if (!stats) return 'absent';
  // A folder's times change with every commit; for `.git` only its identity matters.
  if (stats.isDirectory()) return `folder ${stats.dev} ${stats.ino}`;
  return `file ${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

export function isUnchanged(seen: Seen): boolean {
  for (const [path, state] of seen) if (stateOf(path) !== state) return false;
  return true;
}

export function isFolder(path: string): boolean {
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

/** A pipe in its place must not block the process. */
export function readSmall(path: string): string {
  const file = openNamed(path);
  if (file === 'folder' || file === 'special') throw broken(path, 'it is not a file');
  if (typeof file === 'string') throw reasonError(file, path);
  const text = readOpenedSync(file, maxFileBytes)?.toString();
  if (text === undefined) throw broken(path, 'it is too large to be what git wrote');
  return text;
}

function reasonError(reason: OpenRefusal, path: string): LoreError {
  const [word, state] = states[reason] ?? unreadable;
  return gitError(word, path, `it ${state}`);
}

/** Reads from the disk; converts a failure to an error that names the path. */
export function attempt<T>(path: string, work: () => T, what = 'it'): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LoreError) throw error;
    const [word, state] = judge(error);
    throw gitError(word, path, `${what} ${state}`, { cause: error });
  }
}

const unreadable: [ErrorWord, string] = ['unavailable', 'cannot be read'];
const states: { readonly [reason in OpenRefusal]?: [ErrorWord, string] } = {
  denied: ['forbidden', 'may not be read'],
  missing: ['unavailable', 'does not exist'],
  link: ['invalid_input', 'is a circular link'],
};

export function judge(error: unknown): [ErrorWord, string] {
  return states[refusalOf(error)] ?? unreadable;
}

const hints: Partial<Record<ErrorWord, string>> = {
  forbidden: 'Check the permissions of this path and of the folders above it.',
  unavailable: 'Run `git status` there and repair the repository.',
};

export function gitError(word: ErrorWord, path: string, state: string, { cause }: { cause?: unknown } = {}): LoreError {
  const hint = hints[word];
  return new LoreError(word, `Cannot identify the project from "${path}": ${state}`, { ...(hint && { hint }), cause });
}

export function broken(path: string, state: string): LoreError {
  return gitError('unavailable', path, `${state}, so the repository is broken`);
}
