// Builds the documents of a file in a worker thread, which has no access to the graph.
import { hashHex } from '../../core/crypto.ts';
import { type PackedTerms, titleWeight } from '../../search/document.ts';
import { createStaticEmbedder } from '../../search/embed.ts';
import { createTermCounter } from '../../search/term-counter.ts';

export interface DocumentText {
  title: string;
  text: string;
  /** Searchable, but neither stored nor embedded. */
  body: string;
}

export interface DescribedDocument {
  /** Hash of all its indexed data. */
  indexed: string;
  length: number;
  /** Number of distinct terms. */
  terms: number;
}

/** The documents of a file. */
export interface DescribedDocuments extends PackedTerms {
  documents: DescribedDocument[];
  /** Of all documents, concatenated; undefined if the graph does not use the bundled table. */
  vectors: Int8Array | undefined;
}

/** The first document, the file's own, also contains the bodies of the others. */
export type Describe = (documents: readonly DocumentText[]) => DescribedDocuments;

export function createDescribe(model: string): Describe {
  const embedder = createStaticEmbedder();
  const counter = createTermCounter();
  return (texts) => {
    const terms: Uint32Array[] = [];
    const documents: DescribedDocument[] = [];
    let sharedLength = 0;
    // The file's own comes last, when all bodies are known.
    for (let at = texts.length - 1; at >= 0; at--) {
      const { title, text, body } = texts[at] as DocumentText;
      let length = counter.add(body);
      if (at > 0) {
        counter.share();
        sharedLength += length;
      } else {
        counter.addShared();
        length += sharedLength;
      }
      length += counter.add(title, titleWeight) + counter.add(text);
      const { packed, sum } = counter.take();
      terms[at] = packed;
      documents[at] = { indexed: hashHex(`${title}\n${text}\n${sum}`).slice(0, 10), length, terms: packed.length };
    }
    const vectors =
      embedder.id === model ? embedder.embed(texts.map(({ title, text }) => `${title}\n${text}`)) : undefined;
    return {
      words: counter.words(),
      packed: joinArrays(terms, Uint32Array),
      documents,
      vectors: vectors && joinArrays(vectors, Int8Array),
    };
  };
}

function joinArrays<T extends Uint32Array | Int8Array>(arrays: readonly T[], Type: new (length: number) => T): T {
  const joined = new Type(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    joined.set(array, at);
    at += array.length;
  }
  return joined;
}
