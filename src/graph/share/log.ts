// The log in the database: operations of every device on the shared memories of a project. Retracted ones lose their content at
// once; a row remains while a file of the remote still has it, so that a process that dies does not forget to remove it there.
import { loadCrypto } from '../../core/crypto.ts';
import { hashMachine } from '../../core/machine.ts';
import { insertAll } from '../../store/insert.ts';
import { list, type Sql, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import { tick } from './clock.ts';
import { foldOps } from './fold.ts';
import type { SharedLevel } from './level.ts';
import { hashOp, type SharedOp, targetOf } from './op.ts';

/** One project at one level: what one reference of a remote contains. */
export interface ShareLog {
  project: string;
  level: SharedLevel;
}

type Reading = Pick<Transaction, 'all' | 'one'>;

const readAtOnce = 400;

export function inLog({ project, level }: ShareLog): Sql {
  return sql`project = ${project} and level = ${level}`;
}

/** By memory; those without any are absent. */
export async function readOps(store: Reading, log: ShareLog, ids: readonly string[]): Promise<Map<string, SharedOp[]>> {
  const found = new Map<string, SharedOp[]>();
  for (let at = 0; at < ids.length; at += readAtOnce) {
    const rows = await store.all<{ op: string }>(
      sql`select op from shared_op where ${inLog(log)} and op <> '' and node_id in ${list(ids.slice(at, at + readAtOnce))}`,
    );
    for (const row of rows) {
      const op = JSON.parse(row.op) as SharedOp;
      const same = found.get(op.id);
      if (same) same.push(op);
      else found.set(op.id, [op]);
    }
  }
  return found;
}

/** The file that has each operation in the remote; a text if it is the same for all. */
export type BatchNames = string | ReadonlyMap<SharedOp, string>;

/** Adds those that are missing. One in a file counts as sent, whoever wrote the row before, and may have a signature now. */
export async function insertOps(
  tx: Pick<Transaction, 'run'>,
  { project, level }: ShareLog,
  ops: readonly SharedOp[],
  batch: BatchNames,
): Promise<void> {
  const nameOf = (op: SharedOp) => (typeof batch === 'string' ? batch : (batch.get(op) ?? ''));
  await insertAll(
    tx,
    ops,
    (op) => [project, level, op.id, op.at, op.dev, hashOp(op), targetOf(op), JSON.stringify(op), nameOf(op)],
    (rows) => sql`insert into shared_op (project, level, node_id, at, dev, hash, target, op, batch) values ${rows}
      on conflict (project, level, node_id, at, dev, hash) do update set batch = excluded.batch,
        op = case when shared_op.op = '' then '' else excluded.op end where excluded.batch <> ''`,
  );
}

export async function deleteOps(tx: Pick<Transaction, 'run'>, log: ShareLog, ops: readonly SharedOp[]): Promise<void> {
  for (const op of ops) await tx.run(sql`delete from shared_op where ${rowOf(log, op)}`);
}

function rowOf(log: ShareLog, op: SharedOp): Sql {
  return sql`${inLog(log)} and node_id = ${op.id} and at = ${op.at} and dev = ${op.dev} and hash = ${hashOp(op)}`;
}

/** Records that a memory must be nowhere any more, and erases what it was. Nothing is recorded if nobody could have it. */
export async function retractOps(
  tx: Transaction,
  log: ShareLog,
  id: string,
  author: { dev: string; by: string; wall: number },
): Promise<void> {
  const ops = (await readOps(tx, log, [id])).get(id) ?? [];
  const { gen, heads } = foldOps(ops);
  if (ops.every((op) => op.gen < gen)) return;
  const at = tick(
    author.wall,
    ops.map((op) => op.at),
  );
  const { dev, by } = author;
  await insertOps(tx, log, [{ op: 'retract', id, at, dev, by, gen, prev: heads }], '');
  await eraseEnded(tx, log, [id]);
}

/** The content of operations that a retraction ended. */
export async function eraseEnded(tx: Transaction, log: ShareLog, ids: readonly string[]): Promise<void> {
  for (const ops of (await readOps(tx, log, ids)).values()) {
    const { gen } = foldOps(ops);
    for (const op of ops) {
      if (op.op === 'retract' || op.gen >= gen) continue;
      const row = rowOf(log, op);
      await tx.run(sql`delete from shared_op where ${row} and batch = ''`);
      await tx.run(sql`update shared_op set op = '', target = '' where ${row}`);
    }
  }
}

/** A purge deletes a memory everywhere. */
export async function retractPurged(tx: Transaction, ids: readonly string[], wall: number): Promise<void> {
  const logs = await tx.all<ShareLog & { id: string }>(
    sql`select distinct project, level, node_id as id from shared_op where node_id in ${list(ids)}`,
  );
  if (logs.length === 0) return;
  const dev = await readDevice(tx);
  for (const { id, ...log } of logs) await retractOps(tx, log, id, { dev, by: '', wall });
  // Those that stay, without their history, are sent anew.
  await tx.run(sql`update node set updated_at = ${wall} where id in ${list(ids)} and level <> 'private'`);
}

/** A device is a machine with a database: a copy of the file on another machine is another device. */
export async function readDevice(store: Pick<Transaction, 'one' | 'run'>): Promise<string> {
  const machine = hashMachine();
  const known = () => store.one<{ id: string }>(sql`select id from shared_device where machine = ${machine}`);
  const found = await known();
  if (found) return found.id;
  const id = `d_${loadCrypto().randomBytes(6).toString('hex')}`;
  await store.run(
    sql`insert into shared_device (machine, id) values (${machine}, ${id}) on conflict (machine) do nothing`,
  );
  return ((await known()) as { id: string }).id;
}
