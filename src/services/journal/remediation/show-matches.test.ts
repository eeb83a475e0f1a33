// What a person sees of remediations at a terminal, pinned.
import { describe, expect, it } from 'vitest';
import type { Style } from '../../../core/text/terminal.ts';
import type { JournalContext } from '../context.ts';
import { createSaveTool } from './save.ts';
import { createSearchTool } from './search.ts';

/** Showing a result takes no database. */
const context = {} as JournalContext;
const style: Style = {
  bold: (text) => `*${text}*`,
  dim: (text) => text,
  width: 60,
  now: Date.parse('2026-05-31T11:00:00Z'),
};
const found = {
  id: 'rem_1',
  error: 'Error: connect ECONNREFUSED 127.0.0.1:5432',
  solution: 'Start the database first:\n  docker compose up -d db',
  root_cause: 'It was not running.',
  files: ['docker-compose.yml'],
  created: '2026-05-31T10:00:00Z',
  seen: 2,
  helpful: 1,
  unhelpful: 0,
  score: 0.912,
  why: 'same ECONNREFUSED; same message; helped 1 of 1',
};

describe('remediation_search', () => {
  const tool = createSearchTool(context);

  it('shows the error, the solution, and details below', () => {
    expect(tool.show?.({ remediations: [found] }, style)).toBe(
      [
        '*1. Error: connect ECONNREFUSED 127.0.0.1:5432*',
        '   Start the database first:',
        '     docker compose up -d db',
        '   root cause: It was not running.',
        '   files: docker-compose.yml',
        '   same ECONNREFUSED; same message; helped 1 of 1',
        '   seen 2 times · 1 h ago · rem_1 · score 0.91',
      ].join('\n'),
    );
    expect(tool.show?.({ remediations: [] }, style)).toBe('No known fix.');
  });

  it('removes terminal sequences from a remediation', () => {
    const evil = '\u001b[2Jx\u0007\u202e';
    const all = {
      ...found,
      error: evil,
      solution: evil,
      root_cause: evil,
      files: [evil],
      context: evil,
      diff: evil,
      why: evil,
    };
    expect(tool.show?.({ remediations: [all] }, style)).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  });
});

describe('remediation_save', () => {
  it('shows the message it is matched by', () => {
    const result = { action: 'merged', id: 'rem_1', headline: 'Error: x', seen: 3, beside: 1 };
    expect(createSaveTool(context).show?.(result, style)).toBe(
      ['*Already known*', '  Error: x', '  seen 3 times · 1 other solution · rem_1'].join('\n'),
    );
  });
});
