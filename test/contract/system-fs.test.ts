// fs_search and fs_stat on real folders: what they find, in which order, with which of the programs that help.
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createFinders, type Finders } from '../../src/services/system/fs/candidates.ts';
import { fitsPattern } from '../../src/services/system/fs/match.ts';
import { openSystem, type System, type SystemOptions } from '../support/system.ts';

const has = (program: string) => spawnSync(program, ['--version']).status === 0;
const noFinders: Finders = { texts: async () => undefined, names: async () => undefined };

let system: System;
afterEach(() => system?.close());

async function open(options: SystemOptions = {}): Promise<void> {
  system = await openSystem({ files: { finders: noFinders }, ...options });
}

function write(path: string, text = ''): string {
  const full = join(system.project, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  return full;
}

async function pathsOf(args: object): Promise<string[]> {
  const { files } = await system.call('fs_search', args);
  return (files as { path: string }[]).map(({ path }) => path);
}

describe('fs_search', () => {
  it('finds by words of the path, by name, type, size and time', async () => {
    await open();
    write('src/parser/Lexer.ts', 'a');
    write('src/parser/lexer.test.ts', 'abc');
    write('docs/lexer.md', 'abcdef');
    write('vendor/.git/lexer');
    utimesSync(write('old/lexer.txt'), new Date('2020-01-01'), new Date('2020-01-01'));
    expect(await pathsOf({ query: 'lexer' })).toEqual([
      'docs/lexer.md',
      'old/lexer.txt',
      'src/parser/Lexer.ts',
      'src/parser/lexer.test.ts',
    ]);
    expect(await pathsOf({ query: 'parser LEXER' })).toEqual(['src/parser/Lexer.ts', 'src/parser/lexer.test.ts']);
    expect(await pathsOf({ name: 'lexer.*' })).toHaveLength(4);
    expect(await pathsOf({ name: '*.test.ts' })).toEqual(['src/parser/lexer.test.ts']);
    expect(await pathsOf({ name: 'lexer.??' })).toEqual(['docs/lexer.md', 'src/parser/Lexer.ts']);
    expect(await pathsOf({ type: 'folder' })).toEqual(['docs', 'old', 'src', 'vendor', 'src/parser', 'vendor/.git']);
    expect(await pathsOf({ type: 'file', min_size: 2, max_size: 5 })).toEqual(['src/parser/lexer.test.ts']);
    expect(await pathsOf({ type: 'file', modified_before: '2021-01-01' })).toEqual(['old/lexer.txt']);
    expect(await pathsOf({ type: 'file', modified_after: '2021-01-01T00:00:00Z' })).toHaveLength(3);
    expect(await pathsOf({ path: 'src', query: 'lexer' })).toHaveLength(2);
    expect(await pathsOf({ query: 'nothing of the kind' })).toEqual([]);
  });

  it('describes results in text too', async () => {
    await open();
    write('a.txt', 'one\ntwo\n');
    expect(await system.text('fs_search', { name: 'a.txt' })).toMatch(/^a\.txt {2}8 bytes, \d{4}-/);
    expect(await system.text('fs_search', { content: 'two' })).toContain('>\na.txt:2: two\n<');
    expect(await system.text('fs_search', { name: 'b.txt' })).toBe('Nothing found.');
  });

  it('returns each file once, whatever the page size', async () => {
    await open();
    const all: string[] = [];
    for (const folder of ['a', 'a/b', 'a.b', 'b', 'b/c/d', 'z']) {
      for (const name of ['1', '2', 'a', 'é', '\u{1f600}']) all.push(write(`${folder}/${name}.txt`));
    }
    for (const limit of [1, 2, 3, 7, 30, 100]) {
      const seen: string[] = [];
      let cursor: unknown;
      do {
        const page = await system.call('fs_search', { name: '*.txt', limit, ...(cursor ? { cursor } : {}) });
        seen.push(...(page.files as { path: string }[]).map(({ path }) => join(system.project, path)));
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      expect([...seen].sort()).toEqual([...all].sort());
      expect(new Set(seen).size).toBe(all.length);
    }
  });

  it('stops at its timeout, reports it, and continues there', async () => {
    await open({ files: { finders: noFinders, searchTimes: { walkMs: -1, wholeMs: -1 } } });
    const all = ['a/1', 'b/1', 'c/d/1', 'c/e/1'].map((path) => `${path}.txt`);
    for (const path of all) write(path);
    const seen: string[] = [];
    let cursor: unknown;
    let rounds = 0;
    do {
      const page = await system.call('fs_search', { name: '*.txt', ...(cursor ? { cursor } : {}) });
      seen.push(...(page.files as { path: string }[]).map(({ path }) => path));
      if (page.next_cursor !== undefined) expect(page.incomplete).toBe(true);
      cursor = page.next_cursor;
    } while (cursor !== undefined && ++rounds < 20);
    expect(rounds).toBeGreaterThan(2);
    expect(seen).toEqual(all);
  });

  it('ends when the call is cancelled', async () => {
    const controller = new AbortController();
    const finders: Finders = {
      ...noFinders,
      async texts() {
        controller.abort(new Error('enough'));
        return undefined;
      },
    };
    await open({ files: { finders } });
    for (let at = 0; at < 50; at++) write(`d${at}/f`, 'x');
    await expect(system.call('fs_search', { content: 'x' }, { signal: controller.signal })).rejects.toThrow('enough');
    expect(await system.audited()).toMatchObject([{ tool: 'fs_search', outcome: 'cancelled' }]);
  });

  const texts = [['by itself', noFinders], ...(has('rg') ? [['with ripgrep', createFinders()] as const] : [])] as const;

  it.each(texts)('finds texts %s', async (_, finders) => {
    await open({ files: { finders } });
    write('a.txt', 'first\nsecond Word here\n');
    write('deep/b.txt', `${'x'.repeat(500)} a WORD ${'y'.repeat(500)}`);
    write('.hidden/c.txt', 'word\r\n');
    write('d.bin', 'word\0');
    write('vendor/.git/e.txt', 'word');
    write('-e.txt', '--file=word');
    const { files } = await system.call('fs_search', { content: 'word' });
    expect(files).toMatchObject([
      { path: '-e.txt', line: 1, text: '--file=word' },
      { path: 'a.txt', line: 2, text: 'second Word here' },
      { path: '.hidden/c.txt', line: 1, text: 'word' },
      { path: 'deep/b.txt', line: 1, text: expect.stringMatching(/^….* a WORD .*…$/) },
    ]);
    expect(await pathsOf({ content: 'Word' })).toEqual(['a.txt']);
    expect(await pathsOf({ content: 'word', name: '*.txt', query: 'deep' })).toEqual(['deep/b.txt']);
    expect(await pathsOf({ content: '--file=' })).toEqual(['-e.txt']);
    expect(await pathsOf({ content: '-' })).toEqual(['-e.txt']);
    expect(await pathsOf({ content: 'first\nsecond' })).toEqual(['a.txt']);
    expect(await pathsOf({ content: 'w.rd' })).toEqual([]);
    expect(await pathsOf({ content: 'word', limit: 1 })).toEqual(['-e.txt']);
  });

  it.skipIf(!has('plocate'))('uses plocate if a walk takes long, and checks its results', async () => {
    const indexArguments: string[] = [];
    await open({ files: { finders: createFinders({ indexArguments }), searchTimes: { walkMs: -1, wholeMs: 60_000 } } });
    for (let at = 0; at < 20; at++) write(`d${at}/report-${at}.txt`);
    write('gone/report.txt');
    write('vendor/.git/report.txt');
    symlinkSync(system.outside, join(system.project, 'd0', 'report-link'));
    writeFileSync(join(system.outside, 'report.txt'), '');
    const database = join(system.folder, 'index.db');
    const made = spawnSync('updatedb', [
      '-l',
      'no',
      '-U',
      system.folder,
      '-o',
      database,
      '--prunepaths',
      '',
      '--prunefs',
      '',
    ]);
    expect(made.stderr.toString()).toBe('');
    indexArguments.push('--database', database);
    truncateSync(write('gone/report.txt'));
    const { rmSync } = await import('node:fs');
    rmSync(join(system.project, 'gone'), { recursive: true });
    const answer = await system.call('fs_search', { query: 'report', limit: 1_000 });
    expect(answer.index).toBe(true);
    expect((answer.files as unknown[]).length).toBe(21);
    expect(answer.files).toContainEqual(expect.objectContaining({ path: 'd0/report-link', type: 'link' }));
    expect(await system.text('fs_search', { name: 'report-1*' })).toContain('Partly from an index');
    const first = await system.call('fs_search', { query: 'report', limit: 5 });
    const rest = await system.call('fs_search', { query: 'report', limit: 50, cursor: first.next_cursor });
    expect((rest.files as unknown[]).length).toBe(16);
  });

  it('walks if the index is empty: it may not exist', async () => {
    const finders = createFinders({ indexArguments: ['--database', '/nonexistent.db'] });
    await open({ files: { finders, searchTimes: { walkMs: -1, wholeMs: 60_000 } } });
    write('deep/er/report.txt');
    const { files, index } = await system.call('fs_search', { query: 'report' });
    expect(files).toMatchObject([{ path: 'deep/er/report.txt' }]);
    expect(index ?? false).toBe(false);
  });

  it('is recorded in the audit log', async () => {
    await open();
    await system.call('fs_search', { query: 'a' });
    expect(await system.audited()).toMatchObject([
      { tool: 'fs_search', outcome: 'ok', caller: 'local', folder: system.project, arguments: '{"query":"a"}' },
    ]);
  });

  it('searches other folders that a person has allowed', async () => {
    const roots: string[] = [];
    await open({ roots: () => roots });
    write('in.txt');
    writeFileSync(join(system.outside, 'out.txt'), '');
    expect(await pathsOf({ name: '*.txt' })).toEqual(['in.txt']);
    roots.push(system.outside, join(system.project, 'in'), '/nonexistent');
    expect(await pathsOf({ name: '*.txt' })).toEqual(['in.txt', join(system.outside, 'out.txt')]);
    expect(await pathsOf({ path: system.outside })).toEqual([join(system.outside, 'out.txt')]);
  });
});

describe('fs_stat', () => {
  it('returns the metadata of files, folders and links', async () => {
    await open();
    write('a/b.txt', 'abc');
    symlinkSync('a/b.txt', join(system.project, 'link'));
    expect(await system.call('fs_stat', { path: 'a/b.txt' })).toMatchObject({ path: 'a/b.txt', type: 'file', size: 3 });
    expect(await system.call('fs_stat', { path: join(system.project, 'a') })).toMatchObject({
      path: 'a',
      type: 'folder',
    });
    expect(await system.call('fs_stat', { path: 'link' })).toMatchObject({
      path: 'link',
      type: 'file',
      target: 'a/b.txt',
    });
    expect(await system.fail('fs_stat', { path: 'a/c.txt' })).toMatchObject({
      word: 'not_found',
      message: 'Cannot stat "a/c.txt": there is no such file',
      details: { path: 'arguments.path' },
    });
  });
});

describe('patterns', () => {
  it.each([
    ['', '', true],
    ['a', '', false],
    ['abc', 'a*c', true],
    ['abc', '*', true],
    ['abc', '***', true],
    ['abc', '?b?', true],
    ['abc', 'a?', false],
    ['a[b]', 'a[b]', true],
    ['ab', 'a[b]', false],
    ['aXbXc', '*X*X*', true],
    ['mississippi', 'm*iss*p*i', true],
    ['mississippi', 'm*iss*pp', false],
  ])('%j fits %j: %j', (text, pattern, fits) => expect(fitsPattern(text, pattern)).toBe(fits));

  it('are matched in a bounded number of steps', () => {
    expect(fitsPattern('a'.repeat(250), `${'*a'.repeat(120)}*b`)).toBe(false);
  });
});
