// What search_code promises.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPlainCall, localCaller } from '../../src/core/call.ts';
import type { LoreError } from '../../src/core/error.ts';
import { bounds } from '../../src/services/repo/search/exact/hit.ts';
import { searchWithScan } from '../../src/services/repo/search/exact/scan.ts';
import { sqlite } from '../support/databases.ts';
import { createFolder } from '../support/folder.ts';
import { openServices, type Services } from '../support/services.ts';

interface Place {
  start: number;
  end: number;
  text: string;
  lines?: number[];
  symbol?: string;
}

interface Answer {
  mode: string;
  files: { path: string; score?: number; places: Place[] }[];
  total: number;
  partial?: string;
  index: string;
  next_cursor?: string;
}

const files: Record<string, string> = {
  'src/retry/backoff.ts': `// How long to wait before a request is tried again.
export interface Policy { attempts: number }

/** Doubles the delay after every failure, with some chance in it. */
export function computeDelay(attempt: number): number {
  const base = 100;
  return base * 2 ** attempt * Math.random();
}

export class RetryLoop {
  run(work: () => void): void {
    work();
  }
}
`,
  'src/http/header.ts': `import { computeDelay } from '../retry/backoff.ts';

/** Reads the headers of an answer, one a line. */
export function parseHeader(line: string): [string, string] {
  const [name = '', value = ''] = line.split(':');
  return [name.trim(), value.trim()];
}

export const wait = () => computeDelay(3);
`,
  'src/http/parseHeaderLine.ts': "export const separator = ':';\n",
  'lib/cache.py': `class Cache:
    """Keeps answers until they expire."""

    def evict(self, now):
        self.items = {k: v for k, v in self.items.items() if v.expires > now}
`,
  'test/header.test.ts':
    "import { parseHeader } from '../src/http/header.ts';\nit('reads headers', () => parseHeader('a: b'));\n",
  'docs/notes.md': '# Notes\n\nparseHeader reads one line.\n--pre=touch is not an option here.\n',
  '.gitignore': 'built/\n',
  '.loreignore': 'private/\n',
  'built/out.js': 'parseHeader();\n',
  'private/plan.txt': 'parseHeader\n',
  'deep/latin.txt': 'x',
};

const folder = createFolder('search');
let services: Services;

const search = async (query: string, rest: object = {}) =>
  (await services.call('search_code', { query, ...rest })) as unknown as Answer;
const pathsOf = ({ files: found }: Answer) => found.map(({ path }) => path);
const refused = async (args: object) =>
  services.call('search_code', args).then(
    () => undefined,
    (error: LoreError) => error,
  );

beforeAll(async () => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  writeFileSync(join(folder, 'deep/latin.txt'), Buffer.from([0x67, 0x72, 0xfc, 0x6e, 0x0a]));
  mkdirSync(join(folder, 'odd'));
  writeFileSync(join(folder, 'odd/new\nline ü.txt'), 'first\nodd word ü\nthird\n');
  symlinkSync('/etc', join(folder, 'outside'));
  execFileSync('git', ['init', '-q'], { cwd: folder });
  services = await openServices(sqlite, folder);
});

afterAll(() => services.close());
afterEach(() => void vi.unstubAllEnvs());

describe('exact search, before there is an index', () => {
  it('finds literal text by path and line, except in ignored files', async () => {
    const found = await search('parseHeader', { mode: 'literal' });
    expect(pathsOf(found)).toEqual(['docs/notes.md', 'src/http/header.ts', 'test/header.test.ts']);
    expect(found.files[1]?.places).toEqual([
      { start: 4, end: 4, text: 'export function parseHeader(line: string): [string, string] {' },
    ]);
    expect(found).toMatchObject({ mode: 'literal', total: 4, index: 'none' });
  });

  it('is case-sensitive if the query has capitals, or as set', async () => {
    expect((await search('PARSEHEADER', { mode: 'literal' })).total).toBe(0);
    expect((await search('parseheader', { mode: 'literal' })).total).toBe(4);
    expect((await search('parseheader', { mode: 'literal', case_sensitive: true })).total).toBe(0);
    expect((await search('PARSEHEADER', { mode: 'literal', case_sensitive: false })).total).toBe(4);
  });

  it('shows surrounding lines and marks the matching ones', async () => {
    const found = await search('const base', { mode: 'literal', context: 1 });
    expect(found.files[0]?.places).toEqual([
      {
        start: 5,
        end: 7,
        text: [
          'export function computeDelay(attempt: number): number {',
          '  const base = 100;',
          '  return base * 2 ** attempt * Math.random();',
        ].join('\n'),
        lines: [6],
      },
    ]);
    const text = await services.text('search_code', { query: 'const base', mode: 'literal', context: 1 });
    expect(text).toContain('5- export function computeDelay');
    expect(text).toContain('6:   const base = 100;');
  });

  it('searches only the given path and language', async () => {
    expect(pathsOf(await search('parseHeader', { mode: 'literal', path: 'src' }))).toEqual(['src/http/header.ts']);
    expect(pathsOf(await search('parseHeader', { mode: 'literal', path: 'docs/notes.md' }))).toEqual(['docs/notes.md']);
    expect(pathsOf(await search('parseHeader', { mode: 'literal', language: 'markdown' }))).toEqual(['docs/notes.md']);
    expect(pathsOf(await search('self', { mode: 'literal', language: 'py' }))).toEqual(['lib/cache.py']);
  });

  it('continues where a page ended', async () => {
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await search('parseHeader', { mode: 'literal', limit: 1, ...(cursor && { cursor }) });
      seen.push(...page.files.flatMap(({ path, places }) => places.map(({ start }) => `${path}:${start}`)));
      cursor = page.next_cursor;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual(['docs/notes.md:3', 'src/http/header.ts:4', 'test/header.test.ts:1', 'test/header.test.ts:2']);
  });

  it('accepts patterns, also over several lines', async () => {
    expect((await search('parse\\w+\\(', { mode: 'regex' })).total).toBe(2);
    const over = await search('base = 100;\\n\\s+return', { mode: 'regex' });
    expect(over.files[0]?.places.map(({ start }) => start)).toEqual([6, 7]);
  });

  it.each(['(', '[a', '(?<=a)b', '(a)\\1'])('refuses the pattern %j with our message', async (query) => {
    const error = await refused({ query, mode: 'regex' });
    expect(error?.word).toBe('invalid_input');
    expect(error?.details).toMatchObject({ path: 'arguments.query', received: query });
  });

  it('is not blocked by a pattern that is slow in other engines', async () => {
    writeFileSync(join(folder, 'deep/a.txt'), `${'a'.repeat(5_000)}!\n`);
    expect((await search('^(a+)+$', { mode: 'regex', path: 'deep' })).total).toBe(0);
  });

  it.each(['--pre=touch', '-f', '--files', '-e', '--', '--config=/etc/passwd'])('treats %j as text', async (query) => {
    const found = await search(query, { mode: 'literal' });
    expect(found.total).toBe(query === '--pre=touch' ? 1 : found.total);
    expect(pathsOf(found).every((path) => path in files)).toBe(true);
  });

  it("does not follow the user's settings of ripgrep", async () => {
    const mark = join(folder, 'touched');
    const settings = join(createFolder('settings'), 'rc');
    writeFileSync(settings, `--pre=${mark}\n--invert-match\n`);
    vi.stubEnv('RIPGREP_CONFIG_PATH', settings);
    expect((await search('parseHeader', { mode: 'literal' })).total).toBe(4);
    expect(existsSync(mark)).toBe(false);
  });

  it('truncates long lines around the match, and reads other encodings', async () => {
    writeFileSync(join(folder, 'deep/long.txt'), `${'x'.repeat(9_000)}needle${'y'.repeat(9_000)}\n`);
    const [file] = (await search('needle', { mode: 'literal' })).files;
    expect(file?.places[0]?.text).toMatch(/^….*needle.*…$/);
    expect(file?.places[0]?.text.length).toBeLessThan(bounds.line + 3);
    const [other] = (await search('gr', { mode: 'literal', path: 'deep/latin.txt' })).files;
    expect(other?.places[0]?.text).toBe('grün');
  });

  it('reads file names with line breaks', async () => {
    const found = await search('odd word', { mode: 'literal', context: 1 });
    expect(found.files).toEqual([
      { path: 'odd/new\nline ü.txt', places: [{ start: 1, end: 3, text: 'first\nodd word ü\nthird', lines: [2] }] },
    ]);
  });

  it.each(['../', '/etc', 'outside', '.git', 'a\0b'])('refuses to search %j', async (path) => {
    expect((await refused({ query: 'root', mode: 'literal', path }))?.word).toBe('forbidden');
  });

  it('reports a path that does not exist', async () => {
    expect((await refused({ query: 'x', path: 'nowhere' }))?.word).toBe('not_found');
  });

  it('refuses an unknown cursor or language', async () => {
    expect((await refused({ query: 'x', cursor: 'nope' }))?.details).toMatchObject({ path: 'arguments.cursor' });
    expect((await refused({ query: 'x', language: 'no such' }))?.details).toMatchObject({ path: 'arguments.language' });
  });

  it('ends when the call does', async () => {
    const call = createPlainCall({ ...localCaller, folder });
    call.cancel(new Error('enough'));
    await expect(services.registry.call('search_code', { query: 'x', mode: 'literal' }, call)).rejects.toThrow();
  });

  it('never runs a ripgrep from the repository', async () => {
    const own = createFolder('armed');
    mkdirSync(join(own, 'bin'));
    writeFileSync(join(own, 'bin/rg'), `#!/bin/sh\ntouch '${own}/was-run'\n`, { mode: 0o755 });
    vi.stubEnv('PATH', [join(own, 'bin'), '.', process.env.PATH].join(delimiter));
    onTestFinished(() => void vi.unstubAllEnvs());
    await services.call('search_code', { query: 'touch', mode: 'literal' }, own);
    expect(existsSync(join(own, 'was-run'))).toBe(false);
  });
});

describe('without ripgrep', () => {
  const where = { root: folder, path: '', signal: new AbortController().signal };
  const query = { isRegex: false, caseSensitive: true, context: 0, extensions: [] };

  it('finds the same', async () => {
    const { hits } = await searchWithScan({ ...query, pattern: 'parseHeader' }, where);
    expect(hits.map(({ path, line }) => `${path}:${line}`).sort()).toEqual([
      'docs/notes.md:3',
      'src/http/header.ts:4',
      'test/header.test.ts:1',
      'test/header.test.ts:2',
    ]);
  });

  it('shows the same lines around', async () => {
    const { hits } = await searchWithScan({ ...query, pattern: 'const base', context: 1 }, where);
    expect(hits.map(({ line, context }) => [line, context])).toEqual([
      [5, true],
      [6, false],
      [7, true],
    ]);
  });

  it('stops a pattern that never finishes', async () => {
    writeFileSync(join(folder, 'deep/b.txt'), `${'a'.repeat(60)}!\n`);
    const slow = { ...query, isRegex: true, pattern: '^(a+)+$' };
    expect(await searchWithScan(slow, { ...where, path: 'deep' }, 500)).toMatchObject({ partial: 'timeout' });
  });

  it('refuses an invalid pattern', async () => {
    await expect(searchWithScan({ ...query, isRegex: true, pattern: '(' }, where)).rejects.toMatchObject({
      word: 'invalid_input',
    });
  });
});

describe.each(['before there is an index', 'with an index'])('names and questions, %s', (state) => {
  beforeAll(async () => {
    if (state === 'with an index') await services.call('index_repository');
    await services.opened.worker.idle();
  });

  it('finds a definition by its name', async () => {
    const found = await search('computeDelay', { mode: 'symbol' });
    expect(pathsOf(found)).toEqual(['src/retry/backoff.ts']);
    expect(found.files[0]?.places[0]).toMatchObject({ start: 5, symbol: 'computeDelay' });
    expect(found.index).toBe(state === 'with an index' ? 'complete' : 'none');
  });

  it('finds a method of a class', async () => {
    expect(pathsOf(await search('Cache.evict', { mode: 'symbol' }))).toEqual(['lib/cache.py']);
  });

  it('puts the definition of a name before its uses', async () => {
    const found = await search('computeDelay');
    expect(found.mode).toBe('symbol');
    expect(pathsOf(found)).toEqual(['src/retry/backoff.ts', 'src/http/header.ts']);
  });

  it.each([
    ['how long does it wait before a request is tried again?', 'src/retry/backoff.ts'],
    ['where are the headers of an answer read', 'src/http/header.ts'],
    ['expired answers should be evicted from the cache', 'lib/cache.py'],
    ['Wrong separator\n\nFile "/app/src/http/parseHeaderLine.ts", line 1, in <module>', 'src/http/parseHeaderLine.ts'],
  ])('answers %j', async (query, path) => {
    const found = await search(query);
    expect(found.mode).toBe('semantic');
    expect(pathsOf(found)[0]).toBe(path);
  });

  it('names the best matching lines', async () => {
    const found = await search('doubles the delay after every failure', { limit: 1 });
    expect(found.files[0]?.places.map(({ symbol }) => symbol)).toContain('computeDelay');
  });

  it('searches words as a question when no code contains them', async () => {
    expect((await search('evicting')).mode).toBe('semantic');
  });

  it('searches only the given path', async () => {
    const found = await search('where are the headers of an answer read', { path: 'lib' });
    expect(pathsOf(found).every((path) => path.startsWith('lib/'))).toBe(true);
  });
});
