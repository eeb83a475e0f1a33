// The audit log's lines: each is JSON that ends with the hash of everything before it, the hash of the line above
// included, so no line can be changed, taken out or moved without the next one showing it.
import type { AuditEntry } from './audit.ts';
import { hashHex } from './crypto.ts';
import { isObject } from './schema.ts';

export interface AuditLine extends AuditEntry {
  seq: number;
  time: string;
  prev: string;
  hash: string;
}

/** Where the chain ends: kept beside the log as well, or nobody could tell that its last lines are gone. */
export interface AuditHead {
  seq: number;
  hash: string;
  /** Of the newest file, in bytes. */
  size: number;
}

export const beginning: AuditHead = { seq: 0, hash: '0'.repeat(64), size: 0 };

export const auditFile = 'audit.jsonl';
export const auditHeadFile = 'audit.head';

/** A file that is full is named after its last line. */
export function nameFull(seq: number): string {
  return `audit-${String(seq).padStart(12, '0')}.jsonl`;
}

export const fullFile = /^audit-\d{12}\.jsonl$/;

/** The tool of a line that the log itself wrote. */
export const auditItself = 'audit';
export const headMissing = 'head_missing';

export function writeLine(entry: AuditEntry, { seq, hash: prev }: Pick<AuditHead, 'seq' | 'hash'>, time: string) {
  const body = JSON.stringify({ seq: seq + 1, time, ...entry, prev });
  const hash = hashHex(body);
  return { text: `${body.slice(0, -1)},"hash":"${hash}"}\n`, seq: seq + 1, hash };
}

const ending = /,"hash":"([0-9a-f]{64})"\}$/;

/** Nothing where the line is not as it was written. */
export function readLine(text: string): AuditLine | undefined {
  const found = ending.exec(text);
  if (!found || hashHex(`${text.slice(0, found.index)}}`) !== found[1]) return undefined;
  try {
    const line: unknown = JSON.parse(text);
    return isObject(line) && Number.isSafeInteger(line.seq) ? (line as unknown as AuditLine) : undefined;
  } catch {
    return undefined;
  }
}

/** As long for every head, so that it can be written over in one piece. */
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
