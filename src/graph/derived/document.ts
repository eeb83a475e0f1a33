// A derived node's document, made where there is time for it: in a worker thread, which has no graph to ask.
import { countTerms, writeTerms } from '../../search/document.ts';
import { createStaticEmbedder } from '../../search/embed.ts';

/** How often each term stands in a text. */
export interface Terms {
  length: number;
  frequencies: ReadonlyMap<string, number>;
}

export interface Describer {
  /** Once for a text that belongs to several documents. */
  analyze(text: string): Terms;
  /** `also` is looked for, but neither kept nor embedded. */
  describe(
    title: string,
    text: string,
    also: readonly Terms[],
  ): { terms: string; length: number; vector: Int8Array | undefined };
}

/** Vectors are made only where the graph's are of the table that comes along. */
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
