// Ranks tools for a short phrase: BM25 over the words of each tool, the cosine of the embedding table, and how well each word of
// the phrase fits the nearest word of the tool's title, because one word that means the same is enough for a step.

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

interface FieldWords {
  counts: ReadonlyMap<string, number>;
  length: number;
}

interface PreparedTool {
  tool: ProvidedTool;
  fields: Readonly<Record<Field, FieldWords>>;
  /** Of its name and summary, and with its description. */
  vectors: readonly Int8Array[];
  /** The words of its name and summary. */
  title: readonly string[];
}

/** How often the words of each part count. Lengths are normalised for each field: a short title says more than a long text. */
const fields = {
  title: { name: 1, summary: 1 },
  text: { description: 1, words: 1, key: 1, returns: 0.3 },
} as const;
type Field = keyof typeof fields;
const weights: Record<Field, number> = { title: 2, text: 1 };
const lengthShare = 0.75;
const share = { text: 0.4, meaning: 0.3, words: 0.3 };
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
    summary: firstSentence(tool.summary),
    key: spaced(tool.key),
  }));
  const titles = plain.map(({ name, summary }) => `${name}. ${summary}`);
  const short = embed(titles);
  const long = embed(plain.map(({ description }, at) => `${titles[at]}. ${description}`));
  const tools = plain.map((texts, at): PreparedTool => {
    const count = (field: Field): FieldWords => {
      const counts = new Map<string, number>();
      let length = 0;
      for (const [part, weight] of Object.entries(fields[field])) {
        for (const term of analyze(texts[part as keyof typeof texts] as string)) {
          counts.set(term, (counts.get(term) ?? 0) + weight);
          length += weight;
        }
      }
      return { counts, length };
    };
    const vectors = [short[at], long[at]].filter((vector) => vector !== undefined);
    return {
      tool: shown[at] as ProvidedTool,
      fields: { title: count('title'), text: count('text') },
      vectors,
      title: wordsOf(titles[at] as string),
    };
  });
  prepared.set(catalog, tools);
  return tools;
}

function spaced(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[^a-zA-Z0-9]+/g, ' ');
}

/** The summary of an MCP tool is the beginning of its description, which goes on with details after it has said what it does. */
function firstSentence(text: string): string {
  const end = /[.!?](?=\s+\p{Lu})/u.exec(text);
  return end ? text.slice(0, end.index) : text;
}

/** The best first. */
export function rankTools(tools: readonly PreparedTool[], query: string, limit: number): ProvidedTool[] {
  const terms = [...new Set(analyzeQuery(query))];
  const has = ({ fields: { title, text } }: PreparedTool, term: string) =>
    title.counts.has(term) || text.counts.has(term);
  const idf = terms.map((term) => inverseFrequency(tools.length, tools.filter((tool) => has(tool, term)).length));
  const averages = { title: averageLength(tools, 'title'), text: averageLength(tools, 'text') };
  const [vector] = embed([query]);
  const fits = fitWords(tools, query);
  const frequency = (tool: PreparedTool, term: string, field: Field) => {
    const { counts, length } = tool.fields[field];
    const normal = 1 - lengthShare + (lengthShare * length) / averages[field];
    return (weights[field] * (counts.get(term) ?? 0)) / normal;
  };
  const texts = tools.map((tool) =>
    terms.reduce((sum, term, at) => {
      const count = frequency(tool, term, 'title') + frequency(tool, term, 'text');
      return sum + scoreTerm(count, 1, 1, idf[at] as number);
    }, 0),
  );
  const best = texts.reduce((a, b) => Math.max(a, b), Number.MIN_VALUE);
  return tools
    .map(({ tool, vectors }, at) => {
      const text = (texts[at] as number) / best;
      const meaning =
        vectors.reduce((sum, one) => sum + measureCosine(vector as Int8Array, one), 0) / vectors.length || 0;
      const score = share.text * text + share.meaning * Math.max(0, meaning) + share.words * (fits[at] as number);
      return { tool, score: tool.isDeprecated ? score / 2 : score };
    })
    .filter(({ score }) => score > least)
    .sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1))
    .slice(0, limit)
    .map(({ tool }) => tool);
}

function averageLength(tools: readonly PreparedTool[], field: Field): number {
  return tools.reduce((sum, tool) => sum + tool.fields[field].length, 0) / Math.max(1, tools.length) || 1;
}

/** For each tool, the mean over the words of the query of the nearest word in its title; rare words count more. */
function fitWords(tools: readonly PreparedTool[], query: string): number[] {
  const words = wordsOf(query).filter((word) => analyzeQuery(word).length > 0);
  const weights = words.map((word) =>
    inverseFrequency(tools.length, tools.filter(({ title }) => title.includes(word)).length),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return tools.map(() => 0);
  const known = words.map(() => new Map<string, number>());
  const similar = (at: number, other: string): number => {
    const found = known[at]?.get(other);
    if (found !== undefined) return found;
    const [a, b] = [vectorOf(words[at] as string), vectorOf(other)];
    const measured = words[at] === other ? 1 : a && b ? Math.max(0, measureCosine(a, b)) : 0;
    known[at]?.set(other, measured);
    return measured;
  };
  return tools.map(({ title }) => {
    const nearest = words.map((_, at) => title.reduce((most, word) => Math.max(most, similar(at, word)), 0));
    return nearest.reduce((sum, value, at) => sum + value * (weights[at] as number), 0) / total;
  });
}

const wordVectors = new Map<string, Int8Array | undefined>();
const mostWords = 50_000;

function vectorOf(word: string): Int8Array | undefined {
  if (wordVectors.size > mostWords) wordVectors.clear();
  if (!wordVectors.has(word)) wordVectors.set(word, embed([word])[0]);
  return wordVectors.get(word);
}

function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/\p{L}{2,}/gu) ?? [])];
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
