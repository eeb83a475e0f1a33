// An exact search without ripgrep: our own walk, and a thread that looks through the files it finds.
import type { Worker } from 'node:worker_threads';
import { follow } from '../../../../files/inside.ts';
import { walkTree } from '../../../../files/tree.ts';
import { startThread } from '../../thread-file.ts';
import { bounds, type ExactQuery, type ExactResult, type LineHit } from './hit.ts';
import { patternError, type Where } from './with-ripgrep.ts';

export interface ScanJob {
  root: string;
  source: string;
  flags: string;
  context: number;
}

const filesAtOnce = 64;

export async function searchWithScan(
  query: ExactQuery,
  where: Where,
  milliseconds = bounds.milliseconds,
): Promise<ExactResult> {
  const { source, flags } = compile(query);
  where.signal.throwIfAborted();
  const job: ScanJob = { root: where.root, source, flags, context: query.context };
  const worker = startThread('scan', 'search', {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  worker.unref();
  const hits: LineHit[] = [];
  let isLate = false;
  const stop = () => void worker.terminate();
  const timer = setTimeout(() => {
    isLate = true;
    stop();
  }, milliseconds);
  where.signal.addEventListener('abort', stop);
  try {
    for await (const paths of listFiles(query, where)) {
      const found = await ask(worker, paths);
      // Cancelled, or at its end.
      if (!found) break;
      for (const hit of found) hits.push(hit);
      if (hits.length >= bounds.hits) return { hits, partial: 'limit' };
    }
    where.signal.throwIfAborted();
    return isLate ? { hits, partial: 'timeout' } : { hits };
  } finally {
    clearTimeout(timer);
    where.signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

function compile({ pattern, isRegex, caseSensitive }: ExactQuery): RegExp {
  const source = isRegex ? pattern : pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  try {
    return new RegExp(source, caseSensitive ? 'gm' : 'gim');
  } catch {
    throw patternError(pattern);
  }
}

/** Nothing when the thread is gone. */
function ask(worker: Worker, paths: readonly string[]): Promise<LineHit[] | undefined> {
  return new Promise((resolve) => {
    const settle = (hits: LineHit[] | undefined) => {
      worker.off('message', settle).off('exit', onEnd).off('error', onEnd);
      resolve(hits);
    };
    const onEnd = () => settle(undefined);
    worker.on('message', settle).on('exit', onEnd).on('error', onEnd);
    worker.postMessage(paths);
  });
}

async function* listFiles({ extensions }: ExactQuery, { root, path, signal }: Where): AsyncGenerator<string[]> {
  const fits = (name: string) =>
    extensions.length === 0 || extensions.some((one) => name.toLowerCase().endsWith(`.${one}`));
  let batch: string[] = [];
  // Of a single file there is nothing below it.
  const named = path === '' ? 'folder' : follow(root, path);
  if (typeof named !== 'string' && named.stats.isFile()) return yield [path];
  for await (const entry of walkTree(root, { from: path, measure: false, signal })) {
    if (!entry.isFolder && fits(entry.path)) batch.push(entry.path);
    if (batch.length < filesAtOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
