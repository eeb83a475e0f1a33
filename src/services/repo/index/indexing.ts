// Indexes a tree: walk, parse changed files, write, remove deleted files, link. It is idempotent, also between processes,
// because ids are derived from names. Progress is durable: after a crash it continues where it stopped.
import { type DerivedFile, type Deriving, removeDerived, replaceDerived } from '../../../graph/derived/derived.ts';
import { settleSame } from '../../../graph/derived/maintain.ts';
import { type KnownFile, listDerived } from '../../../graph/derived/read.ts';
import { createRenewal, type Renewal } from '../../../graph/derived/renew.ts';
import type { Work } from '../../../graph/operation/worker.ts';
import { linkEntities, linkHistory } from './link/history.ts';
import { linkFiles } from './link/link.ts';
import { rankFiles } from './link/rank.ts';
import { markOf } from './mark.ts';
import type { ParsePool } from './parse/pool.ts';
import { type WalkedFile, walkSources } from './walk.ts';

/** Which files of a tree are indexed; valid until other options are given. */
export interface IndexOptions {
  include?: string[];
  exclude?: string[];
  max_file_size?: number;
}

/** Input of the operation. */
export interface IndexInput extends IndexOptions {
  root: string;
  /** Where its project can have several. */
  tree?: string;
  force?: boolean;
}

export interface Indexed {
  files: number;
  symbols: number;
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  skipped: Record<string, number>;
  seconds: number;
}

export const largestFile = 1_000_000;
const filesAtOnce = 32;
const bytesAtOnce = 200_000;
/** Every report is a write, which invalidates the caches of the indexing thread. */
const reportEveryMs = 1_000;
/** Nodes written at once, growing from the first batch, or terms: they are buffered until then. */
const leastNodes = 2_000;
const mostNodes = 8_000;
const mostTerms = 1_000_000;

export interface Doing extends Pick<Work, 'signal' | 'report'> {
  deriving: Deriving;
  pool: ParsePool;
}

export async function indexTree(doing: Doing, input: IndexInput): Promise<Indexed> {
  const { deriving, signal } = doing;
  const { project, model } = deriving;
  const begun = Date.now();
  const largest = input.max_file_size ?? largestFile;
  await doing.report(0, undefined, 'looking for files');
  const { files, skipped, isWhole } = await walkSources(input.root, { ...input, signal, largest });
  const known = new Map<string, KnownFile>();
  for await (const file of listDerived(deriving, project)) known.set(file.path, file);
  const mark = markOf(model);
  const changed = files.filter((file) => input.force || !isSame(file, known.get(file.path), mark));
  const indexed: Indexed = {
    files: files.length,
    symbols: 0,
    added: 0,
    changed: 0,
    unchanged: files.length - changed.length,
    removed: 0,
    skipped,
    seconds: 0,
  };
  const seen = new Set(files.map(({ path }) => path));
  // Nothing is tied yet where nothing is known.
  const renewal = known.size > 0 ? createRenewal(deriving) : undefined;
  await readFiles({ doing, input, known, largest, indexed, seen, renewal }, changed);
  const gone = [...known.values()].filter(({ path }) => isWhole && !seen.has(path)).map(({ id }) => id);
  await renewal?.removing(gone);
  await removeDerived(deriving, gone);
  indexed.removed = gone.length;
  await renewal?.settle(signal);
  const tied = createProgress(doing, changed.length);
  await linkFiles(deriving, signal, (more) => tied(more, 'tying files'));
  await linkHistory(deriving, input.root, seen);
  await linkEntities(deriving, seen);
  if (changed.length > 0 || gone.length > 0) await rankFiles(deriving, signal);
  return { ...indexed, seconds: Math.round((Date.now() - begun) / 100) / 10 };
}

function isSame({ size, modified }: WalkedFile, known: KnownFile | undefined, mark: string): boolean {
  return known !== undefined && known.size === size && known.modified === modified && known.hash.endsWith(mark);
}

interface Reading {
  doing: Doing;
  input: IndexInput;
  known: ReadonlyMap<string, KnownFile>;
  largest: number;
  indexed: Indexed;
  /** Loses what turns out not to be worth indexing. */
  seen: Set<string>;
  renewal: Renewal | undefined;
}

/** Threads parse while this one writes the previous files. */
async function readFiles(reading: Reading, files: readonly WalkedFile[]): Promise<void> {
  const { doing, input, known, largest } = reading;
  const { deriving, pool, signal } = doing;
  const { model, project } = deriving;
  const jobs = cutJobs(files);
  const progress = createProgress(doing, files.length);
  const writer = createWriter(reading);
  let next = 0;
  const work = async () => {
    while (next < jobs.length) {
      signal.throwIfAborted();
      const job = jobs[next++] as WalkedFile[];
      const hashes = job.map(({ path }) => [path, input.force ? undefined : known.get(path)?.hash] as const);
      const results = await pool.parse({ project, root: input.root, model, largest, files: hashes });
      for (const result of results) {
        if ('file' in result) writer.add(result.file);
        else if ('same' in result) await settleSame(deriving, known.get(result.path) as KnownFile, result.same);
        else reading.seen.delete(result.path);
        count(reading, result);
      }
      await writer.free();
      await progress(job.length, job.at(-1)?.path ?? '');
    }
  };
  // One more than there are threads, so that none waits for its next files.
  await Promise.all(Array.from({ length: pool.width + 1 }, work));
  await writer.finish();
}

/** Files are written in batches, small at first, so that results appear early. */
function createWriter({ doing, renewal }: Reading) {
  const { deriving, signal } = doing;
  let batch: DerivedFile[] = [];
  let [nodes, terms, most] = [0, 0, leastNodes];
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    const files = batch;
    [batch, nodes, terms, most] = [[], 0, 0, Math.min(mostNodes, most * 3)];
    await renewal?.replacing(files);
    await replaceDerived(deriving, files, signal);
  }

  /** Sequential; a failure is reported to the next caller that waits. */
  function go(): void {
    if (writing || batch.length === 0) return;
    writing = write();
    writing.then(
      () => {
        writing = undefined;
        if (isFull()) go();
      },
      () => {},
    );
  }

  const isFull = () => nodes >= most || terms >= mostTerms;
  return {
    add(file: DerivedFile): void {
      batch.push(file);
      nodes += file.nodes.length;
      for (const { length } of file.nodes) terms += length;
    },
    /** Resolves when there is room for more. */
    async free(): Promise<void> {
      if (!isFull()) return;
      await writing;
      go();
    },
    async finish(): Promise<void> {
      while (writing || batch.length > 0) {
        await writing;
        go();
      }
    },
  };
}

function count({ indexed, known }: Reading, result: Awaited<ReturnType<ParsePool['parse']>>[number]): void {
  if ('file' in result) {
    indexed.symbols += result.file.nodes.length - 1;
    indexed[known.has(result.path) ? 'changed' : 'added']++;
  } else if ('same' in result) indexed.unchanged++;
  else {
    indexed.files--;
    indexed.skipped[result.skip] = (indexed.skipped[result.skip] ?? 0) + 1;
  }
}

function cutJobs(files: readonly WalkedFile[]): WalkedFile[][] {
  const jobs: WalkedFile[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const file of files) {
    if (bytes + file.size > bytesAtOnce || (jobs.at(-1)?.length ?? 0) >= filesAtOnce) {
      jobs.push([]);
      bytes = 0;
    }
    jobs.at(-1)?.push(file);
    bytes += file.size;
  }
  return jobs;
}

function createProgress({ report }: Doing, total: number) {
  let done = 0;
  let last = 0;
  return async (more: number, message: string) => {
    done += more;
    if (Date.now() - last < reportEveryMs) return;
    last = Date.now();
    await report(done, total, message);
  };
}
