// What a question finds in collections. Which edition of a document counts is asked of the documents, all in one reading
// after the search, as of the time when it began: chunks of an edition that came or went meanwhile are all in or all out.
import { isCurrent, type Node } from '../../../graph/node.ts';
import type { OpenGraph } from '../../../graph/open.ts';
import type { Sighting } from '../../../graph/survey.ts';
import { type ChunkData, chunkKind, type DocumentNode } from './document.ts';

interface FoundChunk {
  chunk: Node;
  score: number;
}

const mostRounds = 3;
/** No more than so many are looked at, however many of them are out of date. */
const mostSeen = 5_000;

export async function findChunks(
  { graph }: OpenGraph,
  query: string,
  collections: readonly string[],
  limit: number,
): Promise<FoundChunk[]> {
  for (let round = 1, seen = limit + 4; ; ) {
    const at = graph.now();
    const sightings = await graph.survey({ query, projects: collections, kinds: [chunkKind], limit: seen, at });
    const ids = new Set(sightings.map((one) => chunkOf(one).document));
    const documents = new Map((await graph.getAll([...ids])).map((node) => [node.id, node as unknown as DocumentNode]));
    const shown = sightings.filter((one) => {
      const { document, edition } = chunkOf(one);
      const found = documents.get(document);
      return found !== undefined && found.data.edition === edition && isCurrent(found as unknown as Node, at);
    });
    // One that went in the moment when this began may have a successor that was not there yet.
    const isTorn = [...documents.values()].some(({ validTo }) => validTo === at);
    if (isTorn && round++ < mostRounds) continue;
    if (shown.length < limit && sightings.length === seen && seen < mostSeen) {
      seen *= 4;
      continue;
    }
    return readAll(graph, shown.slice(0, limit));
  }
}

async function readAll(graph: OpenGraph['graph'], shown: readonly Sighting[]): Promise<FoundChunk[]> {
  const chunks = new Map((await graph.getAll(shown.map(({ node }) => node.id))).map((node) => [node.id, node]));
  return shown.flatMap(({ node, score }) => {
    const chunk = chunks.get(node.id);
    return chunk ? [{ chunk, score }] : [];
  });
}

function chunkOf({ node }: Sighting): ChunkData {
  return node.data as unknown as ChunkData;
}
