// The key for an installation's pseudonyms.
import { LoreError } from '../../../core/error.ts';
import { openKeyFile, readKeyFile } from '../../../core/key-file.ts';

/** Throws `unavailable` where it cannot be kept: without it nothing may be shown. */
export function openKey(file: string): Promise<Buffer> {
  return openKeyFile(file).catch((error: unknown) => {
    throw keyError(file, error);
  });
}

/** Undefined if there is none. */
export function readKey(file: string): Promise<Buffer | undefined> {
  return readKeyFile(file).catch((error: unknown) => {
    throw keyError(file, error);
  });
}

function keyError(file: string, cause: unknown): LoreError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const state = code === undefined ? message : 'it cannot be read or created';
  return new LoreError('unavailable', `Cannot use the pseudonym key "${file}": ${state}`, {
    hint: 'Repair the file, or turn the setting pseudonyms off.',
    cause,
  });
}
