// Fusing what words found with what meaning found.
import { expect, it } from 'vitest';
import { runNow } from '../core/steps.ts';
import { fuse } from './fuse.ts';
import type { IndexHits } from './search-index.ts';

const fuseNow = (answer: IndexHits) => runNow(fuse(answer));

it('fuse: ranks more hits than a function call takes arguments', () => {
  const count = 200_000;
  const words = Array.from({ length: count }, (_, number) => ({ number, score: number + 1, frequencies: [1] }));
  const meaning = words.map(({ number, score }) => ({ number, score }));
  const hits = fuseNow({ words, meaning, weights: [1], background: 0 });
  expect(hits).toHaveLength(count);
  expect(hits[0]).toMatchObject({ number: count - 1, text: 1, vector: 1, score: 1 });
});

it('fuse: relevance does not depend on other results', () => {
  const relevanceOf = (others: number[]) => {
    const words = [...others, 1].map((score, number) => ({ number, score, frequencies: [1, 0] }));
    const hits = fuseNow({ words, meaning: [], weights: [1, 1], background: 0 });
    return hits.find(({ number }) => number === others.length)?.relevance;
  };
  expect(relevanceOf([])).toBeCloseTo(1 / (2.2 * 1.5));
  expect(relevanceOf([2, 2])).toBe(relevanceOf([]));
});

it('fuse: similarity counts above the background', () => {
  const meaning = [0.9, 0.6, 0.5].map((cosine, number) => ({ number, score: cosine * 254 ** 2 }));
  const likeness = fuseNow({ words: [], meaning, weights: [], background: 0.6 * 254 ** 2 }).map((hit) => hit.likeness);
  expect(likeness.map((one) => Math.round(one * 100))).toEqual([75, 0, 0]);
});
