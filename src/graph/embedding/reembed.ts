// Re-embeds documents that have no vector or one of another model: after a change of settings, and after writes that did not
// wait for an endpoint. The remaining work is read from the index, so any process can continue it after a crash. A document is
// replaced in one transaction, so it is always found.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LoreError } from '../../core/error.ts';
import { runSoon } from '../../core/steps.ts';
import { putFresh, retireAll } from '../../search/put.ts';
import { list, sql } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { describeNodes, type Embedder, embeddedText } from '../graph.ts';
import { type Node, type NodeRow, readNode } from '../node.ts';

export interface Progress {
  /** Documents without a vector of the model. */
  remaining: number;
  documents: number;
}

/** The size of the parallel batches of a remote embedder, and of a transaction that does not block others noticeably. */
const documentsAtOnce = { remote: 128, local: 48 };
/** What the local embedder does in about ten milliseconds. */
const charactersAtOnce = 16_000;

export async function measureProgress(store: Store, model: string): Promise<Progress> {
  const row = await store.one<{ remaining: number; documents: number }>(
    sql`select (select count(*) from document where model < ${model})
             + (select count(*) from document where model > ${model}) as remaining,
               (select count(*) from document) as documents`,
  );
  return { remaining: Number(row?.remaining ?? 0), documents: Number(row?.documents ?? 0) };
}

/** Two ranges, since "not this one" would scan all documents. */
export async function findOutdated(store: Store, model: string, limit: number): Promise<string[]> {
  const rows = await store.all<{ node_id: string }>(
    sql`select node_id from document where model < ${model}
        union all select node_id from document where model > ${model} limit ${limit}`,
  );
  return rows.map(({ node_id }) => node_id);
}

/** Runs one round; returns the number of its documents, 0 when all are done. */
export async function reembed(store: Store, embedder: Embedder & { readonly remote?: boolean }): Promise<number> {
  const model = embedder.id;
  const ids = await findOutdated(store, model, documentsAtOnce[embedder.remote ? 'remote' : 'local']);
  if (ids.length === 0) return 0;
  const rows = await store.all<NodeRow>(sql`select * from node where id in ${list(ids)} order by id`);
  const nodes = rows.map(readNode);
  const vectors: Int8Array[] = [];
  for (const some of embedder.remote ? [nodes] : cutShort(nodes)) {
    vectors.push(...(await embedder.embed(some.map(embeddedText), 'document')));
    await nextTurn();
  }
  if (vectors.length < nodes.length || embedder.id !== model) {
    throw new LoreError('unavailable', `Cannot embed with "${model}": it returned too few vectors`);
  }
  await replaceDocuments(store, nodes, vectors, model);
  const known = new Set(nodes.map(({ id }) => id));
  const gone = ids.filter((id) => !known.has(id));
  if (gone.length > 0) await store.tx((tx) => retireAll(tx, gone));
  return ids.length;
}

async function replaceDocuments(
  store: Store,
  nodes: readonly Node[],
  vectors: readonly Int8Array[],
  model: string,
): Promise<void> {
  const documents = await runSoon(describeNodes(nodes, model, vectors));
  await store.tx(async (tx) => {
    // Locked until the commit, and only if the text is still the embedded one: concurrent changes come before or after.
    const held: string[] = [];
    for (const { id, hash, text } of nodes) {
      const same = await tx.run(
        sql`update node set accessed_at = accessed_at where id = ${id} and hash = ${hash} and text = ${text}`,
      );
      if (same > 0) held.push(id);
    }
    if (held.length === 0) return;
    const outdated = await tx.all<{ node_id: string }>(
      sql`select node_id from document where model <> ${model} and node_id in ${list(held)}`,
    );
    const wanted = new Set(outdated.map(({ node_id }) => node_id));
    await putFresh(
      tx,
      documents.filter(({ id }) => wanted.has(id)),
    );
  });
}

/** Batches that do not block the event loop for long. */
function cutShort(nodes: readonly Node[]): Node[][] {
  const parts: Node[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    const { length } = node.text;
    if (characters + length > charactersAtOnce) {
      parts.push([]);
      characters = 0;
    }
    parts.at(-1)?.push(node);
    characters += length;
  }
  return parts;
}
