// Reads the files of the remote that are new, and imports the operations that count.
import type { OpenGraph } from '../open.ts';
import { deviceOf, isNamed, maxBatchBytes } from './batch.ts';
import type { Sharing } from './capture-log.ts';
import type { BatchGuard, OpenedBatch } from './guard/guard.ts';
import { importOps } from './import-ops.ts';
import type { OpSource } from './log.ts';
import { hashOp, type SharedOp } from './op.ts';
import type { RemoteFile } from './remote.ts';
import { forgetLost, type KnownBatch, listRead, noteRead } from './sent.ts';
import { addImported, type GuardedRemote, groupBySize, type SyncedLog, type SyncReport } from './synced.ts';

export async function receive(
  opened: OpenGraph,
  sharing: Sharing,
  { remote, guard }: GuardedRemote,
  commit: string | undefined,
  synced: SyncedLog,
  report: SyncReport,
): Promise<void> {
  const files = await remote.list(commit);
  await forgetLost(opened, sharing, files);
  const known = await listRead(opened, sharing);
  const fresh = files.filter(({ path }) => !known.has(path));
  const isLarge = ({ size }: RemoteFile) => size > maxBatchBytes;
  await note(fresh.filter(isLarge).map((file) => ({ ...file, mark: '', problem: 'it is too large' })));
  let done = 0;
  for (const group of groupBySize(fresh.filter((file) => !isLarge(file)))) {
    const texts = await remote.read(group.map(({ blob }) => blob));
    const opens = group.map((file) => ({ ...file, ...open(guard, file.path, texts.get(file.blob) ?? '') }));
    for (const sources of listSources(sharing, guard, opens))
      addImported(synced, sources.size, await importOps(opened, sharing, [...sources.keys()], sources));
    // Last: until then the files count as unread, and importing them again changes nothing.
    await note(opens);
    done += group.length;
    report(done, fresh.length, 'batches');
  }

  async function note(read: readonly (KnownBatch & Pick<OpenedBatch, 'isLocked'>)[]): Promise<void> {
    for (const { path, problem } of read) if (problem !== undefined) synced.problems.push({ path, problem });
    await noteRead(
      opened.store,
      sharing,
      read.filter(({ isLocked }) => !isLocked),
    );
  }
}

/** Files never change, so that everybody reads the same. */
function open(guard: BatchGuard, path: string, text: string): OpenedBatch {
  const isChanged = deviceOf(path) !== undefined && !isNamed(path, text);
  return isChanged ? { ops: [], mark: '', problem: 'it was changed after it was sent' } : guard.open(path, text);
}

/** Operations with the files that they come from. One that several files have is once in each part: each of them may prove something. */
function listSources(
  { dev }: Sharing,
  guard: BatchGuard,
  files: readonly (OpenedBatch & { path: string })[],
): Map<SharedOp, OpSource>[] {
  const parts: { hashes: Set<string>; sources: Map<SharedOp, OpSource> }[] = [];
  for (const { path, mark, ops } of files) {
    const isOwn = deviceOf(path) === dev && guard.isOurs(mark);
    const source = { batch: path, key: mark, isOwn, isCurrent: mark === guard.mark() };
    for (const op of ops) {
      const hash = hashOp(op);
      let part = parts.find(({ hashes }) => !hashes.has(hash));
      if (!part) {
        part = { hashes: new Set(), sources: new Map() };
        parts.push(part);
      }
      part.hashes.add(hash);
      part.sources.set(isOwn ? { ...op, here: true } : op, source);
    }
  }
  return parts.map(({ sources }) => sources);
}
