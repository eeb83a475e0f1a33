// Ranks tools for a short phrase: BM25 over the words of each tool, and the cosine of the embedding table.

import { LoreError } from '../../../core/error.ts';
import type { ProvidedTool } from '../../../core/tool-provider.ts';
import {
  analyze,
  analyzeQuery,
  createStaticEmbedder,
  inverseFrequency,
  measureCosine,
  scoreTerm,
} from '../../../graph/words.ts';

interface PreparedTool {
  tool: ProvidedTool;
  counts: ReadonlyMap<string, number>;
  length: number;
  vector: Int8Array;
}

/** How often the words of each part count. */
const weights = { name: 2, summary: 2, description: 1, words: 1, key: 1, returns: 0.3 };
const share = { text: 0.6, meaning: 0.4 };
/** Below this a result has nothing to do with the query. */
const least = 0.1;

const embedder = createStaticEmbedder();

/** An exported server has no table: its search is by words alone. */
function embed(texts: readonly string[]): Int8Array[] {
  try {
    return embedder.embed(texts);
  } catch (error) {
    if (error instanceof LoreError) return [];
    throw error;
  }
}
/** A catalog never changes. */
const prepared = new WeakMap<readonly ProvidedTool[], PreparedTool[]>();

export function prepareTools(catalog: readonly ProvidedTool[]): readonly PreparedTool[] {
  const known = prepared.get(catalog);
  if (known) return known;
  const shown = catalog.filter(({ isHidden }) => isHidden !== true);
  const plain = shown.map((tool) => ({
    ...tool,
    name: spaced(tool.name.replace(`${tool.source}_`, '')),
    key: spaced(tool.key),
  }));
  const vectors = embed(plain.map(({ name, summary, description }) => `${name}. ${summary}. ${description}`));
  const tools = plain.map((texts, at): PreparedTool => {
    const counts = new Map<string, number>();
    let length = 0;
    for (const [part, weight] of Object.entries(weights)) {
      for (const term of analyze(texts[part as keyof typeof weights])) {
        counts.set(term, (counts.get(term) ?? 0) + weight);
        length += weight;
      }
    }
    return { tool: shown[at] as ProvidedTool, counts, length, vector: vectors[at] ?? new Int8Array() };
  });
  prepared.set(catalog, tools);
  return tools;
}

function spaced(name: string): string {
  return name.replace(/[^a-zA-Z0-9]+/g, ' ');
}

/** The best first. */
export function rankTools(tools: readonly PreparedTool[], query: string, limit: number): ProvidedTool[] {
  const terms = [...new Set(analyzeQuery(query))];
  const averageLength = tools.reduce((sum, { length }) => sum + length, 0) / Math.max(1, tools.length);
  const idf = terms.map((term) =>
    inverseFrequency(tools.length, tools.filter(({ counts }) => counts.has(term)).length),
  );
  const [vector = new Int8Array()] = embed([query]);
  const texts = tools.map(({ counts, length }) =>
    terms.reduce(
      (sum, term, at) => sum + scoreTerm(counts.get(term) ?? 0, length, averageLength, idf[at] as number),
      0,
    ),
  );
  const best = texts.reduce((a, b) => Math.max(a, b), Number.MIN_VALUE);
  return tools
    .map(({ tool, vector: meaning }, at) => {
      const text = (texts[at] as number) / best;
      const score = share.text * text + share.meaning * Math.max(0, measureCosine(vector, meaning));
      return { tool, score: tool.isDeprecated ? score / 2 : score };
    })
    .filter(({ score }) => score > least)
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
    .slice(0, limit)
    .map(({ tool }) => tool);
}

/** One result of each query in turn, so that every step of a task finds its tool. */
export function interleave(lists: readonly (readonly ProvidedTool[])[], limit: number): ProvidedTool[] {
  const chosen = new Map<string, ProvidedTool>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let rank = 0; rank < longest; rank++) {
    for (const list of lists) {
      const tool = list[rank];
      if (tool && !chosen.has(tool.name) && chosen.size < limit) chosen.set(tool.name, tool);
    }
  }
  return [...chosen.values()];
}
