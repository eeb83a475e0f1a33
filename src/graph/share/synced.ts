// The result of a sync, as its steps add to it.
import type { BlockedMemory } from './capture-log.ts';
import type { BatchGuard } from './guard/guard.ts';
import type { Imported } from './import-ops.ts';
import type { RemoteFile, ShareRemote } from './remote.ts';

export interface SyncedLog {
  remote: string;
  /** Operations. */
  sent: number;
  received: number;
  stored: number;
  changed: number;
  removed: number;
  /** Operations that wait for the remote. */
  pending: number;
  blocked: BlockedMemory[];
  /** Files that were skipped, and why. */
  problems: { path: string; problem: string }[];
  /** Whether the history of the remote was written anew, without what was retracted. */
  rewritten: boolean;
  /** Why the remote was not reached, or nothing was sent, and what to do; everything else was done. */
  problem?: string;
  hint?: string;
}

export interface GuardedRemote {
  remote: ShareRemote;
  guard: BatchGuard;
}

export type SyncReport = (done: number, total: number, message: string) => void;

export function noteProblem(synced: SyncedLog, problem: string, hint: string | undefined): void {
  Object.assign(synced, { problem, ...(hint !== undefined && { hint }) });
}

export function addImported(synced: SyncedLog, received: number, { stored, changed, removed }: Imported): void {
  synced.received += received;
  synced.stored += stored.length;
  synced.changed += changed.length;
  synced.removed += removed.length;
}

/** Together: most files are small, and one at a time would cost each several transactions. */
const readBytes = 1 << 20;

export function* groupBySize(files: readonly RemoteFile[]): Generator<RemoteFile[]> {
  let [group, bytes]: [RemoteFile[], number] = [[], 0];
  for (const file of files) {
    if (bytes + file.size > readBytes && group.length > 0) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(file);
    bytes += file.size;
  }
  if (group.length > 0) yield group;
}
