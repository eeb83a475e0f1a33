// The audit log's lines: each is JSON that ends with a hash of everything before it, including the hash of the line above, so
// a changed, removed or moved line is detected at the next one. The hash is keyed, so it cannot be forged without the key;
// lines of earlier versions have none.

import { hashHex } from '../crypto.ts';
import { isObject } from '../schema.ts';
import type { AuditEntry } from './audit.ts';
import { type AuditKey, type AuditKeys, sign } from './key.ts';

export interface AuditLine extends AuditEntry {
  seq: number;
  time: string;
  prev: string;
  /** The id of the key that its hash was made with. */
  key?: string;
  hash: string;
}

/** End of the chain, also stored beside the log to detect missing lines at the end. */
export interface AuditHead {
  seq: number;
  hash: string;
  /** Size of the newest file, in bytes. */
  size: number;
}

export const beginning: AuditHead = { seq: 0, hash: '0'.repeat(64), size: 0 };

export const auditFile = 'audit.jsonl';
export const auditHeadFile = 'audit.head';

/** A full file is named after its last line. */
export function nameFull(seq: number): string {
  return `audit-${String(seq).padStart(12, '0')}.jsonl`;
}

export const fullFile = /^audit-\d{12}\.jsonl$/;

/** The tool name of lines that the log itself wrote. */
export const auditItself = 'audit';
export const headMissing = 'head_missing';

export function writeLine(
  entry: AuditEntry,
  { seq, hash: prev }: Pick<AuditHead, 'seq' | 'hash'>,
  time: string,
  key: AuditKey,
) {
  const body = JSON.stringify({ seq: seq + 1, time, ...entry, prev, key: key.id });
  const hash = sign(body, key.secret);
  return { text: `${body.slice(0, -1)},"hash":"${hash}"}\n`, seq: seq + 1, hash };
}

const ending = /,"hash":"([0-9a-f]{64})"\}$/;

/** `changed`: its hash does not match. `key_missing`: it cannot be verified. */
export type LineState = 'intact' | 'changed' | 'key_missing';

export function readLine(text: string, keys: AuditKeys): { state: LineState; line?: AuditLine } {
  const [tail, hash] = ending.exec(text) ?? [];
  if (tail === undefined) return { state: 'changed' };
  const line = parseLine(text);
  if (!line) return { state: 'changed' };
  const body = `${text.slice(0, -tail.length)}}`;
  if (line.key === undefined) return hashHex(body) === hash ? { state: 'intact', line } : { state: 'changed' };
  const secret = keys.get(line.key);
  if (!secret) return { state: 'key_missing', line };
  return sign(body, secret) === hash ? { state: 'intact', line } : { state: 'changed' };
}

function parseLine(text: string): AuditLine | undefined {
  try {
    const line: unknown = JSON.parse(text);
    if (!isObject(line) || !Number.isSafeInteger(line.seq)) return undefined;
    return line.key === undefined || typeof line.key === 'string' ? (line as unknown as AuditLine) : undefined;
  } catch {
    return undefined;
  }
}

/** The same length for every head, so that it can be overwritten in one write. */
export function writeHead(head: AuditHead): string {
  return `${JSON.stringify(head).padEnd(159)}\n`;
}

export function readHead(text: string): AuditHead | undefined {
  try {
    const head: unknown = JSON.parse(text);
    if (!isObject(head) || !Number.isSafeInteger(head.seq) || !Number.isSafeInteger(head.size)) return undefined;
    return typeof head.hash === 'string' ? (head as unknown as AuditHead) : undefined;
  } catch {
    return undefined;
  }
}
