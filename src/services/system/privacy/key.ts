// The key that an installation's pseudonyms are made with: created once, whichever process comes first, and never told.
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { loadCrypto } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';

const length = 32;

/** Throws `unavailable` where it cannot be kept: without it nothing may be told. */
export async function openKey(file: string): Promise<Buffer> {
  const found = await readKey(file);
  if (found) return found;
  const draft = `${file}.${process.pid}.${loadCrypto().randomBytes(4).toString('hex')}`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(draft, loadCrypto().randomBytes(length), { mode: 0o600, flag: 'wx', flush: true });
    // Whole or not at all, and not over one that another process has just made.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } catch (error) {
    throw refuse(file, 'it cannot be written', error);
  } finally {
    await rm(draft, { force: true });
  }
  const made = await readKey(file);
  if (!made) throw refuse(file, 'it has gone');
  return made;
}

/** Undefined where there is none. */
export async function readKey(file: string): Promise<Buffer | undefined> {
  let key: Buffer;
  try {
    key = await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw refuse(file, 'it cannot be read', error);
  }
  if (key.length !== length) throw refuse(file, `it has ${key.length} bytes and not ${length}`);
  return key;
}

function refuse(file: string, state: string, cause?: unknown): LoreError {
  return new LoreError('unavailable', `Cannot use the key of pseudonyms "${file}": ${state}`, {
    hint: 'A person can turn the setting pseudonyms off, or mend the file.',
    cause,
  });
}
