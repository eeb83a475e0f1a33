// A batch: operations of one device as a file that never changes. Its first line says whose they are, and a last line may be a
// signature. The name ends with a hash of the content, so no two devices, and no two states of one, ever write the same path.
import { hashHex, loadCrypto } from '../../core/crypto.ts';
import { isObject } from '../../core/schema.ts';
import { msOf } from './clock.ts';
import type { SharedLevel } from './level.ts';
import { readOp, type SharedOp, writeCanonical, writeOp } from './op.ts';

export interface BatchFile {
  path: string;
  text: string;
}

/** Operations of one device and author, before they are a file. */
export interface Batch {
  level: SharedLevel;
  ops: readonly [SharedOp, ...SharedOp[]];
}

export interface ReadBatch {
  ops: SharedOp[];
  signed?: SignedText;
  /** Why some or all of it was skipped. */
  problem?: string;
}

export interface SignedText {
  message: string;
  signature: Buffer;
}

const version = 1;
const mostOps = 200;
const mostBytes = 1 << 20;
/** Larger files are not read: nobody's batches grow so large. */
export const maxBatchBytes = 8 << 20;
const mostLines = 1_000;
const longestName = 200;
const form = /^log\/(d_[0-9a-z]{1,38})\/\d{4}-\d\d\/([0-9a-z]{13})-([0-9a-f]{16})\.ndjson$/;
const saltBytes = 9;

/** The device of a batch, by its path; undefined if it is something else. */
export function deviceOf(path: string): string | undefined {
  return form.exec(path)?.[1];
}

/** Whether the content is the one that the file was named after. */
export function isNamed(path: string, text: string): boolean {
  return form.exec(path)?.[3] === hashName(text);
}

function hashName(text: string): string {
  return hashHex(text).slice(0, 16);
}

/** Operations of one device, oldest first. Those of one author are together: a name may change. */
export function groupOps(level: SharedLevel, ops: readonly SharedOp[]): Batch[] {
  const batches: { level: SharedLevel; ops: [SharedOp, ...SharedOp[]] }[] = [];
  let bytes = 0;
  for (const op of ops) {
    const size = Buffer.byteLength(writeOp(op));
    const last = batches.at(-1)?.ops;
    const isFull = !last || last.length >= mostOps || bytes + size > mostBytes || last[0].by !== op.by;
    if (isFull) batches.push({ level, ops: [op] });
    else last.push(op);
    bytes = isFull ? size : bytes + size;
  }
  return batches;
}

/** Exactly what is sent, unless it is signed or encrypted. */
export function writeBatch(batch: Batch): string {
  return joinLines([writeHeader(batch), ...batch.ops.map((op) => writeOp(op))]);
}

/** The signature covers a hash of each line, so that a line can be retracted later and the others stay signed. */
export async function signBatch(batch: Batch, sign: (message: string) => Promise<string>): Promise<string> {
  // Otherwise the hash would confirm a guess at what was retracted.
  const salt = () => loadCrypto().randomBytes(saltBytes).toString('base64url');
  const lines = batch.ops.map((op) => writeOp(op, salt()));
  const header = writeHeader(batch);
  const signature = await sign(writeMessage(header, lines.map(hashHex)));
  return joinLines([header, ...lines, writeCanonical({ sig: signature })]);
}

function writeHeader({ level, ops: [{ by, dev }] }: Batch): string {
  return writeCanonical({ by, dev, level, v: version });
}

function writeMessage(header: string, hashes: readonly string[]): string {
  return joinLines([header, ...hashes]);
}

function joinLines(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

/** `at` is the time of its first operation. */
export function nameBatch({ dev, at }: Pick<SharedOp, 'dev' | 'at'>, text: string): BatchFile {
  const month = new Date(msOf(at)).toISOString().slice(0, 7);
  return { path: `log/${dev}/${month}/${at}-${hashName(text)}.ndjson`, text };
}

export function readBatch(path: string, level: SharedLevel, text: string): ReadBatch {
  const dev = deviceOf(path);
  const { head, lines, signature } = splitBatch(text);
  const header = readHeader(head);
  if (dev === undefined || !header) return { ops: [], problem: 'it is not a batch of operations' };
  if (header.v !== version) return { ops: [], problem: 'a newer version of Lorekeeper wrote it' };
  if (header.dev !== dev || header.level !== level)
    return { ops: [], problem: 'it belongs to another device or level' };
  if (lines.length > mostLines) return { ops: [], problem: 'it is too large' };
  const written = lines.filter((line) => readRetracted(line) === undefined);
  const ops = written.flatMap((line) => readOp(line, dev, header.by) ?? []);
  const skipped = written.length - ops.length;
  const hashes = lines.map((line) => readRetracted(line) ?? hashHex(line));
  return {
    ops,
    ...(signature && { signed: { signature, message: writeMessage(head, hashes) } }),
    ...(skipped > 0 && { problem: `${skipped} of its ${written.length} operations are not valid` }),
  };
}

function splitBatch(text: string): { head: string; lines: string[]; signature: Buffer | undefined } {
  const [head = '', ...lines] = text.split('\n').filter((line) => line !== '');
  const [, signature] = /^\{"sig":"([\w+/=]+)"\}$/.exec(lines.at(-1) ?? '') ?? [];
  if (signature === undefined) return { head, lines, signature: undefined };
  return { head, lines: lines.slice(0, -1), signature: Buffer.from(signature, 'base64') };
}

/** The hash of an operation that was retracted from a signed batch. */
function readRetracted(line: string): string | undefined {
  return /^\{"was":"([0-9a-f]{64})"\}$/.exec(line)?.[1];
}

function readHeader(line: string): { v: unknown; dev: unknown; level: unknown; by: string } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value) || typeof value.by !== 'string' || value.by.length > longestName) return undefined;
    return { v: value.v, dev: value.dev, level: value.level, by: value.by };
  } catch {
    return undefined;
  }
}

export type OpFilter = (op: SharedOp) => boolean;

/** The text of a batch without some operations; undefined if nothing remains. What is not understood stays. */
export function filterBatch(path: string, text: string, isKept: OpFilter): string | undefined {
  const { head, lines, signature } = splitBatch(text);
  const [dev = '', by = ''] = [deviceOf(path), readHeader(head)?.by];
  const kept = lines.flatMap((line) => {
    const op = readOp(line, dev, by);
    if (!op || isKept(op)) return [line];
    return signature ? [writeCanonical({ was: hashHex(line) })] : [];
  });
  if (kept.every((line, at) => line === lines[at]) && kept.length === lines.length) return text;
  if (kept.every((line) => readRetracted(line) !== undefined)) return undefined;
  return joinLines([head, ...kept, ...(signature ? [writeCanonical({ sig: signature.toString('base64') })] : [])]);
}

/** The same batch with another text; its device and time are in its path. */
export function renameBatch(path: string, text: string): BatchFile | undefined {
  const [, dev, at] = form.exec(path) ?? [];
  return dev === undefined || at === undefined ? undefined : nameBatch({ dev, at }, text);
}
