// Searches collections. After the search, one query reads which versions of the documents are valid. If one changed
// meanwhile, the search is repeated, so that it sees either all chunks of a version or none.
import type { RankMode } from '../../../core/rank-mode.ts';
import { isCurrent, type Node } from '../../../graph/node.ts';
import type { OpenGraph } from '../../../graph/open.ts';
import { reordered, rerankFound } from '../../../graph/rerank.ts';
import type { SurveyHit } from '../../../graph/survey.ts';
import { type ChunkData, chunkKind, type DocumentNode } from './document.ts';

interface FoundChunk {
  chunk: Node;
  score: number;
}

const mostRounds = 3;
/** Maximum number of candidates, however many of them are outdated. */
const mostSeen = 5_000;

export async function findChunks(
  { graph }: OpenGraph,
  query: string,
  collections: readonly string[],
  limit: number,
  rank?: RankMode | undefined,
): Promise<FoundChunk[]> {
  /** Documents that had changed before the search was repeated. */
  const known = new Set<string>();
  for (let round = 1, seen = Math.max(limit, reordered) + 4; ; ) {
    const now = graph.now();
    const hits = await graph.survey({ query, projects: collections, kinds: [chunkKind], limit: seen });
    const ids = new Set(hits.map((one) => chunkOf(one).document));
    const documents = new Map((await graph.getAll([...ids])).map((node) => [node.id, node as unknown as DocumentNode]));
    const shown = hits.filter((one) => {
      const { document, edition } = chunkOf(one);
      const found = documents.get(document);
      return found !== undefined && found.data.edition === edition && isCurrent(found as unknown as Node, now);
    });
    // Stored since this round began or with a clock that is ahead, or just replaced.
    const changed = [...documents.values()].filter(
      (node) => !known.has(node.id) && (node.validFrom >= now || !isCurrent(node as unknown as Node, now)),
    );
    for (const { id } of changed) known.add(id);
    if (changed.length > 0 && round++ < mostRounds) continue;
    if (shown.length < limit && hits.length === seen && seen < mostSeen) {
      seen *= 4;
      continue;
    }
    const read = await graph.readHits(shown.slice(0, Math.max(limit, reordered)));
    const first = await rerankFound(query, read.slice(0, reordered), graph.openDeep(rank));
    const found = [...first, ...read.slice(reordered)];
    return found.slice(0, limit).map(({ node, score }) => ({ chunk: node, score }));
  }
}

function chunkOf({ node }: SurveyHit): ChunkData {
  return node.data as unknown as ChunkData;
}
