// The work of indexing a tree: walk, parse what changed, write, let go what is gone, tie. It may be done twice, or by two
// processes at once: what is written has names for ids. What it has done counts at once, and is not done again when it is
// taken up after an end.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DerivedFile, type Deriving, removeDerived, replaceDerived } from '../../../graph/derived.ts';
import { gatherDerived, settleSame } from '../../../graph/derived-keep.ts';
import { type KnownFile, listDerived } from '../../../graph/derived-read.ts';
import type { Work } from '../../../graph/worker.ts';
import { linkEntities, linkHistory } from './link/history.ts';
import { linkFiles } from './link/link.ts';
import { rankFiles } from './link/rank.ts';
import { markOf } from './mark.ts';
import type { ParsePool } from './parse/pool.ts';
import { type WalkedFile, walkSources } from './walk.ts';

/** What is to be indexed, as it waits in an operation. */
export interface IndexInput {
  root: string;
  force?: boolean;
  include?: string[];
  exclude?: string[];
  max_file_size?: number;
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
const reportEveryMs = 400;
/** So many new nodes are gathered: a search looks at those before one by one. */
const gatherEvery = 4_000;

export interface Doing extends Pick<Work, 'signal' | 'report'> {
  deriving: Deriving;
  pool: ParsePool;
}

export async function indexTree(doing: Doing, input: IndexInput): Promise<Indexed> {
  const { deriving, signal } = doing;
  const { store, project, model } = deriving;
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
  await readFiles({ doing, input, known, largest, indexed, seen }, changed);
  const gone = [...known.values()].filter(({ path }) => isWhole && !seen.has(path));
  await removeDerived(
    deriving,
    gone.map(({ id }) => id),
  );
  indexed.removed = gone.length;
  await linkFiles(deriving, signal, (done) => doing.report(done, changed.length, 'tying files'));
  await linkHistory(deriving, input.root, seen);
  await linkEntities(deriving, seen);
  if (changed.length > 0 || gone.length > 0) await rankFiles(deriving, signal);
  await gatherDerived(store, signal);
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
}

/** Threads parse while this one writes what they have done before. */
async function readFiles(reading: Reading, files: readonly WalkedFile[]): Promise<void> {
  const { doing, input, known, largest } = reading;
  const { deriving, pool, signal } = doing;
  const { model, project } = deriving;
  const batches = cutBatches(files);
  const progress = createProgress(doing, files.length);
  let next = 0;
  let fresh = 0;
  let writing: Promise<unknown> = Promise.resolve();
  const work = async () => {
    while (next < batches.length) {
      signal.throwIfAborted();
      const batch = batches[next++] as WalkedFile[];
      const hashes = batch.map(({ path }) => [path, input.force ? undefined : known.get(path)?.hash] as const);
      const results = await pool.parse({ project, root: input.root, model, largest, files: hashes });
      const write = writing.then(async () => {
        signal.throwIfAborted();
        const read: DerivedFile[] = [];
        for (const result of results) {
          if ('file' in result) read.push(result.file);
          else if ('same' in result) await settleSame(deriving, known.get(result.path) as KnownFile, result.same);
          else reading.seen.delete(result.path);
          count(reading, result);
        }
        await replaceDerived(deriving, read);
        fresh += read.reduce((sum, { nodes }) => sum + nodes.length, 0);
        if (fresh >= gatherEvery) {
          fresh = 0;
          await gatherDerived(deriving.store, signal);
        }
        await progress(batch.length, batch.at(-1)?.path ?? '');
        await nextTurn();
      });
      writing = write.catch(() => {});
      await write;
    }
  };
  // One more than there are threads, so that none waits while its last files are written.
  await Promise.all(Array.from({ length: pool.width + 1 }, work));
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

function cutBatches(files: readonly WalkedFile[]): WalkedFile[][] {
  const batches: WalkedFile[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const file of files) {
    if (bytes + file.size > bytesAtOnce || (batches.at(-1)?.length ?? 0) >= filesAtOnce) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(file);
    bytes += file.size;
  }
  return batches;
}

function createProgress({ report }: Doing, total: number) {
  let done = 0;
  let last = 0;
  return async (more: number, path: string) => {
    done += more;
    if (Date.now() - last < reportEveryMs) return;
    last = Date.now();
    await report(done, total, path);
  };
}
