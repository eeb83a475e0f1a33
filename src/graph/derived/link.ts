// Replaces the edges between derived nodes.
import { list, sql } from '../../store/sql.ts';
import { type Deriving, insertDerivedEdges, keepDistinct, type PlainEdge } from './derived.ts';

export interface FileLinks {
  /** Id of the file's own node. */
  id: string;
  /** All its nodes. */
  nodes: readonly string[];
  edges: readonly PlainEdge[];
  /** Files that a document mentions. */
  documents: readonly string[];
  /** Whether it already has edges. */
  isTied: boolean;
}

const ties = ['imports', 'calls', 'references', 'tests'];
const edgesAtOnce = 3_000;

export async function replaceLinks(deriving: Deriving, files: readonly FileLinks[]): Promise<void> {
  let batch: FileLinks[] = [];
  let size = 0;
  for (const file of files) {
    if (size > 0 && size + weigh(file) > edgesAtOnce) {
      await replaceSome(deriving, batch);
      [batch, size] = [[], 0];
    }
    batch.push(file);
    size += weigh(file);
  }
  if (batch.length > 0) await replaceSome(deriving, batch);
}

function weigh({ nodes, edges }: FileLinks): number {
  return nodes.length + edges.length;
}

async function replaceSome(deriving: Deriving, files: readonly FileLinks[]): Promise<void> {
  const tied = files.filter(({ isTied }) => isTied);
  const ids = tied.flatMap(({ nodes }) => nodes);
  const edges = keepDistinct(
    files.flatMap(({ id, edges: own, documents }) => [
      ...own,
      ...documents.map((from): PlainEdge => ({ from, kind: 'documented-in', to: id })),
    ]),
  );
  await deriving.store.tx(
    async (tx) => {
      for (let at = 0; at < ids.length; at += 200) {
        await tx.run(sql`delete from edge where from_id in ${list(ids.slice(at, at + 200))} and kind in ${list(ties)}`);
      }
      const before = list(tied.map(({ id }) => id));
      await tx.run(sql`delete from edge where to_id in ${before} and kind = 'documented-in'`);
      await insertDerivedEdges(tx, deriving, edges);
      await tx.run(sql`update derived set linked = 1 where id in ${list(files.map(({ id }) => id))}`);
    },
    { taken: async () => false },
  );
}
