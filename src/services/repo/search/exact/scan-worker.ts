// The thread that searches files without ripgrep. A pattern that never finishes blocks only this thread, which is then
// terminated.
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { decodeText } from '../../../../files/decode.ts';
import { openReal, readOpenedSync } from '../../../../files/open.ts';
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
  const bytes = readOpenedSync(openReal(path), bounds.fileSize);
  return bytes && decodeText(bytes);
}
