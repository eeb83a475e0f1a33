// What a person sees of collections at a terminal, pinned.
import { describe, expect, it } from 'vitest';
import type { Style } from '../../../core/text/terminal.ts';
import type { JournalContext } from '../context.ts';
import { createIngestTool } from './ingest.ts';
import { createListTool } from './list.ts';
import { createSearchTool } from './search.ts';

/** Showing a result takes no database. */
const context = {} as JournalContext;
const now = Date.parse('2026-05-31T11:00:00Z');
const plain: Style = { bold: (text) => text, dim: (text) => text, width: 50, now };
const passage = {
  id: 'chk_1',
  collection_name: 'docs',
  title: 'Guide › Install',
  text: '## Install\n\nIt is installed from the registry, with nothing downloaded afterwards.',
  source: 'docs/guide.md',
  line: 5,
  score: 0.9,
};

describe('collection_search', () => {
  const show = createSearchTool(context).show as (result: unknown, style: Style) => string;

  it('shows the location of each passage', () => {
    expect(show({ chunks: [passage], more: true }, plain)).toBe(
      [
        '1. Guide › Install',
        '   ## Install',
        '',
        '   It is installed from the registry, with nothing',
        '   downloaded afterwards.',
        '   docs · docs/guide.md:5 · score 0.90',
        'There are more: --limit, --budget-tokens',
      ].join('\n'),
    );
    expect(show({ chunks: [], more: false }, plain)).toBe('No matching documents.');
  });

  it('removes terminal sequences from a document', () => {
    const evil = '\u001b[2Jx\u0007\u202e';
    const chunk = { ...passage, collection_name: evil, title: evil, text: evil, source: evil };
    expect(show({ chunks: [chunk], more: false }, plain)).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  });
});

describe('collection_list', () => {
  it('shows the collections and their sizes', () => {
    const show = createListTool(context).show as (result: unknown, style: Style) => string;
    const collections = [
      {
        collection_name: 'docs',
        description: 'The guide',
        documents: 12,
        chunks: 57,
        ingested: '2026-05-31T10:00:00Z',
      },
      { collection_name: 'empty', description: '', documents: 0, chunks: 0 },
    ];
    expect(show({ collections }, plain)).toBe(
      [
        'docs',
        '  The guide',
        '  12 documents · 57 chunks · ingested 1 h ago',
        'empty',
        '  0 documents · 0 chunks',
      ].join('\n'),
    );
  });
});

describe('collection_ingest', () => {
  it('reports the result', () => {
    const render = createIngestTool(context).render as (result: unknown) => string;
    const result = { collection_name: 'docs', added: 1, replaced: 0, unchanged: 2, gone: 0, chunks: 9 };
    expect(render({ collection_name: 'docs', result: { ...result, skipped: { too_large: 1 } } })).toBe(
      'Ingested into "docs": 1 document added, 2 documents unchanged, 9 chunks, skipped 1 too large.',
    );
    expect(render({ collection_name: 'docs', operation_id: 'op_1' })).toContain('op_1');
  });
});
