// Reordering found nodes: the same nodes and scores, with the passage that answers first; derived nodes stay in place.
import { expect, it } from 'vitest';
import type { FoundNode } from './graph.ts';
import { rerankFound } from './rerank.ts';

const found = (text: string, score: number, kind = 'chunk'): FoundNode =>
  ({
    node: { kind, title: 'Handbook', text, source: 'handbook.md', data: { document: 'd1' } },
    score,
    match: 0.3,
    likeness: 0.3,
    coverage: 0.5,
    relevance: 0.4,
  }) as unknown as FoundNode;

it('keeps the nodes and their descending scores', async () => {
  const given = [
    found('Who repairs it?', 0.9),
    found('Broken cars are repaired in the garage.', 0.8),
    found('Ok', 0.1),
  ];
  const ordered = await rerankFound('Where are cars repaired?', given);
  expect(ordered.map(({ score }) => score)).toEqual([0.9, 0.8, 0.1]);
  expect(new Set(ordered.map(({ node }) => node))).toEqual(new Set(given.map(({ node }) => node)));
  expect(ordered[0]?.node.text).toBe('Broken cars are repaired in the garage.');
});

it('leaves derived nodes in their places', async () => {
  const given = [
    found('repair', 0.9, 'symbol'),
    found('Who repairs it?', 0.8),
    found('Broken cars are repaired in the garage.', 0.7),
  ];
  const ordered = await rerankFound('Where are cars repaired?', given);
  expect(ordered.map(({ node }) => node.text)).toEqual([0, 2, 1].map((at) => given[at]?.node.text));
  expect(ordered.map(({ score }) => score)).toEqual([0.9, 0.8, 0.7]);
});
