// The thread that looks through files where there is no ripgrep. A pattern that takes for ever takes this thread alone,
// which is then ended from outside.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { decodeText } from '../../../../graph/decode.ts';
import { bounds, type LineHit } from './hit.ts';
import type { ScanJob } from './scan.ts';
import { scanText } from './scan-file.ts';

const { root, source, flags, context } = workerData as ScanJob;
const pattern = new RegExp(source, flags);

parentPort?.on('message', (paths: readonly string[]) => {
  const hits: LineHit[] = [];
  for (const path of paths) {
    const text = readText(join(root, path));
    if (text !== undefined) for (const hit of scanText(path, text, pattern, context)) hits.push(hit);
  }
  parentPort?.postMessage(hits);
});

function readText(path: string): string | undefined {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  let held: number | undefined;
  try {
    held = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const stats = fstatSync(held);
    if (!stats.isFile() || stats.size > bounds.fileSize) return undefined;
    const bytes = Buffer.alloc(stats.size);
    return decodeText(bytes.subarray(0, readSync(held, bytes, 0, stats.size, 0)));
  } catch {
    return undefined;
  } finally {
    if (held !== undefined) closeSync(held);
  }
}
