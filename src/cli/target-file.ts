// Checks the file that a command will write, before any work begins.
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LoreError } from '../core/error.ts';

/** `force`: whether to overwrite it; undefined if the command never does. */
export function checkTarget(file: string, force?: boolean): void {
  const folder = dirname(resolve(file));
  const refuse = (word: 'conflict' | 'not_found' | 'forbidden' | 'invalid_input', state: string, hint?: string) =>
    new LoreError(word, `Cannot write "${file}": ${state}`, { ...(hint !== undefined && { hint }) });
  if (!existsSync(folder)) throw refuse('not_found', `there is no folder "${folder}"`);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw refuse('invalid_input', 'it is a folder');
  if (found?.isFile() && !force)
    throw refuse('conflict', 'it already exists', force === false ? 'Pass --force to overwrite it.' : undefined);
  try {
    accessSync(found ? file : folder, constants.W_OK);
  } catch {
    throw refuse('forbidden', 'you may not write there');
  }
}
