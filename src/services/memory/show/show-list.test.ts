// What a person sees at a terminal, pinned: the same result is always laid out the same way.
import { describe, expect, it } from 'vitest';
import type { Style } from '../../../core/text/terminal.ts';
import type { Tool } from '../../../core/tool.ts';
import type { MemoryContext } from '../context.ts';
import { createProjectTool } from '../project.ts';
import { createRecallTool } from '../recall.ts';
import { createRecentTool } from '../recent.ts';
import { createRememberTool } from '../remember.ts';
import { createStatsTool } from '../stats.ts';

/** Showing a result takes no database. */
const context = {} as MemoryContext;
const now = Date.parse('2026-05-31T11:00:00Z');
const plain: Style = { bold: (text) => text, dim: (text) => text, width: 60, now };

function show(tool: Tool, result: unknown, style = plain): string {
  return tool.show?.(result, style) ?? '';
}

const database = {
  id: 'n_1',
  text: 'PostgreSQL 15 is the primary database.',
  kind: 'semantic',
  knowledge: 'architecture',
  importance: 0.5,
  created: '2026-05-03T11:00:00Z',
  score: 0.824,
};
const deploys = {
  id: 'n_2',
  text: 'We never deploy on Fridays, because the people on call are few and tired:\n- see docs/deploy.md',
  context: 'What about\nreleases?',
  kind: 'episodic',
  knowledge: 'note',
  importance: 0.5,
  created: '2026-05-31T10:00:00Z',
  source: 'chat',
  tags: ['ops', 'ci'],
  expires: '2026-06-30T11:00:00Z',
  state: 'stale',
  score: 0.3,
};

describe('recall', () => {
  const tool = createRecallTool(context);

  it('shows texts first and details below', () => {
    const result = { memories: [database, deploys], time: 'last month', next_cursor: 'abc' };
    expect(show(tool, result)).toBe(
      [
        'Memories of "last month" are preferred.',
        '1. PostgreSQL 15 is the primary database.',
        '   architecture · 3 May · n_1 · score 0.82',
        '2. We never deploy on Fridays, because the people on call',
        '   are few and tired:',
        '   - see docs/deploy.md',
        '   after: What about releases?',
        '   episodic · 1 h ago · from chat · #ops #ci · until 30 Jun',
        '   stale: what it cites has changed · n_2 · score 0.30',
        'There are more; raise --limit to see them.',
      ].join('\n'),
    );
    expect(show(tool, { memories: [] })).toBe('Nothing is known about that.');
  });

  it('dims all but the texts', () => {
    const style = { ...plain, dim: (text: string) => `‹${text}›` };
    expect(show(tool, { memories: [database] }, style)).toBe(
      '1. PostgreSQL 15 is the primary database.\n   ‹architecture · 3 May · n_1 · score 0.82›',
    );
  });

  it('removes terminal sequences from a memory', () => {
    const evil = '\u001b[2Jx\u0007\u202e';
    const memory = { ...deploys, text: evil, context: evil, source: evil, tags: [evil], why: evil, project: evil };
    const shown = show(tool, { memories: [memory], time: evil });
    expect(shown).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
    expect(shown).toContain('1. x⟦U+0007⟧⟦U+202E⟧');
  });
});

describe('recent', () => {
  const tool = createRecentTool(context);

  it('aligns its counts', () => {
    const memories = Array.from({ length: 10 }, (_, n) => ({ ...database, id: `n_${n}`, score: undefined }));
    const lines = show(tool, { memories }).split('\n');
    expect(lines.slice(0, 2)).toEqual([' 1. PostgreSQL 15 is the primary database.', '    architecture · 3 May · n_0']);
    expect(lines.slice(-2)).toEqual(['10. PostgreSQL 15 is the primary database.', '    architecture · 3 May · n_9']);
    expect(show(tool, { memories: [] })).toBe('Nothing is known yet.');
  });
});

describe('project', () => {
  it('shows each part under its title', () => {
    const result = {
      name: 'shop',
      root: '/home/ana/shop',
      memories: 2,
      parts: [
        { part: 'architecture', memories: [{ ...database, score: undefined }] },
        { part: 'recent', memories: [{ ...database, id: 'n_3', score: undefined }] },
      ],
    };
    const style = { ...plain, bold: (text: string) => `**${text}**` };
    expect(show(createProjectTool(context), result, style)).toBe(
      [
        '**shop · 2 memories**',
        '/home/ana/shop',
        '',
        '**Architecture**',
        '1. PostgreSQL 15 is the primary database.',
        '   architecture · 3 May · n_1',
        '',
        '**Recent**',
        '1. PostgreSQL 15 is the primary database.',
        '   architecture · 3 May · n_3',
      ].join('\n'),
    );
  });
});

describe('stats', () => {
  it('aligns its counts and omits zeros', () => {
    const result = {
      memories: 12,
      kinds: { semantic: 2, episodic: 10, working: 0 },
      knowledge: {},
      superseded: 1,
      forgotten: 0,
      hygiene: { expired: 0, passed: 0, duplicates: 1, stale: 0, never_recalled: 11, secrets_refused: 0 },
    };
    expect(show(createStatsTool(context), result)).toBe(
      [
        '12 memories',
        '1 superseded, 0 forgotten',
        '',
        'By kind',
        '  episodic  10',
        '  semantic   2',
        '',
        'What lore cleanup would forget',
        '  duplicates                   1',
        '  expired                      0',
        '  outdated (passed)            0',
        '  citing deleted code (stale)  0',
        '',
        'Other',
        '  never recalled    11',
        '  secrets redacted   0',
      ].join('\n'),
    );
  });
});

describe('remember', () => {
  it('shows the stored memory, its expiry, what it replaces and similar ones', () => {
    const superseded = [{ id: 'n_1', text: 'PostgreSQL 14 is the primary database.' }];
    const similar = [{ id: 'n_0', text: 'Redis is the primary cache.', relation: 'may_disagree' }];
    const result = {
      action: 'superseded',
      id: 'n_2',
      kind: 'semantic',
      knowledge: 'architecture',
      superseded,
      similar,
    };
    expect(show(createRememberTool(context), { ...result, expires: '2026-06-30T11:00:00Z', redacted: 1 })).toBe(
      [
        'Stored',
        '  semantic · architecture · until 30 Jun · n_2',
        'Replaces: PostgreSQL 14 is the primary database.',
        '  n_1',
        'May disagree: Redis is the primary cache.',
        '  n_0',
        'To replace one, repeat the command with --supersedes ID.',
        '1 secret was redacted.',
      ].join('\n'),
    );
    const again = { action: 'merged', id: 'n_2', kind: 'semantic', knowledge: 'note', superseded: [], redacted: 0 };
    const changed = ['tags'];
    expect(show(createRememberTool(context), { ...again, changed })).toBe(
      'Already stored\n  semantic · changed: tags · n_2',
    );
  });
});
