// Deletes entries permanently: rows, index, vectors, links, history, and copies in background jobs. Rows are deleted in one
// transaction; remains in segments and free space of the files are erased next. Each step can be repeated.
import { isObject } from '../../core/schema.ts';
import { eraseStale } from '../../search/erase.ts';
import { retireAll } from '../../search/put.ts';
import { list, sql } from '../../store/sql.ts';
import type { Store, Transaction } from '../../store/store.ts';
import { derivedKinds } from '../derived/tables.ts';
import { type NodeRow, readNode } from '../node.ts';
import type { WholeOperationRow } from '../operation/operation.ts';
import { retractPurged } from '../share/log.ts';
import { fold, stringsOf } from './holding.ts';
import { type Purge, purgeKind } from './job.ts';

/** Tables that contain texts or their terms. */
const tables = [
  sql`node`,
  sql`edge`,
  sql`change`,
  sql`operation`,
  sql`fresh`,
  sql`segment_block`,
  sql`posting`,
  sql`shared_op`,
];
const atOnce = 200;
/** Shorter texts occur in jobs by chance. */
const shortestText = 8;

interface PurgeOptions {
  signal?: AbortSignal;
  /** False for a backup from before memories were shared. */
  isShared?: boolean;
}

/** Returns whether the files contain no remains. */
export async function purge(
  store: Store,
  { ids, earlier, projects }: Purge,
  { signal, isShared = true }: PurgeOptions = {},
): Promise<boolean> {
  if (isShared) await inParts(store, [...ids, ...earlier], (tx, some) => retractPurged(tx, some, store.now()));
  await inParts(store, ids, removeNodes);
  await inParts(store, earlier, removeHistory);
  signal?.throwIfAborted();
  await eraseStale(store, { projects, except: derivedKinds }, signal);
  signal?.throwIfAborted();
  return store.compact(tables);
}

async function inParts(
  store: Store,
  ids: readonly string[],
  remove: (tx: Transaction, ids: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += atOnce) {
    const some = ids.slice(at, at + atOnce);
    await store.tx((tx) => remove(tx, some), { taken: async () => false });
  }
}

/** In a transaction of the caller, who calls `purge` next. */
export async function removeNodes(tx: Transaction, given: readonly string[]): Promise<void> {
  const ids = list(given);
  // Written before they are read: concurrent writers wait, and then find them gone.
  await tx.run(sql`update node set updated_at = updated_at where id in ${ids}`);
  const nodes = (await tx.all<NodeRow>(sql`select * from node where id in ${ids}`)).map(readNode);
  if (nodes.length === 0) return;
  await blankOperations(tx, [...new Set(nodes.map(({ project }) => project))], {
    ids: given,
    texts: nodes.map(({ text }) => text),
    sources: nodes.map(({ source }) => source),
  });
  const ties = await tx.all<{ to_id: string; kind: string }>(
    sql`select distinct to_id, kind from edge where from_id in ${ids}`,
  );
  await removeRows(tx, given);
  const targets = (isSupersedes: boolean) =>
    ties.filter(({ kind }) => (kind === 'supersedes') === isSupersedes).map(({ to_id }) => to_id);
  await tx.run(
    sql`update node set superseded_by = null, valid_to = case when valid_to < ${tx.clock()} then valid_to else ${tx.clock()} end
        where id in ${list(targets(true))} and superseded_by in ${ids}`,
  );
  // Entities that only they mentioned reveal their subject, as keys do.
  const orphans = await tx.all<{ id: string }>(
    sql`select id from node where id in ${list(targets(false))} and kind in ('entity', 'session')
        and not exists (select 1 from edge where to_id = node.id) and not exists (select 1 from edge where from_id = node.id)`,
  );
  if (orphans.length > 0) {
    await removeRows(
      tx,
      orphans.map(({ id }) => id),
    );
  }
}

async function removeRows(tx: Transaction, given: readonly string[]): Promise<void> {
  const ids = list(given);
  await retireAll(tx, given);
  await tx.run(sql`delete from edge where from_id in ${ids}`);
  await tx.run(sql`delete from edge where to_id in ${ids}`);
  await tx.run(sql`delete from change where node_id in ${ids}`);
  await tx.run(sql`delete from node where id in ${ids}`);
}

async function removeHistory(tx: Transaction, ids: readonly string[]): Promise<void> {
  const edits = await tx.all<{ id: string; project: string; before: string }>(
    sql`select id, project, before from change where action = 'edit' and node_id in ${list(ids)}`,
  );
  for (const { id, before } of edits) {
    const { text: _, ...state } = JSON.parse(before);
    await tx.run(sql`update change set before = ${JSON.stringify(state)} where id = ${id}`);
  }
  const texts = edits.flatMap(({ before }) => stringsOf(JSON.parse(before).text));
  await blankOperations(tx, [...new Set(edits.map(({ project }) => project))], { ids: [], texts, sources: [] });
}

interface Needles {
  ids: readonly string[];
  texts: readonly string[];
  /** A failed job may contain the text in other words. */
  sources: readonly string[];
}

/** A job keeps its input until it is done, and contains its result. A waiting job would store the text again. */
async function blankOperations(
  tx: Transaction,
  projects: readonly string[],
  { ids, texts, sources }: Needles,
): Promise<void> {
  const folded = texts.map(fold).filter((text) => text.length >= shortestText);
  const rows = await tx.all<Pick<WholeOperationRow, 'id' | 'state' | 'input' | 'result' | 'problem'>>(
    sql`select id, state, input, result, problem from operation where project in ${list(projects)} and kind <> ${purgeKind}`,
  );
  for (const { id, state, input, result, problem } of rows) {
    const given = JSON.parse(input);
    const strings = [...stringsOf(given), ...stringsOf(JSON.parse(result ?? 'null')), problem ?? ''];
    const isOver = state === 'failed' || state === 'cancelled';
    const isSource = isOver && isObject(given) && given.source !== '' && sources.includes(String(given.source));
    if (!isSource && !strings.some((text) => holds(text, ids, folded))) continue;
    await tx.run(
      sql`update operation set input = '{}', result = null, problem = null, message = '',
            state = case when state in ('queued', 'running') then 'cancelled' else state end
          where id = ${id}`,
    );
  }
}

/** A conversation waits as JSON Lines, which contain the text with escapes. */
function holds(text: string, ids: readonly string[], folded: readonly string[]): boolean {
  const plain = fold(text);
  const unescaped = text.includes('\\') ? fold(text.replace(/\\[nrt]/g, ' ').replace(/\\(.)/g, '$1')) : plain;
  return ids.some((id) => plain.includes(id)) || folded.some((one) => plain.includes(one) || unescaped.includes(one));
}
