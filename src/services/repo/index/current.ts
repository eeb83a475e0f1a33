// Keeps an index current while a server runs: changed files are re-read a moment later; files that changed while no server ran
// are read at the first query.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '../../../core/log.ts';
import { type Deriving, removeDerived, replaceDerived } from '../../../graph/derived/derived.ts';
import { findDerived, hasBelow, listDerived } from '../../../graph/derived/read.ts';
import { createRenewal } from '../../../graph/derived/renew.ts';
import type { OpenGraph } from '../../../graph/open.ts';
import { type IndexInput, type IndexOptions, largestFile } from './indexing.ts';
import { linkFiles } from './link/link.ts';
import { nameFile } from './names.ts';
import type { ParsePool } from './parse/pool.ts';
import { ruleFiles } from './path-filter.ts';
import { pickSources } from './walk.ts';
import { type Watching, watchTree } from './watch.ts';

export interface Current {
  /** Starts to watch; called again, it only updates the options. */
  keep(opened: OpenGraph, project: string, root: string, options: IndexOptions): Promise<void>;
  /** Resolves when all noticed changes are indexed. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export interface CurrentOptions {
  pool: ParsePool;
  /** Reads the whole tree again: after more changes than are worth looking at one by one. */
  reindex(opened: OpenGraph, project: string, input: IndexInput): Promise<void>;
  log: () => Log | undefined;
}

/** As when a branch is switched. */
const manyFiles = 200;

export function createCurrent({ pool, reindex, log }: CurrentOptions): Current {
  const watched = new Map<string, Watching>();
  const optionsOf = new Map<string, IndexOptions>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let working: Promise<unknown> = Promise.resolve();

  async function update(opened: OpenGraph, project: string, root: string, paths: string[]): Promise<void> {
    if (signal.aborted) return;
    const isRules = (path: string) => ruleFiles.some((name) => path === name || path.endsWith(`/${name}`));
    const options = optionsOf.get(root) ?? {};
    const largest = options.max_file_size ?? largestFile;
    if (paths.length > manyFiles || paths.some(isRules)) return reindex(opened, project, { root, ...options });
    const model = (await opened.embedding.measure()).chosen;
    const deriving: Deriving = { store: opened.store, project, model, now: opened.graph.now() };
    const { files, rest } = await pickSources(root, paths, { ...options, signal, largest });
    const ids = paths.map((path) => nameFile(project, path));
    const known = new Map((await findDerived(opened, ids)).map((file) => [file.path, file]));
    const asked = files.map(({ path }) => [path, known.get(path)?.hash] as const);
    const results = asked.length === 0 ? [] : await pool.parse({ project, root, model, largest, files: asked });
    const read = results.flatMap((result) => ('file' in result ? [result.file] : []));
    const renewal = createRenewal(deriving);
    await renewal.replacing(read);
    await replaceDerived(deriving, read);
    const dropped = new Set([...rest, ...results.flatMap((result) => ('skip' in result ? [result.path] : []))]);
    const gone = [...known.values()].filter(({ path }) => dropped.has(path)).map(({ id }) => id);
    await renewal.removing(gone);
    await removeDerived(deriving, gone);
    // A folder that is new or gone is known by its name alone.
    for (const path of rest) {
      if (known.has(path)) continue;
      const isFolder = (await lstat(join(root, path)).catch(() => undefined))?.isDirectory() ?? false;
      if (isFolder || (await hasBelow(opened, project, path))) return reindex(opened, project, { root, ...options });
    }
    await renewal.settle(signal);
    await linkFiles(deriving, signal, async () => {});
    watched.get(root)?.follow(read.map(({ path }) => path));
  }

  return {
    async keep(opened, project, root, options) {
      optionsOf.set(root, options);
      if (signal.aborted || watched.has(root)) return;
      const watching = watchTree(root, (paths) => {
        working = working
          .then(() => update(opened, project, root, paths))
          .catch((error: unknown) => {
            if (!signal.aborted) log()?.warn('index_not_current', { error: String(error) });
          });
      });
      watched.set(root, watching);
      const paths: string[] = [];
      for await (const { path } of listDerived(opened, project)) paths.push(path);
      watching.follow(paths);
    },
    settled: async () => void (await working),
    async stop() {
      stopping.abort();
      for (const watching of watched.values()) watching.stop();
      watched.clear();
      await working;
    },
  };
}
