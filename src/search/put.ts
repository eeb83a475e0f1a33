// Adds documents to the index and removes them. A few are added to `fresh` in the caller's transaction; many are written
// directly into segments, in separate transactions, because everything in `fresh` is written twice.
import { join, list, sql } from '../store/sql.ts';
import type { Store, Transaction } from '../store/store.ts';
import { type Document, toBytes, writeTerms } from './document.ts';
import { type Pause, type SegmentDocument, writeSegment } from './segment-writer.ts';

const freshAtOnce = 100;
const numbersAtOnce = 400;
/** Fewer documents are compacted with others later. */
const worthSegment = 256;

/** Replaces the indexed versions of the documents. */
export async function putFresh(tx: Transaction, documents: readonly Document[]): Promise<void> {
  for (let at = 0; at < documents.length; at += freshAtOnce) {
    const some = documents.slice(at, at + freshAtOnce);
    const numbers = await renumber(tx, some);
    const rows = some.map(
      ({ id, project, kind, model, length, frequencies, vector }) =>
        sql`(${numbers.get(id) ?? 0}, ${project}, ${kind}, ${model}, ${length}, ${writeTerms(frequencies)},
          ${vector ? toBytes(vector) : null})`,
    );
    await tx.run(
      sql`insert into fresh (number, project, kind, model, length, terms, vector) values ${join(rows, ', ')}`,
    );
  }
}

/**
 * Replaces the indexed versions of the documents; they can be found when it resolves. If it fails before, neither version
 * is in the index, and the documents must be added again.
 */
export async function putMany(store: Store, documents: readonly Document[], pause: Pause): Promise<void> {
  if (documents.length < worthSegment) {
    return store.tx((tx) => putFresh(tx, documents), { taken: async () => false });
  }
  const scopes = new Map<string, Document[]>();
  for (const document of documents) {
    const scope = JSON.stringify([document.project, document.kind, document.model]);
    const own = scopes.get(scope);
    if (own) own.push(document);
    else scopes.set(scope, [document]);
  }
  for (const own of scopes.values()) await putScope(store, own, pause);
}

async function putScope(store: Store, documents: readonly Document[], pause: Pause): Promise<void> {
  const numbered: SegmentDocument[] = [];
  for (let at = 0; at < documents.length; at += numbersAtOnce) {
    const some = documents.slice(at, at + numbersAtOnce);
    // If it is repeated, the first numbers stay unused.
    const numbers = await store.tx((tx) => renumber(tx, some), { taken: async () => false });
    for (const { id, length, frequencies, vector } of some) {
      const terms = 'packed' in frequencies ? frequencies : writeTerms(frequencies);
      numbered.push({ number: numbers.get(id) ?? 0, length, terms, vector });
    }
    await pause();
  }
  numbered.sort((a, b) => a.number - b.number);
  await writeSegment(store, documents[0] as Document, numbered, pause, async () => {});
}

export async function retireAll(tx: Transaction, ids: readonly string[]): Promise<void> {
  for (const id of ids) await retire(tx, id);
}

/** New numbers, by id. */
async function renumber(tx: Transaction, documents: readonly Document[]): Promise<Map<string, number>> {
  const known = await tx.all<{ node_id: string }>(
    sql`select node_id from document where node_id in ${list(documents.map(({ id }) => id))}`,
  );
  for (const { node_id } of known) await retire(tx, node_id);
  const rows = documents.map(({ id, project, kind, model }) => sql`(${id}, ${project}, ${kind}, ${model})`);
  const numbered = await tx.all<{ number: number; node_id: string }>(
    sql`insert into document (node_id, project, kind, model) values ${join(rows, ', ')} returning number, node_id`,
  );
  return new Map(numbered.map(({ number, node_id }) => [node_id, number]));
}

/** Removes a document; its copies in segments become stale. */
async function retire(tx: Transaction, id: string): Promise<void> {
  const known = await tx.one<{ number: number; project: string; kind: string }>(
    sql`delete from document where node_id = ${id} returning number, project, kind`,
  );
  if (!known) return;
  const { number, project, kind } = known;
  if ((await tx.run(sql`delete from fresh where number = ${number}`)) > 0) return;
  await tx.run(
    sql`update segment set stale = stale + 1 where project = ${project} and kind = ${kind} and dead_at is null
        and first_number <= ${number} and last_number >= ${number}`,
  );
}
