// SQLite's errors, by result code, and the reason why a file cannot be used, which SQLite does not report.
import { accessSync, constants, existsSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LoreError } from '../../core/error.ts';
import { type FailureText, held, toFailure } from '../failure.ts';
import { loadDriver } from './driver.ts';

const full: FailureText = {
  word: 'unavailable',
  state: 'the disk is full',
  hint: 'Free some space; no acknowledged write was lost.',
};

const unlockable: FailureText = {
  word: 'unavailable',
  state: 'its file system does not support file locks',
  hint: 'Set LORE_DB to a file on a local disk.',
};

/** SQLite's message for each code, since the binding does not report the code with every error. */
const failures: Record<number, FailureText & { text: string }> = {
  5: { text: 'database is locked', ...held },
  8: {
    text: 'attempt to write a readonly database',
    word: 'forbidden',
    state: 'it cannot be written',
    hint: 'Check the permissions of the file and its folder.',
  },
  10: {
    text: 'disk I/O error',
    word: 'unavailable',
    state: 'the disk failed',
    hint: 'Check the disk; no acknowledged write was lost.',
  },
  11: {
    text: 'database disk image is malformed',
    word: 'unavailable',
    state: 'the file is damaged',
    hint: 'Restore a backup made with lore backup.',
  },
  13: { text: 'database or disk is full', ...full },
  14: {
    text: 'unable to open database file',
    word: 'unavailable',
    state: 'it cannot be opened',
    hint: 'Check that its folder exists and can be written.',
  },
  15: { text: 'locking protocol', ...held },
  26: {
    text: 'file is not a database',
    word: 'unavailable',
    state: 'it is damaged, or not a database',
    hint: 'Restore a backup made with lore backup, or set LORE_DB to another file.',
  },
};

/** The primary result code. */
function codeOf(error: unknown): number {
  const { errcode, code, message } = (error ?? {}) as { errcode?: unknown; code?: unknown; message?: unknown };
  if (typeof errcode === 'number') return errcode & 0xff;
  if (code !== 'ERR_SQLITE_ERROR') return 0;
  return Number(Object.entries(failures).find(([, { text }]) => message === text)?.[0] ?? 0);
}

/** Another process uses it: SQLITE_BUSY, or SQLITE_PROTOCOL when many open it at the same moment. */
export function isBusy(error: unknown): boolean {
  return [5, 15].includes(codeOf(error));
}

export function toSqliteFailure(error: unknown, path: string): unknown {
  const code = codeOf(error);
  const failure = failures[code];
  return failure ? toFailure(examine(code, path) ?? failure, path, error) : error;
}

export function toDamage(cause: unknown, path: string): LoreError {
  return toFailure(failures[11] as FailureText, path, cause);
}

/** Details from the state of the file. */
function examine(code: number, path: string): FailureText | undefined {
  const folder = dirname(path);
  // Files beside the database cannot grow; SQLite reports this as a disk error.
  if (code === 10) return isFull(folder) ? full : undefined;
  if (code === 5 || code === 15) return canLock(folder) ? undefined : unlockable;
  if (code !== 8 && code !== 14) return undefined;
  if (isFolder(path)) return { word: 'invalid_input', state: 'it is a folder', hint: 'LORE_DB must be a file.' };
  if (!isFolder(folder)) {
    const hint = `Make "${folder}" a folder, or correct LORE_DB.`;
    return { word: 'invalid_input', state: 'it is not in a folder', hint };
  }
  if (!isAllowed(folder, constants.W_OK | constants.X_OK)) {
    const hint = 'SQLite creates files next to the database: check the permissions of the folder.';
    return { word: 'forbidden', state: 'its folder cannot be written', hint };
  }
  if (existsSync(path) && !isAllowed(path, constants.R_OK)) {
    return { word: 'forbidden', state: 'it cannot be read', hint: 'Check the permissions of the file.' };
  }
  return undefined;
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** SQLite reports a lock that the system refuses as one that another process holds. A new file has no other process. */
function canLock(folder: string): boolean {
  const path = join(folder, `lock-test-${process.pid}-${Date.now()}`);
  try {
    const probe = new (loadDriver())(path);
    try {
      probe.exec('pragma busy_timeout = 0; begin exclusive; rollback');
    } finally {
      probe.close();
    }
    return true;
  } catch (error) {
    return !isBusy(error);
  } finally {
    rmSync(path, { force: true });
  }
}

function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < 65_536;
  } catch {
    return false;
  }
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

export function toFolderFailure(error: unknown, path: string): LoreError {
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return toFailure(full, path, error);
  const hint = 'Check the permissions of the folder above, or set LORE_DB to another file.';
  return toFailure({ word: 'forbidden', state: 'its folder cannot be created', hint }, path, error);
}
