// A secret key in a file that only its owner can read. The first process that needs it creates it.
import { promises as files } from 'node:fs';
import { dirname } from 'node:path';
import { loadCrypto } from './crypto.ts';

const length = 32;

/** Throws the file system's error, or one that describes the invalid file. */
export async function openKeyFile(file: string): Promise<Buffer> {
  const found = await readKeyFile(file);
  if (found) return found;
  const draft = `${file}.${process.pid}.${loadCrypto().randomBytes(4).toString('hex')}`;
  try {
    await files.mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await files.writeFile(draft, loadCrypto().randomBytes(length), { mode: 0o600, flag: 'wx', flush: true });
    // Created atomically, and not over a file that another process has just created.
    await files.link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await files.rm(draft, { force: true });
  }
  const made = await readKeyFile(file);
  if (!made) throw new Error('it no longer exists');
  return made;
}

/** Undefined if there is none. */
export async function readKeyFile(file: string): Promise<Buffer | undefined> {
  let key: Buffer;
  try {
    key = await files.readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (key.length !== length) throw new Error(`it has ${key.length} bytes instead of ${length}`);
  return key;
}
