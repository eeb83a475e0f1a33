// Reads a reference from git's files: starting git takes longer than a whole sync needs for anything else.
import { join } from 'node:path';
import { LoreError } from '../../core/error.ts';
import { look, readSmall } from './files.ts';

const longestChain = 5;

/** The commit it leads to; undefined if there is none, 'unknown' if only git can say. `common` is the directory of all worktrees. */
export function readRef(common: string, name: string): string | undefined {
  try {
    return follow(common, name, longestChain);
  } catch (error) {
    if (error instanceof LoreError) return 'unknown';
    throw error;
  }
}

function follow(common: string, name: string, left: number): string | undefined {
  const file = join(common, name);
  // Another format of references, or a loop.
  if (left === 0 || look(join(common, 'reftable'), new Map())) return 'unknown';
  const text = look(file, new Map()) ? readSmall(file).trim() : findPacked(common, name);
  if (text === undefined || /^[0-9a-f]{40,64}$/.test(text)) return text;
  const [, target] = /^ref: (refs\/[\w./-]+)$/.exec(text) ?? [];
  return target === undefined || target.includes('..') ? 'unknown' : follow(common, target, left - 1);
}

function findPacked(common: string, name: string): string | undefined {
  const file = join(common, 'packed-refs');
  if (!look(file, new Map())) return undefined;
  const line = readSmall(file)
    .split('\n')
    .find((one) => one.endsWith(` ${name}`));
  return line?.split(' ', 1)[0];
}
