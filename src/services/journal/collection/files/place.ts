// Which file or folder an argument means. Only what really lies inside the project may be read: an agent may be talked
// into naming any path, and what is ingested is shown to others.
import { lstat, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { LoreError } from '../../../../core/error.ts';
import { isInside, nameInside } from '../../../../core/path.ts';

export interface Place {
  /** The project's, without links. */
  root: string;
  /** From the root, with slashes; empty for the root itself. */
  name: string;
  isFolder: boolean;
  bytes: number;
}

/** `folder` is where the caller works: a relative path is meant from there. */
export async function locate(given: string, folder: string, root: string): Promise<Place> {
  const asked = given.includes('\0') ? undefined : resolve(folder, given);
  if (asked === undefined) throw refuse('invalid_input', given, 'it is not a path', 'a path');
  const real = await realpath(asked).catch(() => undefined);
  const top = await realpath(root);
  if (real === undefined) {
    // Whether something is there is nobody's business outside the project.
    if (isInside(asked, root) || isInside(asked, top) || isInside(asked, folder)) {
      throw refuse('not_found', given, 'there is no such file or folder', 'a file or folder of the project');
    }
    throw refuseOutside(given);
  }
  if (!isInside(real, top)) throw refuseOutside(given);
  const name = nameInside(real, top);
  if (name.split('/').includes('.git')) throw refuse('forbidden', given, 'it belongs to git', 'a document');
  const stat = await lstat(real);
  if (!stat.isDirectory() && !stat.isFile()) {
    throw refuse('invalid_input', given, 'it is neither a file nor a folder', 'a regular file or a folder');
  }
  return { root: top, name, isFolder: stat.isDirectory(), bytes: stat.size };
}

function refuseOutside(given: string): LoreError {
  const hint = 'Work from the folder of its project, copy it into this one, or pass its text as content.';
  return refuse('forbidden', given, 'it lies outside the project', 'a path inside the project', hint);
}

function refuse(
  word: 'invalid_input' | 'not_found' | 'forbidden',
  given: string,
  state: string,
  expected: string,
  hint?: string,
): LoreError {
  return new LoreError(word, `Cannot ingest "${given}": ${state}`, {
    ...(hint !== undefined && { hint }),
    details: { path: 'arguments.path', expected, received: given },
  });
}
