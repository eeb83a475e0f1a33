// What is shared, what waits, what is held back and what is disputed; and the log for people.
import { list, sql } from '../../store/sql.ts';
import type { OpenGraph } from '../open.ts';
import { type BlockedMemory, captureChanges, listChanged, type Sharing } from './capture-log.ts';
import { msOf } from './clock.ts';
import { inLog, type OpRow, readRow } from './log.ts';
import { authorOf, type SharedOp } from './op.ts';
import { listUnsent } from './sent.ts';

export interface ShareStatus {
  /** Memories with this level. */
  shared: number;
  /** Operations that the remote does not have. */
  pending: number;
  blocked: BlockedMemory[];
  /** Memories that people edited at the same time. */
  disputed: string[];
  /** Files of the remote that were skipped, and why. */
  problems: { path: string; problem: string }[];
}

export async function readStatus(opened: OpenGraph, sharing: Sharing): Promise<ShareStatus> {
  const { store } = opened;
  const { projects, level } = sharing;
  const rows = await store.all<{ id: string; disputed: number }>(
    sql`select id, case when data like ${'%"rivals":%'} then 1 else 0 end as disputed from node
        where project in ${list(projects)} and level = ${level} order by id`,
  );
  const { ops, blocked } = await captureChanges(opened, sharing, await listChanged(store, sharing, 0), {
    dryRun: true,
  });
  const problems = await store.all<{ path: string; problem: string }>(
    sql`select name as path, problem from shared_batch where ${inLog(sharing)} and problem <> '' order by name`,
  );
  return {
    shared: rows.length,
    pending: (await listUnsent(opened, sharing)).length + ops.length,
    blocked,
    disputed: rows.filter(({ disputed }) => Number(disputed) === 1).map(({ id }) => id),
    problems,
  };
}

export interface LoggedOp {
  /** By the clock of its author. */
  at: string;
  by: string;
  dev: string;
  op: SharedOp['op'];
  id: string;
  text?: string;
  /** False until the remote has it. */
  sent: boolean;
}

/** The newest first. */
export async function listLog({ store }: OpenGraph, sharing: Sharing, limit: number): Promise<LoggedOp[]> {
  const rows = await store.all<OpRow & { batch: string }>(
    sql`select op, own, signer, batch from shared_op where ${inLog(sharing)} and op <> ''
        order by at desc, dev desc limit ${limit}`,
  );
  return rows.map(({ batch, ...row }) => {
    const read = readRow(row);
    const { at, dev, op, id, set } = read;
    const time = new Date(msOf(at)).toISOString();
    return {
      at: time,
      by: authorOf(read),
      dev,
      op,
      id,
      ...(set?.text !== undefined && { text: set.text }),
      sent: batch !== '',
    };
  });
}
