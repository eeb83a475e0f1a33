// The audit log on disk: `audit.jsonl` beside the database, earlier full files, and `audit.head`, which records the end of the
// chain. Concurrent entries are written together and synced before any of them is acknowledged.
import { mkdirSync } from 'node:fs';
import { type FileHandle, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEntry } from '../../core/audit/audit.ts';
import {
  type AuditHead,
  auditFile,
  auditHeadFile,
  auditItself,
  beginning,
  fullFile,
  headMissing,
  nameFull,
  readHead,
  readLine,
  writeHead,
  writeLine,
} from '../../core/audit/chain.ts';
import { type AuditKey, type AuditKeys, openAuditKey, readAuditKeys } from '../../core/audit/key.ts';
import { LoreError } from '../../core/error.ts';
import { type FileLock, openFileLock } from '../sqlite/file-lock.ts';

interface AuditSettings {
  /** Folders for the key; the first usable one is taken. Default: beside the log. */
  keyFolders?: readonly string[];
  /** A file that would exceed this is full. */
  maxBytes?: number;
  timeoutMs?: number;
}

export interface AuditFile {
  /** When this resolves, the line is on disk; returns the new end of the chain. */
  append(entry: AuditEntry): Promise<AuditHead>;
  close(): Promise<void>;
}

interface Waiting {
  entry: AuditEntry;
  resolve(head: AuditHead): void;
  reject(error: unknown): void;
}

/** Creates no files before the first line. */
export function openAuditFile(folder: string, settings: AuditSettings = {}): AuditFile {
  const { maxBytes = 8 << 20, timeoutMs = 10_000, keyFolders = [folder] } = settings;
  const path = join(folder, auditFile);
  let lock: FileLock | undefined;
  let signing: Signing | undefined;
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        lock ??= openLock(folder, timeoutMs);
        const entries = batch.map(({ entry }) => entry);
        signing ??= await openSigning(keyFolders);
        const held = await lock.hold(() => appendEntries(folder, entries, maxBytes, signing as Signing));
        if (!held) throw new Error('the lock is held');
        for (const { resolve } of batch) resolve(held.value);
      } catch (error) {
        const failure = explain(path, error);
        for (const { reject } of batch) reject(failure);
      }
    }
    writing = undefined;
  }

  return {
    append: (entry) =>
      new Promise((resolve, reject) => {
        waiting.push({ entry, resolve, reject });
        writing ??= writeWaiting();
      }),
    async close() {
      await writing;
      lock?.close();
      lock = undefined;
    },
  };
}

function openLock(folder: string, timeoutMs: number): FileLock {
  mkdirSync(folder, { recursive: true });
  return openFileLock(join(folder, 'audit.lock'), timeoutMs);
}

interface Signing {
  key: AuditKey;
  keys: AuditKeys;
}

async function openSigning(folders: readonly string[]): Promise<Signing> {
  const key = await openAuditKey(folders);
  return { key, keys: await readAuditKeys(folders) };
}

/** Runs under the lock. */
async function appendEntries(
  folder: string,
  entries: readonly AuditEntry[],
  maxBytes: number,
  { key, keys }: Signing,
): Promise<AuditHead> {
  const heads = await openHead(folder);
  let file = await open(join(folder, auditFile), 'a+', 0o600);
  try {
    let { head, glue, notes } = await findEnd(folder, file, heads.head, keys);
    let text = glue;
    for (const entry of [...notes, ...entries]) {
      const line = writeLine(entry, head, new Date().toISOString(), key);
      text += line.text;
      head = { ...head, seq: line.seq, hash: line.hash };
    }
    const bytes = Buffer.from(text);
    if (head.size > 0 && head.size + bytes.length > maxBytes) {
      await file.close();
      await rename(join(folder, auditFile), join(folder, nameFull(head.seq - notes.length - entries.length)));
      file = await open(join(folder, auditFile), 'a+', 0o600);
      head.size = 0;
    }
    await writeWhole(file, bytes, head.size);
    if (head.size === 0) await syncFolder(folder);
    const end = { ...head, size: head.size + bytes.length };
    await heads.write(end);
    return end;
  } finally {
    await file.close();
    await heads.close();
  }
}

/** Writes all or nothing: a full disk must not leave half a line. */
async function writeWhole(file: FileHandle, bytes: Buffer, before: number): Promise<void> {
  try {
    await file.appendFile(bytes);
    await file.datasync();
  } catch (error) {
    await file.truncate(before).catch(() => {});
    throw error;
  }
}

interface End {
  /** The line that the next one is chained to, and the size of the file. */
  head: AuditHead;
  /** Terminates a line that another program left unfinished. */
  glue: string;
  /** Entries about the log itself, written first. */
  notes: AuditEntry[];
}

/**
 * A killed process leaves complete lines that the head does not include yet, which count, and perhaps half a line, which
 * was never acknowledged. Any other damage is left unchanged for verification to report.
 */
async function findEnd(folder: string, file: FileHandle, kept: AuditHead | undefined, keys: AuditKeys): Promise<End> {
  const { size } = await file.stat();
  if (kept && kept.size === size) return { head: kept, glue: '', notes: [] };
  const known = kept ?? (await findLast(folder, file, keys));
  const notes = kept || known.seq === 0 ? [] : [{ ...itself, outcome: headMissing }];
  if (size < known.size) return { head: { ...known, size }, glue: await endOpenLine(file, size), notes };
  const rest = Buffer.alloc(size - known.size);
  await file.read(rest, 0, rest.length, known.size);
  let head = known;
  let at = 0;
  for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, at)) {
    const { line } = readLine(rest.toString('utf8', at, end), keys);
    if (!line || line.prev !== head.hash)
      return { head: { ...head, size }, glue: await endOpenLine(file, size), notes };
    at = end + 1;
    head = { seq: line.seq, hash: line.hash, size: known.size + at };
  }
  if (at < rest.length) await file.truncate(head.size);
  return { head, glue: '', notes };
}

const itself: Omit<AuditEntry, 'outcome'> = { caller: 'lorekeeper', folder: '', tool: auditItself };

async function endOpenLine(file: FileHandle, size: number): Promise<string> {
  if (size === 0) return '';
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last[0] === 10 ? '' : '\n';
}

/** Without a head, the last valid line of all files is the end. */
async function findLast(folder: string, file: FileHandle, keys: AuditKeys): Promise<AuditHead> {
  const full = (await readdir(folder)).filter((name) => fullFile.test(name)).sort();
  const texts = [await file.readFile('utf8'), ...full.slice(-1).map((name) => join(folder, name))];
  for (const [at, text] of texts.entries()) {
    const lines = (at === 0 ? text : await readFile(text, 'utf8')).split('\n').slice(0, -1);
    const line = lines.map((one) => readLine(one, keys).line).findLast((one) => one !== undefined);
    if (line) return { seq: line.seq, hash: line.hash, size: at === 0 ? Buffer.byteLength(lines.join('\n')) + 1 : 0 };
  }
  return beginning;
}

/** Created before the first line, so that no log exists without a head. */
async function openHead(folder: string) {
  const path = join(folder, auditHeadFile);
  const isFirst = !(await readdir(folder)).some((name) => name === auditFile || fullFile.test(name));
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const head = text === undefined ? undefined : readHead(text);
  const file = await open(path, text === undefined ? 'w' : 'r+', 0o600);
  async function write(next: AuditHead): Promise<void> {
    await file.write(writeHead(next), 0, 'utf8');
  }
  if (isFirst && !head) await write(beginning);
  return { head: head ?? (isFirst ? beginning : undefined), write, close: () => file.close() };
}

async function syncFolder(folder: string): Promise<void> {
  // Windows does not support it.
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function explain(path: string, cause: unknown): LoreError {
  if (cause instanceof LoreError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT' || message === 'database or disk is full';
  const state = isFull
    ? 'the disk is full'
    : message === 'the lock is held'
      ? 'another process holds it'
      : 'it cannot be written';
  const hint = isFull
    ? 'Free some space; audited calls are refused until then.'
    : 'Audited calls are refused until it can be written. lore doctor checks this installation.';
  return new LoreError('unavailable', `Cannot write audit log "${path}": ${state}`, { hint, cause });
}
