// Fusing what words found with what meaning found.
import { expect, it } from 'vitest';
import { fuse } from './fuse.ts';

it('fuse: ranks more hits than a function call takes arguments', () => {
  const count = 200_000;
  const words = Array.from({ length: count }, (_, number) => ({ number, score: number + 1, frequencies: [1] }));
  const meaning = words.map(({ number, score }) => ({ number, score }));
  const hits = fuse({ words, meaning, weights: [1] });
  expect(hits).toHaveLength(count);
  expect(hits[0]).toMatchObject({ number: count - 1, text: 1, vector: 1, score: 1 });
});
