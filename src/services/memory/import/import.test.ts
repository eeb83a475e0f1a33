// The forms of foreign memories: how they are told apart, and what is read out of each.
import { describe, expect, it } from 'vitest';
import { detectFormat } from './import-format.ts';
import { readKuzu } from './import-kuzu.ts';
import { readMarkdown } from './import-markdown.ts';
import { readMcpMemory } from './import-mcp-memory.ts';
import type { Piece } from './import-piece.ts';
import { type ImportSource, readLines } from './import-source.ts';
import { readTranscript, type Slice } from './import-transcript.ts';

const now = Date.UTC(2026, 5, 1);

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split('\n');
}

const memoriesIn = (pieces: readonly Piece[]) => pieces.flatMap((piece) => ('memory' in piece ? [piece.memory] : []));
const leftIn = (pieces: readonly Piece[]) => pieces.flatMap((piece) => ('left' in piece ? [piece.left] : []));

describe('a form', () => {
  it.each([
    ['{"format":"lorekeeper-graph-1"}\n', 'x.jsonl', 'lore'],
    ['{"node":["n1","p"]}\n', 'x', 'lore'],
    ['{"type":"entity","name":"A","entityType":"t","observations":[]}', 'memory.json', 'mcp-memory'],
    ['{"type":"relation","from":"A","to":"B","relationType":"r"}', '', 'mcp-memory'],
    ['{\n  "entities": [\n', 'graph.json', 'mcp-memory'],
    ['{"type":"summary","summary":"s"}\n{"type":"user","sessionId":"1","message":{}}\n', 'a.jsonl', 'claude-code'],
    [`{"type":"user","sessionId":"1","message":{"content":"${'x'.repeat(100_000)}`, 'a.jsonl', 'claude-code'],
    ['{\n  "schema_version": "1.0",\n  "memories": [\n', 'b.json', 'kuzu'],
    ['[{"content":"x","memory_type":"semantic"}]', 'b.json', 'kuzu'],
    ['# Notes\n\n- one\n', 'MEMORY.md', 'markdown'],
    ['plain words', 'standard input', 'markdown'],
    ['{"name":"package","version":"1.0.0"}', 'package.json', undefined],
    ['words', 'x.json', undefined],
    ['\0\u0001\u0002', 'x.bin', undefined],
    ['', 'MEMORY.md', undefined],
  ])('%j in %s is %s', (head, name, format) => {
    expect(detectFormat(head, name)).toBe(format);
  });
});

describe("the reference memory server's file", () => {
  it('returns entities, observations and relations', async () => {
    const pieces = await collect(
      readMcpMemory(
        linesOf(
          [
            '{"type":"entity","name":"Ada_L","entityType":"person","observations":["Speaks French","Ada L likes tea", 7]}',
            '',
            'not JSON',
            '{"type":"relation","from":"Ada_L","to":"Acme","relationType":"works_at"}',
            '{"type":"entity","observations":["of nobody"]}',
          ].join('\n'),
        ),
      ),
    );
    expect(memoriesIn(pieces).map(({ text }) => text)).toEqual(['Ada_L: Speaks French', 'Ada L likes tea']);
    expect(pieces).toContainEqual({ thing: { name: 'Ada_L', type: 'person' } });
    expect(pieces).toContainEqual({ relation: { from: 'Ada_L', kind: 'works_at', to: 'Acme' } });
    expect(leftIn(pieces)).toEqual(['unreadable', 'unreadable', 'unreadable']);
  });

  it('may be one document of many lines', async () => {
    const graph = {
      entities: [{ name: 'Acme', entityType: 'company', observations: ['Founded in 2001'] }],
      relations: [{ from: 'Acme', to: 'Acme', relationType: 'owns' }],
    };
    const pieces = await collect(readMcpMemory(linesOf(JSON.stringify(graph, null, 2))));
    expect(memoriesIn(pieces).map(({ text }) => text)).toEqual(['Acme: Founded in 2001']);
    expect(leftIn(pieces)).toEqual([]);
  });
});

describe('notes in Markdown', () => {
  const read = (text: string, amongOthers = false) =>
    memoriesIn(readMarkdown(text, { name: 'MEMORY.md', amongOthers })).map(({ text, context }) => [text, context]);

  it('give items and paragraphs under their headings', () => {
    const text = [
      '# MEMORY',
      'The gateway listens on 8443',
      'and speaks HTTP/2.',
      '## Build',
      '- Tests: `pnpm vitest run`',
      '  in every package.',
      '- Tools:',
      '  - pnpm, never npm',
      '### Release',
      '1. Tag it first.',
      '## Style',
      'Two spaces indent.',
    ].join('\n');
    expect(read(text)).toEqual([
      ['The gateway listens on 8443 and speaks HTTP/2.', undefined],
      ['Tests: `pnpm vitest run` in every package.', 'Build'],
      ['pnpm, never npm', 'Build › Tools:'],
      ['Tag it first.', 'Build › Release'],
      ['Two spaces indent.', 'Style'],
    ]);
  });

  it('keep code with what introduces it, and a table whole', () => {
    expect(read('Deploy with:\n\n```sh\n./deploy.sh\n# twice\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n')).toEqual([
      ['Deploy with:\n```\n./deploy.sh\n# twice\n```', undefined],
      ['| a | b |\n|---|---|\n| 1 | 2 |', undefined],
    ]);
  });

  it('add the heading to very short notes', () => {
    expect(read('## Package manager\n- pnpm\n')).toEqual([['Package manager: pnpm', undefined]]);
  });

  it('describe their topic in their settings', () => {
    expect(read('---\nname: role\ndescription: "who the user is"\n---\nThe user writes Go every day.')).toEqual([
      ['The user writes Go every day.', 'who the user is'],
    ]);
  });

  it('omit comments, rules and references', () => {
    const text = '<!-- not\nthis -->\n@docs/more.md\n\n---\n\n- [Role](role.md) — who the user is\n- ![](x.png)\n';
    expect(read(text)).toEqual([['[Role](role.md) — who the user is', undefined]]);
    expect(leftIn(readMarkdown(text, { name: 'MEMORY.md', amongOthers: true }))).toEqual([
      'pointer',
      'pointer',
      'empty',
    ]);
  });

  it('may be anything', () => {
    for (const text of ['', '#', '- ', '---\n', '```', '\n\n', '#'.repeat(100_000), '- '.repeat(50_000)]) {
      expect(Array.isArray(readMarkdown(text, { name: 'x.md' }))).toBe(true);
    }
  });
});

describe("KuzuMemory's export", () => {
  const row = { content: 'Kafka keeps events for replay.', memory_type: 'semantic', importance: 1, confidence: 0.9 };

  it('keeps times, sorts and weights', () => {
    const created = '2026-01-02T03:04:05.123456Z';
    const text = JSON.stringify({
      schema_version: '1.0',
      memories: [
        { ...row, created_at: created, knowledge_type: 'architecture', session_id: 's1', project_tag: 'app' },
        { ...row, content: 'Never call billing in tests.', memory_type: 'procedural', importance: 0.95 },
      ],
      archived: [{ id: '1', content: 'old' }],
    });
    const pieces = readKuzu(text, now);
    expect(memoriesIn(pieces)).toEqual([
      {
        text: row.content,
        kind: 'semantic',
        knowledge: 'architecture',
        confidence: 0.9,
        session: 's1',
        tags: ['app'],
        source: 'kuzu-memory',
        statedAt: Date.parse('2026-01-02T03:04:05.123Z'),
      },
      {
        text: 'Never call billing in tests.',
        kind: 'procedural',
        importance: 0.95,
        confidence: 0.9,
        source: 'kuzu-memory',
        statedAt: undefined,
      },
    ]);
    expect(leftIn(pieces)).toEqual(['archived']);
  });

  it('keeps plain facts that are marked as episodes', () => {
    const old = { ...row, memory_type: 'episodic', created_at: '2025-01-01T00:00:00', valid_to: '2025-01-31T00:00:00' };
    expect(memoriesIn(readKuzu(JSON.stringify([old]), now))).toMatchObject([{ kind: 'semantic' }]);
  });

  it('skips expired entries, commits and unreadable entries', () => {
    const rows = [
      { ...row, memory_type: 'working', created_at: '2026-01-01T00:00:00Z' },
      { ...row, valid_to: '2026-01-01T00:00:00Z' },
      { ...row, source_type: 'git_sync' },
      { ...row, content: ' ' },
      { ...row, content: 7 },
    ];
    const text = rows.map((one) => JSON.stringify(one)).join('\n');
    expect(leftIn(readKuzu(`${text}\nnonsense`, now))).toEqual([
      'expired',
      'git history',
      'empty',
      'unreadable',
      'unreadable',
    ]);
  });
});

describe("Claude Code's transcripts", () => {
  const turn = (content: unknown, more: object = {}) =>
    JSON.stringify({ type: 'user', sessionId: 's1', cwd: '/p', timestamp: 't', message: { content }, ...more });
  const read = (...lines: string[]) => collect(readTranscript(linesOf(lines.join('\n'))));
  const said = (slices: readonly Slice[]) =>
    slices.flatMap(({ content }) => content.trim().split('\n')).map((line) => JSON.parse(line).content);

  it('contain only the conversation', async () => {
    const slices = await read(
      turn('one'),
      turn([
        { type: 'thinking', thinking: 'no' },
        { type: 'text', text: 'two' },
        { type: 'tool_use', input: {} },
      ]),
      turn([{ type: 'tool_result', content: 'no' }]),
      turn('no', { isMeta: true }),
      turn('no', { isSidechain: true }),
      turn('no', { isCompactSummary: true }),
      turn('no', { type: 'api-request-blob', role: 'user' }),
      '{"type":"user","message":{"content":"cut o',
    );
    expect(said(slices)).toEqual(['one', 'two']);
    expect(slices).toMatchObject([{ session: 's1', folder: '/p' }]);
    expect(JSON.parse(slices[0]?.content.split('\n')[0] as string)).toEqual({
      role: 'user',
      content: 'one',
      timestamp: 't',
    });
  });

  it('are split by folder and length', async () => {
    const long = 'word '.repeat(3_000);
    const slices = await read(turn('a'), turn('b', { cwd: '/q' }), turn(long), turn(long));
    expect(slices.map(({ folder }) => folder)).toEqual(['/p', '/q', '/p', '/p']);
  });
});

describe('lines', () => {
  const source = (parts: readonly string[]): ImportSource => ({
    name: 'x',
    size: undefined,
    writtenAt: undefined,
    head: async () => parts[0] ?? '',
    async *parts() {
      yield* parts;
    },
  });

  it('are complete however they arrive', async () => {
    expect(await collect(readLines(source(['a', 'b\nc', '\n', '\r\nd'])))).toEqual(['ab', 'c', '\r', 'd']);
  });

  it('without an end are skipped, not buffered', async () => {
    const huge = 'x'.repeat(16 << 20);
    expect(await collect(readLines(source(['a\n', huge, huge, huge, '\nb\n'])))).toEqual(['a', 'b']);
  });
});
