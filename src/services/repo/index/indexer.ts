// The indexer of a process: its parsing threads, the operations it does, and the trees it keeps current.
import type { Host } from '../../../core/service.ts';
import type { GraphAccess } from '../../../graph/access.ts';
import { readIndexState } from '../../../graph/derived/read.ts';
import { findTree, storeTree } from '../../../graph/derived/tree.ts';
import type { OpenGraph } from '../../../graph/open.ts';
import { isOver } from '../../../graph/operation/follow.ts';
import type { Operation, WholeOperation } from '../../../graph/operation/operation.ts';
import { projectOf } from '../../../graph/project/project.ts';
import type { Scope } from '../../../graph/project/scope.ts';
import type { Current } from './current.ts';
import type { IndexInput, IndexOptions } from './indexing.ts';
import type { ParsePool } from './parse/pool.ts';
import type { Thread } from './thread.ts';

export const indexKind = 'index';

export interface Indexer {
  start(host: Host): void;
  /**
   * Starts to index a tree, or joins a running operation with the same options. The operation belongs to the caller's
   * project, so that the caller can follow it.
   */
  ask(scope: Scope, input: IndexInput, callerProject: string): Promise<string>;
  /** Keeps an indexed tree current, in the background. */
  keep(scope: Scope): void;
  /** Resolves when all noticed changes are indexed. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Of a tree that `isStill`, files never change in place: nothing is to be watched, and that they go says nothing. */
export function createIndexer(access: GraphAccess, isStill: (root: string) => boolean = () => false): Indexer {
  let host: Host | undefined;
  let pool: ParsePool | undefined;
  let current: Promise<Current> | undefined;
  let stopped = false;
  let running = 0;
  const kept = new Set<string>();
  const threads = new Set<Thread>();

  async function openPool(): Promise<ParsePool> {
    const { createParsePool } = await import('./parse/pool.ts');
    pool ??= createParsePool();
    return pool;
  }

  function onThread(thread: Thread): void {
    threads.add(thread);
    void thread.ended.finally(() => threads.delete(thread)).catch(() => {});
  }

  async function openCurrent(): Promise<Current> {
    const { createCurrent } = await import('./current.ts');
    return createCurrent({
      pool: await openPool(),
      // A running operation may have missed the change, so only a waiting one is joined.
      reindex: async (opened, project, input) => void (await ask(opened, project, input, 'queued')),
      log: () => host?.log,
    });
  }

  async function follow(opened: OpenGraph, project: string, input: IndexInput): Promise<void> {
    const { root, tree: _, force: __, ...options } = input;
    if (stopped || !opened.stays) return;
    kept.add(root);
    if (isStill(root)) return;
    current ??= openCurrent();
    await (await current).keep(opened, project, root, options);
  }

  /** Without `callerProject` it is a refresh: the index keeps its state until it is done. */
  async function ask(
    opened: OpenGraph,
    tree: string,
    wanted: IndexInput,
    joins: 'queued' | 'open',
    callerProject?: string,
  ): Promise<string> {
    const project = callerProject ?? projectOf(tree);
    const input: IndexInput = project === tree ? wanted : { ...wanted, tree };
    const unfinished = await opened.operations.unfinished([project], indexKind);
    const isOpen = (one: Operation) => (joins === 'open' ? !isOver(one) : one.state === 'queued');
    const same = unfinished.findLast((one) => isOpen(one) && isSame(one, input));
    if (same) return same.id;
    const { id } = await opened.operations.add(indexKind, project, input);
    const { root, force: _, tree: __, ...options } = input;
    const kept = { tree, project: projectOf(tree), root, options: JSON.stringify(options) };
    if (callerProject !== undefined) await storeTree(opened.store, { ...kept, operation: id });
    opened.worker.wake();
    return id;
  }

  access.whenOpen((opened) => {
    opened.worker.handle(indexKind, async ({ operation, signal, report }) => {
      const { runIndexing } = await import('./thread.ts');
      const input = operation.input as IndexInput;
      const project = input.tree ?? operation.project;
      running++;
      try {
        const indexed = await runIndexing({ opened, project, signal, report, pool: openPool, onThread }, input);
        await follow(opened, project, input);
        const { removeGone } = await import('./gone.ts');
        await removeGone(opened, project);
        return indexed;
      } finally {
        running--;
        if (stopped) await pool?.close();
      }
    });
  });

  return {
    start(given) {
      host = given;
    },
    ask: ({ opened, project }, input, callerProject) => ask(opened, project.tree, input, 'open', callerProject),
    keep({ opened, project }) {
      const { tree, root } = project;
      if (stopped || !opened.stays || kept.has(root)) return;
      kept.add(root);
      void catchUp(opened, tree, root).catch(() => kept.delete(root));
    },
    settled: async () => (await current)?.settled(),
    async stop() {
      stopped = true;
      await (await current)?.stop();
      // The graph ends running operations and returns them to the queue.
      if (running > 0) return;
      await pool?.close();
      for (const { stop } of threads) stop();
      await Promise.allSettled([...threads].map(({ ended }) => ended));
    },
  };

  /** Indexes changes from before the watch. */
  async function catchUp(opened: OpenGraph, project: string, root: string): Promise<void> {
    const { state } = await readIndexState(opened, project);
    if (state !== 'complete') return void kept.delete(root);
    const known = await findTree(opened.store, project);
    const options = JSON.parse(known?.options ?? '{}') as IndexOptions;
    await ask(opened, project, { root, ...options }, 'open');
  }
}

function isSame({ input }: WholeOperation, wanted: IndexInput): boolean {
  return JSON.stringify(input) === JSON.stringify(wanted);
}
