// What the remote has: the files of it that were read, those that it lost, and the operations of this device that it lacks.
import { insertAll } from '../../store/insert.ts';
import { list, sql } from '../../store/sql.ts';
import type { Transaction } from '../../store/store.ts';
import type { OpenGraph } from '../open.ts';
import { deviceOf } from './batch.ts';
import type { Sharing } from './capture-log.ts';
import type { BatchGuard } from './guard/guard.ts';
import { inLog, type OpRow, readRow } from './log.ts';
import { hashOp, type SharedOp } from './op.ts';
import type { RemoteFile } from './remote.ts';

type Opened = Pick<OpenGraph, 'store'>;

const atOnce = 400;

/** Files that were read, or cannot be, with the ids of their contents. */
export async function listRead({ store }: Opened, sharing: Sharing): Promise<Map<string, string>> {
  const rows = await store.all<{ name: string; blob: string }>(
    sql`select name, blob from shared_batch where ${inLog(sharing)}`,
  );
  return new Map(rows.map(({ name, blob }) => [name, blob]));
}

export type KnownBatch = Pick<RemoteFile, 'path' | 'blob'> & { mark: string; problem?: string };

/** Records that files need not be read again. */
export async function noteRead(
  store: Pick<Transaction, 'run'>,
  { project, level }: Sharing,
  files: readonly KnownBatch[],
): Promise<void> {
  await insertAll(
    store,
    files,
    ({ path, blob, mark, problem = '' }) => [project, level, path, blob, mark, problem],
    (rows) => sql`insert into shared_batch (project, level, name, blob, mark, problem) values ${rows}
      on conflict (project, level, name) do nothing`,
  );
}

/** Files of ours that were replaced. */
export async function forgetRead({ store }: Opened, sharing: Sharing, names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += atOnce) {
    const some = list(names.slice(at, at + atOnce));
    await store.run(sql`delete from shared_batch where ${inLog(sharing)} and name in ${some}`);
  }
}

/** Files that the remote no longer has, or not as they were: ours are sent again, and erased operations are gone at last. */
export async function forgetLost(opened: Opened, sharing: Sharing, files: readonly RemoteFile[]): Promise<void> {
  const { store } = opened;
  const there = new Map(files.map(({ path, blob }) => [path, blob]));
  const read = await listRead(opened, sharing);
  const isLost = (name: string) => !there.has(name) || (read.has(name) && read.get(name) !== there.get(name));
  const rows = await store.all<{ batch: string }>(
    sql`select distinct batch from shared_op where ${inLog(sharing)} and batch <> ''`,
  );
  const known = new Set([...rows.map(({ batch }) => batch), ...read.keys()]);
  for (const name of [...known].filter(isLost)) {
    await store.tx(
      async (tx) => {
        await tx.run(sql`delete from shared_op where ${inLog(sharing)} and batch = ${name} and op = ''`);
        await tx.run(sql`update shared_op set batch = '' where ${inLog(sharing)} and batch = ${name}`);
        await tx.run(sql`delete from shared_batch where ${inLog(sharing)} and name = ${name}`);
      },
      { taken: async () => false },
    );
  }
}

/**
 * Files of this device that are not protected as they would be now. Anybody can write a file in its name: those with anything that
 * was not written here are left alone, because nobody else's words may be signed with the user's key.
 */
export async function listOutdated({ store }: Opened, sharing: Sharing, guard: BatchGuard): Promise<string[]> {
  const others = sql`${inLog(sharing)} and name like ${`log/${sharing.dev}/%`} and mark <> ${guard.mark()}`;
  const files = await store.all<{ name: string; mark: string }>(
    sql`select name, mark from shared_batch where ${others}`,
  );
  if (files.length === 0) return [];
  const rows = await store.all<{ batch: string; at: string; own: number }>(
    sql`select batch, at, own from shared_op where ${inLog(sharing)} and batch in (select name from shared_batch where ${others})`,
  );
  const found = new Map<string, { at: string; isOwn: boolean }[]>();
  for (const { batch, at, own } of rows)
    found.set(batch, [...(found.get(batch) ?? []), { at, isOwn: Number(own) === 1 }]);
  return files.flatMap(({ name, mark }) => {
    const ops = found.get(name) ?? [];
    const isOurs = ops.length > 0 && ops.every(({ isOwn }) => isOwn) && deviceOf(name) === sharing.dev;
    const times = ops.map(({ at }) => at);
    return isOurs && guard.isOutdated(mark, times) ? name : [];
  });
}

/** Operations of this device that the remote does not have, or only in files that are replaced, oldest first. */
export async function listUnsent(
  { store }: Opened,
  sharing: Sharing,
  replaced: readonly string[] = [],
): Promise<SharedOp[]> {
  const rows: OpRow[] = [];
  for (let at = 0; at <= replaced.length; at += atOnce) {
    const names = list(at === 0 ? ['', ...replaced.slice(0, atOnce)] : replaced.slice(at, at + atOnce));
    const some = await store.all<OpRow>(
      sql`select op, own, signer from shared_op where ${inLog(sharing)} and batch in ${names}
          and op <> '' and own = 1 and dev = ${sharing.dev}`,
    );
    rows.push(...some);
  }
  const keyOf = ({ at, id }: SharedOp) => `${at} ${id}`;
  return rows.map(readRow).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Those that were retracted meanwhile are in the remote now: their rows are there again, without content, so that they are removed. */
export async function markSent(
  { store }: Opened,
  sharing: Sharing,
  file: KnownBatch,
  ops: readonly SharedOp[],
): Promise<void> {
  const { project, level } = sharing;
  await store.tx(
    async (tx) => {
      await insertAll(
        tx,
        ops,
        (op) => [project, level, op.id, op.at, op.dev, hashOp(op), '', '', file.path, 1],
        (
          rows,
        ) => sql`insert into shared_op (project, level, node_id, at, dev, hash, target, op, batch, own) values ${rows}
          on conflict (project, level, node_id, at, dev, hash) do update set batch = excluded.batch`,
      );
      await noteRead(tx, sharing, [file]);
    },
    { taken: async () => false },
  );
}

/** Retracted operations that files of the remote still have, by `hashOp`. */
export async function listEnded({ store }: Opened, sharing: Sharing): Promise<Set<string>> {
  const rows = await store.all<{ hash: string }>(
    sql`select hash from shared_op where ${inLog(sharing)} and op = '' and batch <> ''`,
  );
  return new Set(rows.map(({ hash }) => hash));
}
