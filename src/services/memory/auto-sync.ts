// Syncs the projects that somebody works in, at an interval that the user chose, if a remote was chosen for them. Like every sync it
// is a background job, so several servers of one database do not repeat it.
import type { OpenGraph } from '../../graph/open.ts';
import type { Scope } from '../../graph/project/scope.ts';
import { queueSync, syncKind } from './sync.ts';

export interface AutoSync {
  /** Somebody works in it. */
  note(scope: Scope): void;
  /** Queues what is due. */
  check(): Promise<void>;
  start(): void;
  stop(): void;
}

const checkEveryMs = 60_000;
const mostProjects = 100;

/** `minutes` is 0 while nothing is synced automatically. */
export function createAutoSync(minutes: () => number): AutoSync {
  const used = new Map<string, { scope: Scope; triedAt: number }>();
  let timer: NodeJS.Timeout | undefined;
  async function check(): Promise<void> {
    const intervalMs = minutes() * 60_000;
    if (intervalMs === 0) return;
    for (const one of used.values()) {
      const now = one.scope.opened.graph.now();
      // Also after a failure: a remote that is away is not asked every minute.
      if (now - one.triedAt < intervalMs || !(await isDue(one.scope, now - intervalMs))) continue;
      one.triedAt = now;
      await queueSync({ ...one.scope, actor: 'sync' });
      one.scope.opened.worker.wake();
    }
  }
  return {
    note(scope) {
      const { id } = scope.project;
      const triedAt = used.get(id)?.triedAt ?? 0;
      used.delete(id);
      used.set(id, { scope, triedAt });
      const [oldest] = used.keys();
      if (used.size > mostProjects && oldest !== undefined) used.delete(oldest);
    },
    check,
    start() {
      // If the database is away, the next check finds the same.
      timer ??= setInterval(() => void check().catch(() => {}), checkEveryMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}

async function isDue({ opened, project }: Scope, before: number): Promise<boolean> {
  const { listRemotes } = await import('../../graph/share/destination.ts');
  const remotes = await listRemotes(opened, project.id);
  return remotes.some(({ syncedAt }) => syncedAt < before) && !(await isQueued(opened, project.id));
}

async function isQueued({ operations }: OpenGraph, project: string): Promise<boolean> {
  const unfinished = await operations.unfinished([project], syncKind);
  return unfinished.some(({ state }) => state === 'queued' || state === 'running');
}
