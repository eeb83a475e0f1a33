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
    const rows = await store.all<OpRow>(
      sql`select op, own, signer from shared_op
          where ${inLog(log)} and op <> '' and node_id in ${list(ids.slice(at, at + readAtOnce))}`,
    );
    for (const row of rows) {
      const op = readRow(row);
      const same = found.get(op.id);
      if (same) same.push(op);
      else found.set(op.id, [op]);
    }
  }
  return found;
}

export interface OpRow {
  op: string;
  own: number;
  signer: string;
}

export function readRow({ op, own, signer }: OpRow): SharedOp {
  return nameSigner({ ...JSON.parse(op), ...(Number(own) === 1 && { here: true }) }, signer);
}

/** An empty name removes the one that it has. */
export function nameSigner({ signer: _, ...op }: SharedOp, signer: string): SharedOp {
  return { ...op, ...(signer !== '' && { signer }) };
}

/** Where operations come from. */
export interface OpSource {
  /** The file of the remote that has them; empty if none has. */
  batch: string;
  /** The key that signed the file. */
  key: string;
  /** Whether this database is known to have written them. */
  isOwn: boolean;
  /** Whether the file is protected as this device protects its own. */
  isCurrent: boolean;
}

/** Of each operation, or of all. */
export type OpSources = OpSource | ReadonlyMap<SharedOp, OpSource>;

function sourceOf(sources: OpSources, op: SharedOp): OpSource {
  return sources instanceof Map ? sources.get(op) : (sources as OpSource);
}

export const writtenHere: OpSource = { batch: '', key: '', isOwn: true, isCurrent: true };

/** Adds those that are missing, and what the file proves about others. */
export async function insertOps(
  tx: Pick<Transaction, 'run'>,
  log: ShareLog,
  ops: readonly SharedOp[],
  sources: OpSources,
): Promise<void> {
  const all = ops.map((op) => ({ op, source: sourceOf(sources, op) }));
  for (const isCurrent of [true, false]) {
    await insertFrom(
      tx,
      log,
      all.filter(({ source }) => source.isCurrent === isCurrent),
      isCurrent,
    );
  }
}

async function insertFrom(
  tx: Pick<Transaction, 'run'>,
  { project, level }: ShareLog,
  ops: readonly { op: SharedOp; source: OpSource }[],
  isCurrent: boolean,
): Promise<void> {
  // A file of somebody else does not replace one of ours, so that ours is sent again if the remote loses it.
  const stays = isCurrent
    ? sql`excluded.batch = ''`
    : sql`(excluded.batch = '' or shared_op.own = 1 and shared_op.batch <> '')`;
  const hasKey = sql`(excluded.keys = '' or ' ' || shared_op.keys || ' ' like '% ' || excluded.keys || ' %')`;
  await insertAll(
    tx,
    ops,
    ({ op: { signer = '', here: _, ...op }, source: { batch, key, isOwn } }) => {
      const row = [project, level, op.id, op.at, op.dev, hashOp(op), targetOf(op), JSON.stringify(op), batch];
      return [...row, isOwn ? 1 : 0, key, signer];
    },
    (rows) => sql`insert into shared_op (project, level, node_id, at, dev, hash, target, op, batch, own, keys, signer)
      values ${rows} on conflict (project, level, node_id, at, dev, hash) do update set
        batch = case when ${stays} then shared_op.batch else excluded.batch end,
        own = case when excluded.own = 1 then 1 else shared_op.own end,
        keys = case when ${hasKey} then shared_op.keys else trim(shared_op.keys || ' ' || excluded.keys) end,
        signer = case when shared_op.signer = '' then excluded.signer else shared_op.signer end`,
  );
}

/** What the rules say about an operation that the log has. */
export interface JudgedOp {
  id: string;
  at: string;
  dev: string;
  hash: string;
  /** Undefined if it does not count. */
  signer: string | undefined;
}

export async function writeJudged(
  tx: Pick<Transaction, 'run'>,
  log: ShareLog,
  ops: readonly JudgedOp[],
): Promise<void> {
  for (const { signer, ...op } of ops) {
    const row = rowOf(log, op);
    if (signer === undefined) await tx.run(sql`delete from shared_op where ${row}`);
    else await tx.run(sql`update shared_op set signer = ${signer} where ${row}`);
  }
}

/** After a retraction that does not count: the files that have what it ended are read again. */
export async function restoreErased(
  tx: Pick<Transaction, 'run'>,
  log: ShareLog,
  ids: readonly string[],
): Promise<void> {
  const erased = sql`${inLog(log)} and op = '' and node_id in ${list(ids)}`;
  await tx.run(
    sql`delete from shared_batch where ${inLog(log)} and name in (select batch from shared_op where ${erased})`,
  );
  await tx.run(sql`delete from shared_op where ${erased}`);
}

function rowOf(log: ShareLog, { id, at, dev, hash }: Omit<JudgedOp, 'signer'>): Sql {
  return sql`${inLog(log)} and node_id = ${id} and at = ${at} and dev = ${dev} and hash = ${hash}`;
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
  await insertOps(tx, log, [{ op: 'retract', id, at, dev, by, gen, prev: heads }], writtenHere);
  await eraseEnded(tx, log, [id]);
}

/** The content of operations that a retraction ended. */
export async function eraseEnded(tx: Transaction, log: ShareLog, ids: readonly string[]): Promise<void> {
  for (const ops of (await readOps(tx, log, ids)).values()) {
    const { gen } = foldOps(ops);
    for (const op of ops) {
      if (op.op === 'retract' || op.gen >= gen) continue;
      const row = rowOf(log, { ...op, hash: hashOp(op) });
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
