// Gathering: fresh documents become a segment, small segments become larger ones. Nothing waits for it and any process may
// do it; whoever comes second finds its sources gone and leaves it.
import { LoreError } from '../core/error.ts';
import { createId } from '../core/id.ts';
import { list, sql } from '../store/sql.ts';
import type { Store, Transaction } from '../store/store.ts';
import { type Document, readTerms, toBytes, toInt8, toUint16 } from './document.ts';
import { decodePosting, encodePosting } from './posting.ts';
import { blockSize, freshPlace } from './tables.ts';

/** So many fresh documents of one project and kind are worth a segment. */
const freshLimit = 512;
/** So many documents are gathered at once. */
const gatherLimit = 100_000;
const idsAtOnce = 500;
/** So many segments of about one size are worth merging. */
const fanIn = 8;
/** A segment this large is left alone. */
const largeSegment = 500_000;

interface SegmentRow {
  id: string;
  project: string;
  kind: string;
  model: string;
  documents: number;
}

/** Does one round of gathering, and says whether there was anything to do. */
export async function gather(store: Store, limit = freshLimit): Promise<boolean> {
  const crowded = await store.one<{ project: string; kind: string; model: string }>(
    sql`select project, kind, model from fresh group by project, kind, model having count(*) >= ${limit}
        order by count(*) desc limit 1`,
  );
  if (crowded) return gatherFresh(store, crowded);
  const mergeable = await findMergeable(store);
  if (mergeable.length === 0) return false;
  try {
    return await mergeSegments(store, mergeable);
  } catch (error) {
    if (error instanceof LoreError && error.word === 'conflict') return false;
    throw error;
  }
}

async function gatherFresh(store: Store, scope: { project: string; kind: string; model: string }): Promise<boolean> {
  const { project, kind, model } = scope;
  return store.tx(async (tx) => {
    // Taken out and read in one statement: what is committed a moment later is not ours to remove, and of two processes
    // that gather at once only one gets each row.
    const rows = await tx.all<FreshRow>(
      sql`delete from fresh where node_id in (
            select node_id from fresh where project = ${project} and kind = ${kind} and model = ${model}
            order by node_id limit ${gatherLimit})
          returning *`,
    );
    if (rows.length === 0) return false;
    // What a deletion returns has no order; equals are ranked by it.
    const documents = rows.map(readFresh).sort((a, b) => (a.id < b.id ? -1 : 1));
    const id = await writeSegment(tx, scope, documents);
    for (let at = 0; at < rows.length; at += idsAtOnce) {
      const some = list(rows.slice(at, at + idsAtOnce).map(({ node_id }) => node_id));
      await tx.run(sql`update indexed set place = ${id} where place = ${freshPlace} and node_id in ${some}`);
    }
    return true;
  });
}

export interface FreshRow {
  node_id: string;
  project: string;
  kind: string;
  length: number;
  terms: string;
  model: string;
  vector: Uint8Array | null;
}

export function readFresh(row: FreshRow): Document {
  const { node_id: id, project, kind, length, model } = row;
  const vector = row.vector ? toInt8(row.vector) : undefined;
  return { id, project, kind, length, model, frequencies: readTerms(row.terms), vector };
}

async function findMergeable(store: Store): Promise<SegmentRow[]> {
  const segments = await store.all<SegmentRow>(
    sql`select id, project, kind, model, documents from segment where documents < ${largeSegment}
        order by project, kind, model, documents`,
  );
  for (let at = 0; at + fanIn <= segments.length; at++) {
    const first = segments[at] as SegmentRow;
    const group = segments.slice(at, at + fanIn);
    const alike = group.every(
      ({ project, kind, model, documents }) =>
        project === first.project &&
        kind === first.kind &&
        model === first.model &&
        documents <= Math.max(first.documents, freshLimit) * fanIn,
    );
    if (alike) return group;
  }
  return [];
}

async function mergeSegments(store: Store, sources: readonly SegmentRow[]): Promise<boolean> {
  const ids = list(sources.map(({ id }) => id));
  return store.tx(async (tx) => {
    // Claimed by removing them: whoever comes second finds some gone, and the transaction is undone.
    const claimed = await tx.run(sql`delete from segment where id in ${ids}`);
    if (claimed < sources.length) throw new LoreError('conflict', 'Cannot merge segments: another process has');
    const documents: Document[] = [];
    for (const source of sources) documents.push(...(await readSegment(tx, source)));
    const id = await writeSegment(tx, sources[0] as SegmentRow, documents);
    await tx.run(sql`update indexed set place = ${id} where place in ${ids}`);
    await tx.run(sql`delete from posting where segment_id in ${ids}`);
    await tx.run(sql`delete from segment_block where segment_id in ${ids}`);
    return true;
  });
}

/** The documents of a segment that are still current, as they were put in. */
async function readSegment(tx: Transaction, segment: SegmentRow): Promise<Document[]> {
  const blocks = await tx.all<{ ids: string; lengths: Uint8Array; vectors: Uint8Array | null }>(
    sql`select ids, lengths, vectors from segment_block where segment_id = ${segment.id} order by number`,
  );
  const current = await tx.all<{ node_id: string }>(sql`select node_id from indexed where place = ${segment.id}`);
  const kept = new Set(current.map(({ node_id }) => node_id));
  const documents: (Document & { frequencies: Map<string, number> })[] = [];
  for (const block of blocks) {
    const ids = block.ids.split(',');
    const lengths = toUint16(block.lengths);
    const width = block.vectors ? block.vectors.length / ids.length : 0;
    ids.forEach((id, at) => {
      const vector = block.vectors ? toInt8(block.vectors).slice(at * width, (at + 1) * width) : undefined;
      const { project, kind, model } = segment;
      documents.push({ id, project, kind, model, vector, length: lengths[at] as number, frequencies: new Map() });
    });
  }
  const postings = await tx.all<{ term: string; documents: number; body: Uint8Array }>(
    sql`select term, documents, body from posting where segment_id = ${segment.id}`,
  );
  for (const { term, documents: count, body } of postings) {
    const { documents: numbers, frequencies } = decodePosting(body, count);
    numbers.forEach((number, at) => {
      documents[number]?.frequencies.set(term, frequencies[at] as number);
    });
  }
  return documents.filter(({ id }) => kept.has(id));
}

async function writeSegment(
  tx: Transaction,
  { project, kind, model }: Pick<SegmentRow, 'project' | 'kind' | 'model'>,
  documents: readonly Document[],
): Promise<string> {
  const id = createId('seg');
  const total = documents.reduce((sum, { length }) => sum + length, 0);
  await tx.run(
    sql`insert into segment (id, project, kind, model, documents, total_length)
        values (${id}, ${project}, ${kind}, ${model}, ${documents.length}, ${total})`,
  );
  for (let number = 0; number * blockSize < documents.length; number++) {
    const block = documents.slice(number * blockSize, (number + 1) * blockSize);
    const ids = block.map((document) => document.id).join(',');
    const lengths = toBytes(Uint16Array.from(block, ({ length }) => Math.min(length, 65_535)));
    await tx.run(
      sql`insert into segment_block (segment_id, number, ids, lengths, vectors)
          values (${id}, ${number}, ${ids}, ${lengths}, ${joinVectors(block)})`,
    );
  }
  for (const [term, { numbers, counts }] of invert(documents)) {
    await tx.run(
      sql`insert into posting (segment_id, term, documents, body)
          values (${id}, ${term}, ${numbers.length}, ${encodePosting(numbers, counts)})`,
    );
  }
  return id;
}

function joinVectors(block: readonly Document[]): Uint8Array | null {
  const width = block[0]?.vector?.length ?? 0;
  if (width === 0) return null;
  const joined = new Int8Array(block.length * width);
  block.forEach(({ vector }, at) => {
    if (vector) joined.set(vector, at * width);
  });
  return toBytes(joined);
}

function invert(documents: readonly Document[]): Map<string, { numbers: number[]; counts: number[] }> {
  const postings = new Map<string, { numbers: number[]; counts: number[] }>();
  documents.forEach(({ frequencies }, number) => {
    for (const [term, count] of frequencies) {
      let posting = postings.get(term);
      if (!posting) {
        posting = { numbers: [], counts: [] };
        postings.set(term, posting);
      }
      posting.numbers.push(number);
      posting.counts.push(count);
    }
  });
  return postings;
}
