// A picture as a person sees it at a terminal, pinned.
import { describe, expect, it } from 'vitest';
import type { Style } from '../../core/text/terminal.ts';
import { showPicture } from './show-subgraph.ts';

const plain: Style = { bold: (text) => text, dim: (text) => text, width: 50, now: 0 };

describe('a picture', () => {
  it('shows its nodes, then their edges', () => {
    const nodes = [
      { id: 'n_1', kind: 'memory', text: 'We deploy with docs/deploy.md at hand.', score: 1, why: 'matches the query' },
      {
        id: 'ent_2',
        kind: 'entity',
        title: 'docs/deploy.md',
        text: '',
        score: 0.213,
        why: 'mentions from We deploy with it',
      },
    ];
    const edges = [{ from: 'n_1', kind: 'mentions', to: 'ent_2' }];
    expect(showPicture({ nodes, edges }, plain)).toBe(
      [
        '1. We deploy with docs/deploy.md at hand.',
        '   memory · matches the query · n_1 · score 1.00',
        '2. docs/deploy.md',
        '   entity · mentions from We deploy with it',
        '   ent_2 · score 0.21',
        '',
        '1 relation',
        '  We deploy with docs/deploy.md at hand.',
        '  —mentions→ docs/deploy.md',
      ].join('\n'),
    );
    expect(showPicture({ nodes: [], edges: [] }, plain)).toBe('Nothing is known about that.');
  });

  it('removes terminal sequences from a node', () => {
    const evil = '\u001b[2Jx\u0007';
    const node = { id: evil, kind: evil, title: evil, text: evil, score: 1, why: evil };
    const shown = showPicture({ nodes: [node], edges: [{ from: evil, kind: evil, to: evil }] }, plain);
    expect(shown).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});
