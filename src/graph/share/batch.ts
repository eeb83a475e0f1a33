// A batch: operations of one device as a file that never changes. Its first line says whose they are. The name ends with a hash of
// the content, so no two devices, and no two states of one, ever write the same path.
import { hashHex } from '../../core/crypto.ts';
import { isObject } from '../../core/schema.ts';
import { msOf } from './clock.ts';
import type { SharedLevel } from './level.ts';
import { deviceForm, readOp, type SharedOp, writeCanonical, writeOp } from './op.ts';

export interface BatchFile {
  path: string;
  text: string;
}

export interface ReadBatch {
  ops: SharedOp[];
  /** Why some or all of it was skipped. */
  problem?: string;
}

const version = 1;
const mostOps = 200;
const mostBytes = 1 << 20;
/** Larger files are not read: nobody's batches grow so large. */
export const maxBatchBytes = 8 << 20;
const longestName = 200;
const form = /^log\/(d_[0-9a-z]{1,38})\/\d{4}-\d\d\/[0-9a-z]{13}-[0-9a-f]{16}\.ndjson$/;

/** The device of a batch, by its path; undefined if it is something else. */
export function deviceOf(path: string): string | undefined {
  return form.exec(path)?.[1];
}

export function writeHeader(level: SharedLevel, { dev, by }: Pick<SharedOp, 'dev' | 'by'>): string {
  return writeCanonical({ by, dev, level, v: version });
}

/** Operations of one device, oldest first. Those of one author are together: a name may change. */
export function writeBatches(level: SharedLevel, ops: readonly SharedOp[]): { file: BatchFile; ops: SharedOp[] }[] {
  const batches: { file: BatchFile; ops: SharedOp[] }[] = [];
  let some: SharedOp[] = [];
  let bytes = 0;
  const flush = () => {
    const [first] = some;
    if (first)
      batches.push({
        file: nameBatch(first.dev, first.at, [writeHeader(level, first), ...some.map(writeOp)]),
        ops: some,
      });
    [some, bytes] = [[], 0];
  };
  for (const op of ops) {
    const size = Buffer.byteLength(writeOp(op));
    const isFull = some.length >= mostOps || bytes + size > mostBytes || (some[0] && some[0].by !== op.by);
    if (isFull) flush();
    some.push(op);
    bytes += size;
  }
  flush();
  return batches;
}

function nameBatch(dev: string, at: string, lines: readonly string[]): BatchFile {
  const text = `${lines.join('\n')}\n`;
  const month = new Date(msOf(at)).toISOString().slice(0, 7);
  return { path: `log/${dev}/${month}/${at}-${hashHex(text).slice(0, 16)}.ndjson`, text };
}

export function readBatch(path: string, level: SharedLevel, text: string): ReadBatch {
  const dev = deviceOf(path);
  const [head = '', ...lines] = text.split('\n');
  const header = readHeader(head);
  if (dev === undefined || !header) return { ops: [], problem: 'it is not a batch of operations' };
  if (header.v !== version) return { ops: [], problem: 'a newer version of Lorekeeper wrote it' };
  if (header.dev !== dev || header.level !== level)
    return { ops: [], problem: 'it belongs to another device or level' };
  const written = lines.filter((line) => line !== '');
  const ops = written.flatMap((line) => readOp(line, dev, header.by) ?? []);
  const skipped = written.length - ops.length;
  return { ops, ...(skipped > 0 && { problem: `${skipped} of its ${written.length} operations are not valid` }) };
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

/** The same batch without the operations of some memories, under another name; undefined if nothing remains. */
export function filterBatch(
  { path, text }: BatchFile,
  isKept: (op: { id: string; at: string }) => boolean,
): BatchFile | undefined {
  const [head = '', ...lines] = text.split('\n');
  const kept = lines.filter((line) => {
    if (line === '') return false;
    try {
      const { id, at } = JSON.parse(line);
      return isKept({ id: String(id), at: String(at) });
    } catch {
      return false;
    }
  });
  const dev = deviceOf(path);
  const [, first] = /\/([0-9a-z]{13})-[^/]*$/.exec(path) ?? [];
  if (kept.length === 0 || dev === undefined || first === undefined || !deviceForm.test(dev)) return undefined;
  return nameBatch(dev, first, [head, ...kept]);
}
