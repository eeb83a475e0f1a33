// The background job that syncs the shared memories of a project with their remotes. Any process can finish it, and a tool never
// waits for a network.
import { LoreError } from '../../core/error.ts';
import type { OpenGraph } from '../../graph/open.ts';
import type { Work } from '../../graph/operation/worker.ts';
import { reopenScope, type Scope } from '../../graph/project/scope.ts';
import type { GuardOptions } from '../../graph/share/guard/open.ts';
import type { SharedLevel } from '../../graph/share/level.ts';
import type { SyncedLog } from '../../graph/share/synced.ts';
import type { Reviewed } from './review/review.ts';

export const syncKind = 'sync';

export interface SyncSettings extends GuardOptions {
  /** Between automatic syncs; 0 for none. */
  minutes(): number;
}

interface SyncInput {
  project: { id: string; root: string; name: string };
  actor: string;
}

export interface SyncResult {
  /** Files of the default branch that were reviewed there. */
  reviewed: Reviewed;
  synced: (SyncedLog & { level: SharedLevel })[];
}

/** The operation, which any process can run. */
export function queueSync({ opened, project, actor }: Scope): Promise<{ id: string }> {
  const { id, root, name } = project;
  return opened.operations.add(syncKind, id, { project: { id, root, name }, actor } satisfies SyncInput);
}

export async function performSync(opened: OpenGraph, work: Work, options: GuardOptions): Promise<SyncResult> {
  const { project, actor } = work.operation.input as SyncInput;
  const scope = await reopenScope(opened, { ...project, actor });
  const [{ listRemotes, openRemote, readAuthor }, { openGuard }, { openSharing }, { syncLog }] = await Promise.all([
    import('../../graph/share/destination.ts'),
    import('../../graph/share/guard/open.ts'),
    import('../../graph/share/share.ts'),
    import('../../graph/share/sync.ts'),
  ]);
  const chosen = await listRemotes(opened, scope.project.id);
  const by = await readAuthor();
  const { signal } = work;
  const report = (done: number, total: number, message: string) => void work.report(done, total, message);
  const exchange = async (level: SharedLevel, remote: string) => {
    const place = openRemote(scope, level, remote, { folder: options.folder, signal });
    const guarded = { remote: place, openGuard: () => openGuard(scope, level, place, options) };
    return syncLog(opened, await openSharing(scope, level, by), guarded, { signal, report });
  };
  const synced: SyncResult['synced'] = [];
  // The team first: a memory that moved there is then not removed from the other machines.
  for (const { level, remote } of chosen.reverse()) synced.push({ level, ...(await exchange(level, remote)) });
  const { importReviewed } = await import('./review/review.ts');
  // After what others made of the same files.
  const reviewed = await importReviewed(scope, by);
  const [team] = synced;
  if (reviewed.stored + reviewed.changed > 0 && team?.level === 'team' && team.problem === undefined) {
    const { sent, received, pending, blocked } = await exchange('team', chosen[0]?.remote as string);
    synced[0] = { ...team, sent: team.sent + sent, received: team.received + received, pending, blocked };
  }
  return { reviewed, synced };
}

export function noRemoteError(): LoreError {
  return new LoreError('invalid_input', 'Cannot sync: no remote was chosen for this project', {
    hint: 'Choose one, e.g. lore sync now --remote origin, or --level mine --remote git@host:you/memories.git',
  });
}
