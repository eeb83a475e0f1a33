// Sends what the remote lacks, and rewrites it without what was retracted.
import type { OpenGraph } from '../open.ts';
import { type Batch, type BatchFile, deviceOf, groupOps, maxBatchBytes, nameBatch, renameBatch } from './batch.ts';
import type { Sharing } from './capture-log.ts';
import type { BatchGuard } from './guard/guard.ts';
import { signersFile } from './guard/signers.ts';
import { hashOp, type SharedOp } from './op.ts';
import { receive } from './receive.ts';
import type { NewFile, RemoteFile } from './remote.ts';
import { forgetRead, listEnded, listOutdated, listUnsent, markSent } from './sent.ts';
import { type GuardedRemote, groupBySize, noteProblem, type SyncedLog } from './synced.ts';

/** Returns the commit that the remote has now, empty for none; undefined if it has moved on. */
export async function send(
  opened: OpenGraph,
  sharing: Sharing,
  { remote, guard }: GuardedRemote,
  tip: string | undefined,
  synced: SyncedLog,
): Promise<string | undefined> {
  const outdated = await listOutdated(opened, sharing, guard);
  const unsent = await listUnsent(opened, sharing, outdated);
  const sendable = unsent.filter(({ at }) => guard.judge([guard.mark()], at) !== undefined);
  const batches = groupOps(sharing.level, sendable);
  const ended = await listEnded(opened, sharing);
  const isRewritten = ended.size > 0;
  if (unsent.length === 0 && !isRewritten) return tip ?? '';
  const refusal = guard.refusal();
  const untimely = {
    reason: 'your key is not valid for the time of some changes',
    hint: `Let its line in ${signersFile} begin earlier, or sign with the earlier key.`,
  };
  const { reason, hint } = refusal ?? (sendable.length < unsent.length ? untimely : {});
  if (reason !== undefined) noteProblem(synced, `Cannot send to "${remote.url}": ${reason}`, hint);
  if (refusal !== undefined || (batches.length === 0 && !isRewritten)) return tip ?? '';
  const sealed = await sealBatches(guard, batches);
  const added: NewFile[] = sealed.map(({ file }) => file);
  if (isRewritten) {
    const others = (await remote.list(tip)).filter(({ path }) => !outdated.includes(path));
    added.push(...(await filterFiles({ remote, guard }, others, ended)));
  }
  const parent = isRewritten ? undefined : tip;
  const commit = await remote.commit(parent, added, opened.graph.now(), { without: outdated });
  if (!(await remote.push(commit, tip, { rewrite: isRewritten }))) return undefined;
  for (const { file, ops } of sealed) {
    const blob = remote.nameBlob(file.text);
    await markSent(opened, sharing, { path: file.path, blob, mark: guard.mark() }, ops);
    synced.sent += ops.length;
  }
  await forgetRead(opened, sharing, outdated);
  if (isRewritten) {
    synced.rewritten = true;
    // Reads the new names, and forgets the old ones.
    await receive(opened, sharing, { remote, guard }, commit, { ...synced }, () => {});
  }
  await remote.tidy({ prune: isRewritten });
  return commit;
}

async function sealBatches(guard: BatchGuard, batches: readonly Batch[]) {
  const sealed: { file: BatchFile; ops: readonly SharedOp[] }[] = [];
  for (const batch of batches) sealed.push({ file: nameBatch(batch.ops[0], await guard.seal(batch)), ops: batch.ops });
  return sealed;
}

/** All files, without the operations that a retraction ended. More than one file may have them: anybody can copy one. */
async function filterFiles(
  { remote, guard }: GuardedRemote,
  files: readonly RemoteFile[],
  ended: ReadonlySet<string>,
): Promise<NewFile[]> {
  const filtered: NewFile[] = [];
  const isKept = (op: SharedOp) => !ended.has(hashOp(op));
  for (const group of groupBySize(files.filter(({ path }) => deviceOf(path) !== undefined))) {
    const texts = await remote.read(group.flatMap(({ blob, size }) => (size > maxBatchBytes ? [] : blob)));
    for (const { path, blob } of group) {
      const before = texts.get(blob);
      const text = before && guard.filter(path, before, isKept);
      if (text === before) filtered.push({ path, blob });
      else if (text !== undefined) filtered.push(renameBatch(path, text) as BatchFile);
    }
  }
  return filtered;
}
