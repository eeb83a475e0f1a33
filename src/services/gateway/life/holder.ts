// Decides which process of the user runs a server: the first that needs it. Its socket is written to a file; if nobody answers
// there, the next process takes over, under a lock, and ends what the dead one left behind.

import { lstatSync, mkdirSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashHex } from '../../../core/crypto.ts';
import { LoreError } from '../../../core/error.ts';
import { withFileLock } from '../../../core/file-lock.ts';
import { createId } from '../../../core/id.ts';
import { endOrphans, listRecorded } from './orphans.ts';
import { connectRelay, type RelayedUpstream } from './relay-client.ts';

/** Socket paths have a length limit. */
const longestPath = 100;

/** A socket that only the user can reach. */
export function chooseSocket(folder: string): string {
  const id = createId('s');
  if (process.platform === 'win32') return `\\\\.\\pipe\\lore-${id}`;
  const path = join(folder, `${id}.sock`);
  if (Buffer.byteLength(path) <= longestPath) return path;
  const short = join(tmpdir(), `lore-${process.getuid?.() ?? 0}-${hashHex(folder).slice(0, 8)}`);
  mkdirSync(short, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(short);
  if (uid !== process.getuid?.() || (mode & 0o077) !== 0)
    throw new LoreError('forbidden', `Cannot share servers: "${short}" belongs to somebody else`);
  return join(short, `${id}.sock`);
}

/** Ends the servers of processes that were killed. */
export async function sweepOrphans(folder: string): Promise<void> {
  for (const name of listRecorded(folder)) {
    const holder = await connectHolder(folder, name);
    if (holder) holder.close();
    else
      await lockHolder(folder, name, async () => {
        const other = await connectHolder(folder, name);
        if (other) other.close();
        else endOrphans(folder, name);
      });
  }
}

async function connectHolder(folder: string, name: string): Promise<RelayedUpstream | undefined> {
  const path = await readFile(holderFile(folder, name), 'utf8').catch(() => '');
  return path === '' ? undefined : connectRelay(path, name);
}

function lockHolder<T>(folder: string, name: string, work: () => Promise<T>): Promise<T> {
  return withFileLock(join(folder, `${name}.lock`), undefined, work);
}

function holderFile(folder: string, name: string): string {
  return join(folder, `${name}.holder`);
}

/** A connection to the holder; undefined if this process, which listens at `own`, is the holder now. */
export async function findHolder(
  folder: string,
  name: string,
  own: () => Promise<string>,
): Promise<RelayedUpstream | undefined> {
  const found = await connectHolder(folder, name);
  if (found) return found;
  return lockHolder(folder, name, async () => {
    // Another process may have been faster.
    const other = await connectHolder(folder, name);
    if (other) return other;
    endOrphans(folder, name);
    const file = holderFile(folder, name);
    const draft = `${file}.${createId('draft')}`;
    await writeFile(draft, await own(), { mode: 0o600 });
    await rename(draft, file);
    return undefined;
  });
}
