// The one-time link to the dashboard. `lore open` prints a key and leaves its hash as a file in the installation's folder; the
// server that gets the key removes the file. So only programs that can write there can create links, no message has to
// announce them, and of two uses one fails.
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const validMs = 5 * 60_000;

export interface PageLink {
  /** The secret part, which only the link contains. */
  key: string;
  /** Its public part, by which a server shows that it uses the same installation. */
  hash: string;
}

export function createLink(installation: string): PageLink {
  const folder = linkFolder(installation);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const hash of readdirSync(folder)) if (!isValid(join(folder, hash))) rmSync(join(folder, hash), { force: true });
  const key = randomBytes(32).toString('base64url');
  const hash = hashOf(key);
  writeFileSync(join(folder, hash), '', { mode: 0o600, flag: 'wx' });
  return { key, hash };
}

export function knowsLink(installation: string, hash: string): boolean {
  return /^[0-9a-f]{64}$/.test(hash) && isValid(join(linkFolder(installation), hash));
}

/** Whether the key is valid. It is used up then. */
export function useLink(installation: string, key: string): boolean {
  const file = join(linkFolder(installation), hashOf(key));
  if (!isValid(file)) return false;
  try {
    unlinkSync(file);
    return true;
  } catch {
    // Another request was faster.
    return false;
  }
}

function linkFolder(installation: string): string {
  return join(installation, 'open');
}

function isValid(file: string): boolean {
  const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.abs(age) < validMs;
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
