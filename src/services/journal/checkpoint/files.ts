// The files that a checkpoint speaks of, marked as they were: enough to tell later which of them changed.

import { lookAt, readLook } from '../../../files/project-file.ts';
import { skim } from '../../../graph/create-node.ts';
import { extractFiles } from '../../../graph/entity/entity.ts';

interface FileMark {
  modified: number;
  size: number;
  /** Of its text; what is too large to read has none. */
  hash?: string;
}

export type FileMarks = { readonly [path: string]: FileMark };

export interface ChangedFile {
  path: string;
  state: 'changed' | 'gone';
}

const maxFiles = 40;

/** Only files that are there: one that is only planned is never called gone. */
export async function markFiles(text: string, root: string): Promise<FileMarks> {
  // What belongs to the user is about no folder.
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

/** A file that was only written again, or checked out, is the same. */
async function compare(root: string, path: string, mark: FileMark): Promise<ChangedFile['state'] | 'same'> {
  const look = await lookAt(root, path);
  if (look === 'gone') return 'gone';
  // What cannot be looked at cannot be said to have changed.
  if (look === undefined || (look.modified === mark.modified && look.size === mark.size)) return 'same';
  if (mark.hash === undefined || look.size !== mark.size) return 'changed';
  return (await readLook(look))?.hash === mark.hash ? 'same' : 'changed';
}
