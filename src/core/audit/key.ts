// The keys that sign audit lines. A key is stored beside the settings, where a program that can only write the log's folder
// cannot reach it, or beside the log if that is not possible. Each line contains the id of its key.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { loadCrypto } from '../crypto.ts';
import { LoreError } from '../error.ts';
import { openKeyFile, readKeyFile } from '../key-file.ts';

export const auditKeyFile = 'audit.key';

export interface AuditKey {
  id: string;
  secret: Uint8Array;
}

export type AuditKeys = ReadonlyMap<string, Uint8Array>;

/** Folders for the key, the usual one first. Outside the user's home no folder is created for it. */
export function auditKeyFolders(settingsFile: string, logFolder: string): string[] {
  const settings = dirname(resolve(settingsFile));
  const isUsable = existsSync(settings) || settings.startsWith(homedir() + sep);
  return isUsable ? [settings, logFolder] : [logFolder];
}

/** The signing key, created if there is none. */
export async function openAuditKey(folders: readonly string[]): Promise<AuditKey> {
  const [known] = await readAuditKeys(folders);
  if (known) return { id: known[0], secret: known[1] };
  let failure: unknown;
  for (const folder of folders) {
    try {
      return identify(await openKeyFile(join(folder, auditKeyFile)));
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

/** All keys by id; the signing key first. */
export async function readAuditKeys(folders: readonly string[]): Promise<AuditKeys> {
  const keys = new Map<string, Uint8Array>();
  for (const folder of folders) {
    const secret = await readSecret(join(folder, auditKeyFile));
    if (secret) keys.set(identify(secret).id, secret);
  }
  return keys;
}

/** A key that this user cannot read is ignored. */
async function readSecret(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readKeyFile(file);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== undefined) return undefined;
    throw new LoreError('unavailable', `Cannot use the audit key "${file}": ${message}`, {
      hint: 'Restore the file, or delete it. Lorekeeper then creates a new key, and lore audit --verify reports the change.',
    });
  }
}

function identify(secret: Uint8Array): AuditKey {
  return { id: sign('id', secret).slice(0, 16), secret };
}

/** HMAC-SHA-256, in hexadecimal digits. */
export function sign(text: string, secret: Uint8Array): string {
  return loadCrypto().createHmac('sha256', secret).update(text).digest('hex');
}
