// A record of our change to a file, beside the database: the original bytes and a hash of the result, so that an uninstall
// knows whether it can restore the original. Settings may contain secrets, so only their owner can read the copy.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { removeEmptyFolder } from './config-file.ts';

interface Receipt {
  file: string;
  /** The programs and scopes that use this file. */
  holders: string[];
  existed: boolean;
  /** Hash of the file after our change. */
  after: string;
}

export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export interface Receipts {
  read(target: string): (Receipt & { before: Buffer }) | undefined;
  write(target: string, receipt: Receipt, before: Uint8Array): void;
  drop(target: string): void;
  /** Folders created for files; they are removed with the last file in them. */
  addFolders(folders: readonly string[]): void;
  sweepFolders(): void;
  /** Path of the original bytes of a file. */
  backupOf(target: string): string;
}

export function openReceipts(folder: string): Receipts {
  const nameOf = (target: string) => join(folder, hashBytes(Buffer.from(target)).slice(0, 16));
  const backupOf = (target: string) => `${nameOf(target)}.before`;
  const list = join(folder, 'folders.json');
  const readFolders = () => parseList(readOrNothing(list));
  const writeFolders = (folders: readonly string[]) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(list, `${JSON.stringify(folders)}\n`, { mode: 0o600 });
  };
  return {
    backupOf,
    read(target) {
      try {
        const receipt = JSON.parse(readFileSync(`${nameOf(target)}.json`, 'utf8')) as Receipt;
        return { ...receipt, before: readFileSync(backupOf(target)) };
      } catch {
        return undefined;
      }
    },
    write(target, { file, holders, existed, after }, before) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(backupOf(target), before, { mode: 0o600 });
      writeFileSync(`${nameOf(target)}.json`, `${JSON.stringify({ file, holders, existed, after }, null, 2)}\n`, {
        mode: 0o600,
      });
    },
    drop(target) {
      rmSync(`${nameOf(target)}.json`, { force: true });
      rmSync(backupOf(target), { force: true });
    },
    addFolders(folders) {
      if (folders.length > 0) writeFolders([...new Set([...readFolders(), ...folders])]);
    },
    sweepFolders() {
      const left = readFolders()
        .sort((a, b) => b.length - a.length)
        .filter((one) => !removeEmptyFolder(one));
      if (left.length > 0) return writeFolders(left);
      rmSync(list, { force: true });
      if (removeEmptyFolder(folder)) removeEmptyFolder(dirname(folder));
    },
  };
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function parseList(text: string): string[] {
  try {
    return JSON.parse(text) as string[];
  } catch {
    return [];
  }
}
