// Builds the document of a derived node in a worker thread, which has no access to the graph.
import { countTerms, writeTerms } from '../../search/document.ts';
import { createStaticEmbedder } from '../../search/embed.ts';

/** Frequency of each term in a text. */
export interface Terms {
  length: number;
  frequencies: ReadonlyMap<string, number>;
}

export interface Describer {
  /** Cached, for a text of several documents. */
  analyze(text: string): Terms;
  /** `also` is searchable, but neither stored nor embedded. */
  describe(
    title: string,
    text: string,
    also: readonly Terms[],
  ): { terms: string; length: number; vector: Int8Array | undefined };
}

/** Vectors are computed here only if the graph uses the bundled table. */
export function createDescriber(model: string): Describer {
  const embedder = createStaticEmbedder();
  let isOwn: boolean | undefined;
  return {
    analyze: (text) => countTerms('', text),
    describe(title, text, also) {
      isOwn ??= embedder.id === model;
      const { length, frequencies } = countTerms(title, text);
      let total = length;
      for (const more of also) {
        total += more.length;
        for (const [term, count] of more.frequencies) frequencies.set(term, (frequencies.get(term) ?? 0) + count);
      }
      const [vector] = isOwn ? embedder.embed([`${title}\n${text}`]) : [];
      return { terms: writeTerms(frequencies), length: total, vector };
    },
  };
}
