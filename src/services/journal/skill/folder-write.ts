// Writes skills to folders: all or none. Existing files are overwritten only with --force, and never through links.
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LoreError } from '../../../core/error.ts';
import { openNamed, readOpenedSync } from '../../../files/open.ts';

export interface OutgoingFile {
  /** Relative to the target folder, with slashes. */
  path: string;
  text: string;
  executable: boolean;
}

export interface Written {
  written: number;
  /** Files that existed with the same content. */
  unchanged: number;
}

export function writeFiles(folder: string, files: readonly OutgoingFile[], force: boolean): Written {
  const due = files.filter((file) => !isWritten(folder, file, force));
  for (const { path, text, executable } of due) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    // Fails if a file was created since the check.
    const flag = lookAt(target) ? 'w' : 'wx';
    writeFileSync(target, text, { flag, mode: executable ? 0o777 : 0o666 });
  }
  return { written: due.length, unchanged: files.length - due.length };
}

/** Whether the file exists with this content; throws if another file must not be overwritten. */
function isWritten(folder: string, { path, text }: OutgoingFile, force: boolean): boolean {
  const segments = path.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..' || /[\\\0]/.test(segment))) {
    throw writeError('invalid_input', path, 'it is not a path inside a skill');
  }
  for (let length = 1; length < segments.length; length++) {
    const parent = lookAt(join(folder, ...segments.slice(0, length)));
    if (parent && !parent.isDirectory()) throw writeError('conflict', path, 'a folder of its path is a file or a link');
  }
  const target = join(folder, ...segments);
  const there = lookAt(target);
  if (!there) return false;
  if (!there.isFile()) throw writeError('conflict', path, 'a folder or link of this name exists');
  if (readOpenedSync(openNamed(target), Buffer.byteLength(text))?.toString() === text) return true;
  if (force) return false;
  throw writeError('conflict', path, 'a file with other content exists', 'Pass --force to overwrite it.');
}

function lookAt(path: string) {
  return lstatSync(path, { throwIfNoEntry: false });
}

function writeError(word: 'conflict' | 'invalid_input', path: string, state: string, hint?: string): LoreError {
  return new LoreError(word, `Cannot write "${path}": ${state}`, hint === undefined ? {} : { hint });
}
