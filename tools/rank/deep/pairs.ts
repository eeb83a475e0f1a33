// Writes the candidates of questions as tokens, encoded by the product's own code, for the training of the deep ranker (train.py).
import { readFileSync, writeFileSync } from 'node:fs';
import { createEncoder } from '../../../src/search/rank/deep/input.ts';
import type { RankCandidate } from '../../../src/search/rank/features.ts';
import shape from './shape.json' with { type: 'json' };

interface AskedPairs {
  question: string;
  /** The first of them have a score of the fast stage; the others are only context. */
  candidates: readonly RankCandidate[];
  fast: readonly number[];
  /** Evidence that the search did not find, with the number of its session: more to learn from. */
  missed: readonly { session: number; text: string; before?: string | undefined }[];
}

/** `vocabulary` is a tokenizer.json. */
export function createPairs(vocabulary: string) {
  const { vocab } = JSON.parse(readFileSync(vocabulary, 'utf8')).model as { vocab: Record<string, number> };
  const pieces = Object.entries(vocab)
    .sort(([, a], [, b]) => a - b)
    .map(([piece]) => piece);
  const encoder = createEncoder(pieces, shape);
  const known = new Map<string, number>();
  const texts: number[][] = [];
  const groups: { question: number; text: number[]; before: number[]; fast: readonly number[]; missed: number[] }[] =
    [];

  function number(tokens: number[]): number {
    const key = tokens.join(' ');
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, texts.length);
    return texts.push(tokens) - 1;
  }

  return {
    add({ question, candidates, fast, missed }: AskedPairs): void {
      const asked = encoder.question(question);
      const turns = new Map(candidates.map((one) => [`${one.session}\n${one.place}`, one.text]));
      const found = candidates.slice(0, fast.length).map(({ text, session, place }) => ({
        text,
        before: place === undefined ? undefined : turns.get(`${session}\n${place - 1}`),
      }));
      const encoded = [...found, ...missed].map(({ text, before }) => {
        const tokens = [...encoder.pair(asked, { text, before })].slice(asked.length + 2);
        const end = tokens.indexOf(shape.tokens.separator);
        return { text: number(tokens.slice(0, end)), before: number(tokens.slice(end + 1, -1)) };
      });
      groups.push({
        question: number([...asked]),
        text: encoded.map(({ text }) => text),
        before: encoded.map(({ before }) => before),
        fast,
        missed: missed.map(({ session }) => session),
      });
    },
    write(path: string): void {
      writeFileSync(`${path}.tokens`, Uint16Array.from(texts.flat()));
      writeFileSync(`${path}.pairs.json`, JSON.stringify({ lengths: texts.map(({ length }) => length), groups }));
    },
  };
}
