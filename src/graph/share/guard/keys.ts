// The keys for the user's other machines, in a file that only the user can read: one in each line, the current one first. The user
// carries the key to another machine as a text.
import { promises as files } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadCrypto } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';
import { withFileLock } from '../../../core/file-lock.ts';
import type { GuardKeys } from './encrypted.ts';

const prefix = 'lore-key-';
const length = 32;

/** `folder` is the one for our own repositories. */
export async function openGuardKeys(folder: string): Promise<GuardKeys> {
  const file = join(folder, 'mine.keys');
  return {
    keys: await readKeys(file),
    create: () =>
      change(file, (keys) => (keys.length > 0 ? keys : [loadCrypto().randomBytes(length)])).then(
        ([first]) => first as Buffer,
      ),
  };
}

/** Makes a key from another machine the current one; earlier ones stay, for files that were encrypted with them. */
export async function setGuardKey(folder: string, text: string): Promise<void> {
  const key = readKey(text.trim());
  if (!key) {
    throw new LoreError('invalid_input', `Cannot use the key: expected ${prefix} and ${length} bytes in base64url`, {
      hint: 'Print it on the other machine: lore sync key',
    });
  }
  await change(join(folder, 'mine.keys'), (keys) => [key, ...keys.filter((one) => !one.equals(key))]);
}

export function writeKey(key: Buffer): string {
  return `${prefix}${key.toString('base64url')}`;
}

function readKey(text: string): Buffer | undefined {
  const key = text.startsWith(prefix) ? Buffer.from(text.slice(prefix.length), 'base64url') : undefined;
  return key?.length === length && writeKey(key) === text ? key : undefined;
}

async function readKeys(file: string): Promise<Buffer[]> {
  let text: string;
  try {
    text = await files.readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw brokenError(file, error);
  }
  const keys = text.split('\n').filter((line) => line !== '');
  return keys.map((line) => {
    const key = readKey(line);
    if (!key) throw brokenError(file);
    return key;
  });
}

/** A damaged file is never replaced: its keys may be the only ones. */
function brokenError(file: string, cause?: unknown): LoreError {
  return new LoreError('unavailable', `Cannot read the keys of your memories in "${file}"`, {
    hint: 'Restore the file from a backup, or move it away and set the key of another machine: lore sync key --set',
    cause,
  });
}

async function change(file: string, next: (keys: readonly Buffer[]) => readonly Buffer[]): Promise<readonly Buffer[]> {
  await files.mkdir(dirname(file), { recursive: true, mode: 0o700 });
  return withFileLock(`${file}.lock`, undefined, async () => {
    const keys = next(await readKeys(file));
    await files.writeFile(`${file}.draft`, `${keys.map(writeKey).join('\n')}\n`, { mode: 0o600, flush: true });
    await files.rename(`${file}.draft`, file);
    return keys;
  });
}
