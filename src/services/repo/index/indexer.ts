// The indexer of a process: its parsing threads, the operations it does, and the trees it keeps current.
import type { Host } from '../../../core/service.ts';
import type { GraphAccess } from '../../../graph/access.ts';
import { readIndexState } from '../../../graph/derived-read.ts';
import { isOver } from '../../../graph/follow.ts';
import type { OpenGraph } from '../../../graph/open.ts';
import type { Operation } from '../../../graph/operation.ts';
import type { Scope } from '../../../graph/scope.ts';
import type { Current } from './current.ts';
import type { IndexInput } from './indexing.ts';
import type { ParsePool } from './parse/pool.ts';
import type { Thread } from './thread/thread.ts';

export const indexKind = 'index';

export interface Indexer {
  start(host: Host): void;
  /** Asks for a tree to be indexed; what is under way for the same tree with the same wishes is joined. */
  ask(scope: Scope, input: IndexInput): Promise<string>;
  /** Sees to it that a tree which has been indexed stays current. Nobody waits for it. */
  keep(scope: Scope): void;
  /** Resolves when all that has been noticed is in the index. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

export function createIndexer(access: GraphAccess): Indexer {
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
      reindex: async (opened, project, root) => void (await ask(opened, project, { root }, 'queued')),
      log: () => host?.log,
    });
  }

  async function follow(opened: OpenGraph, project: string, root: string): Promise<void> {
    if (stopped) return;
    kept.add(root);
    current ??= openCurrent();
    await (await current).keep(opened, project, root);
  }

  /** What is running may be past what has changed since: who tells of a change joins only what waits. */
  async function ask(opened: OpenGraph, project: string, input: IndexInput, join: 'queued' | 'any'): Promise<string> {
    const recent = await opened.operations.recent(project, 20);
    const isOpen = (one: Operation) => (join === 'any' ? !isOver(one) : one.state === 'queued');
    const same = recent.find((one) => one.kind === indexKind && isOpen(one) && isSame(one, input));
    if (same) return same.id;
    const { id } = await opened.operations.add(indexKind, project, input);
    opened.worker.wake();
    return id;
  }

  access.whenOpen((opened) => {
    opened.worker.handle(indexKind, async ({ operation, signal, report }) => {
      const { runIndexing } = await import('./thread/thread.ts');
      const { project } = operation;
      const input = operation.input as IndexInput;
      running++;
      try {
        const indexed = await runIndexing({ opened, project, signal, report, pool: openPool, onThread }, input);
        await follow(opened, project, input.root);
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
    ask: ({ opened, project }, input) => ask(opened, project.id, input, 'any'),
    keep({ opened, project }) {
      const { id, root } = project;
      if (stopped || kept.has(root)) return;
      kept.add(root);
      void catchUp(opened, id, root).catch(() => kept.delete(root));
    },
    settled: async () => (await current)?.settled(),
    async stop() {
      stopped = true;
      await (await current)?.stop();
      // What is under way is ended by the graph, which gives the operation back for others to do.
      if (running > 0) return;
      await pool?.close();
      for (const { stop } of threads) stop();
      await Promise.allSettled([...threads].map(({ ended }) => ended));
    },
  };

  /** What changed while nobody watched is read now. */
  async function catchUp(opened: OpenGraph, project: string, root: string): Promise<void> {
    const { state } = await readIndexState(opened, project);
    if (state !== 'complete') return void kept.delete(root);
    await ask(opened, project, { root }, 'any');
  }
}

function isSame({ input }: Operation, wanted: IndexInput): boolean {
  return JSON.stringify(input) === JSON.stringify(wanted);
}
