// The files of a tree that are worth indexing, with their sizes and times, bounded in number.
import { posix } from 'node:path';
import { type TreeEntry, type TreeSkip, walkTree } from '../../../files/tree.ts';
import { createPathFilter, type PathFilterOptions } from './path-filter.ts';

export type WalkedFile = Pick<TreeEntry, 'path' | 'size' | 'modified'>;

export interface WalkOptions extends PathFilterOptions {
  signal: AbortSignal;
  /** Bytes. */
  largest: number;
}

export interface Walked {
  files: WalkedFile[];
  /** Number of skipped files, by reason. */
  skipped: Record<string, number>;
  /** Whether everything was read: otherwise missing files may still exist. */
  isWhole: boolean;
}

const mostFiles = 200_000;

export async function walkSources(root: string, options: WalkOptions): Promise<Walked> {
  const walked: Walked = { files: [], skipped: {}, isWhole: true };
  for await (const file of walkFrom(root, options, walked)) {
    if (walked.files.length < mostFiles) walked.files.push(file);
    else {
      walked.isWhole = false;
      skip(walked, 'beyond_limit');
    }
  }
  return walked;
}

/** Splits the given files into those that a walk would find, and the rest. Their folders are assumed to be walked. */
export async function pickSources(root: string, paths: readonly string[], options: WalkOptions) {
  const walked: Walked = { files: [], skipped: {}, isWhole: true };
  const wanted = new Set(paths);
  for (const folder of new Set(paths.map((path) => posix.dirname(path)))) {
    const from = folder === '.' ? '' : folder;
    for await (const file of walkFrom(root, options, walked, { from, depth: 1 })) {
      if (wanted.has(file.path)) walked.files.push(file);
    }
  }
  const found = new Set(walked.files.map(({ path }) => path));
  return { files: walked.files, rest: paths.filter((path) => !found.has(path)) };
}

async function* walkFrom(
  root: string,
  options: WalkOptions,
  walked: Walked,
  where: { from?: string; depth?: number } = {},
) {
  const { signal, largest } = options;
  const judge = createPathFilter(options);
  const leaveOut = (name: string, path: string, isFolder: boolean) => {
    const reason = judge(name, path, isFolder);
    if (reason !== undefined && !isFolder) skip(walked, reason);
    return reason !== undefined;
  };
  const onSkip = (reason: TreeSkip, path: string) => {
    skip(walked, reason);
    // A name that is not valid text cannot be requested, so nothing below it was indexed.
    const isNamed = !path.includes('\ufffd');
    if ((reason === 'unreadable' && isNamed) || reason === 'beyond_limit') walked.isWhole = false;
  };
  for await (const { path, size, modified, isFolder } of walkTree(root, { ...where, signal, leaveOut, onSkip })) {
    if (isFolder) continue;
    if (size === 0) skip(walked, 'empty');
    else if (size > largest) skip(walked, 'too_large');
    else yield { path, size, modified };
  }
}

function skip({ skipped }: Walked, reason: string): void {
  skipped[reason] = (skipped[reason] ?? 0) + 1;
}
