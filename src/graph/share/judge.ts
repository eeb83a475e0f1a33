// What happens when the rules change: every file is read again, and every operation of the log is judged by the keys that are known
// to have signed it. The files alone would not do: whoever can push can remove a file, or the signature from it.
import { sql } from '../../store/sql.ts';
import type { OpenGraph } from '../open.ts';
import type { Sharing } from './capture-log.ts';
import type { BatchGuard } from './guard/guard.ts';
import { type Imported, importJudged } from './import-ops.ts';
import { inLog, type JudgedOp } from './log.ts';

/** Whether the log was judged by these rules. If not, its files count as unread. */
export async function isJudged({ store }: OpenGraph, sharing: Sharing, { id }: BatchGuard): Promise<boolean> {
  const row = await store.one<{ guard: string }>(sql`select guard from shared_remote where ${inLog(sharing)}`);
  if (row?.guard === id) return true;
  await store.run(sql`delete from shared_batch where ${inLog(sharing)}`);
  return false;
}

/** After the files were read. What was written here stays: its author is no stranger. */
export async function judgeOps(opened: OpenGraph, sharing: Sharing, guard: BatchGuard): Promise<Imported> {
  const rows = await opened.store.all<Required<JudgedOp> & { own: number; keys: string }>(
    sql`select node_id as id, at, dev, hash, own, keys, signer from shared_op where ${inLog(sharing)} and op <> ''`,
  );
  const judged = rows.flatMap(({ own, keys, signer: was, ...op }): JudgedOp[] => {
    const signer = guard.judge(keys.split(' '), op.at) ?? (Number(own) === 1 ? '' : undefined);
    return signer === was ? [] : [{ ...op, signer }];
  });
  return importJudged(opened, sharing, judged);
}

export async function noteJudged({ store }: OpenGraph, sharing: Sharing, { id }: BatchGuard): Promise<void> {
  await store.run(sql`update shared_remote set guard = ${id} where ${inLog(sharing)}`);
}
