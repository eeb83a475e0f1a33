// The files that a checkpoint mentions, with enough of their state to detect later changes.

import { lookAt, readLook } from '../../../files/project-file.ts';
import { skim } from '../../../graph/create-node.ts';
import { extractFiles } from '../../../graph/entity/entity.ts';

interface FileMark {
  modified: number;
  size: number;
  /** Hash of the text; undefined for files that are too large. */
  hash?: string;
}

export type FileMarks = { readonly [path: string]: FileMark };

export interface ChangedFile {
  path: string;
  state: 'changed' | 'gone';
}

const maxFiles = 40;

/** Only existing files: a planned one is never reported as deleted. */
export async function markFiles(text: string, root: string): Promise<FileMarks> {
  // Entries of the user have no folder.
  const paths = root === '' ? [] : extractFiles(skim(text)).slice(0, maxFiles);
  const marked = await Promise.all(paths.map(async (path) => [path, await markFile(root, path)] as const));
  return Object.fromEntries(marked.flatMap(([path, mark]) => (mark ? [[path, mark]] : [])));
}

async function markFile(root: string, path: string): Promise<FileMark | undefined> {
  const look = await lookAt(root, path);
  if (look === undefined || look === 'gone' || look.isFolder) return undefined;
  const hash = (await readLook(look))?.hash;
  return { modified: look.modified, size: look.size, ...(hash !== undefined && { hash }) };
}

export async function findChanged(marks: FileMarks, root: string): Promise<ChangedFile[]> {
  const states = await Promise.all(
    Object.entries(marks).map(async ([path, mark]) => ({ path, state: await compare(root, path, mark) })),
  );
  return states.flatMap(({ path, state }) => (state === 'same' ? [] : [{ path, state }]));
}

/** A file that was only rewritten or checked out counts as unchanged. */
async function compare(root: string, path: string, mark: FileMark): Promise<ChangedFile['state'] | 'same'> {
  const look = await lookAt(root, path);
  if (look === 'gone') return 'gone';
  // A file that cannot be read is not reported as changed.
  if (look === undefined || (look.modified === mark.modified && look.size === mark.size)) return 'same';
  if (mark.hash === undefined || look.size !== mark.size) return 'changed';
  return (await readLook(look))?.hash === mark.hash ? 'same' : 'changed';
}
