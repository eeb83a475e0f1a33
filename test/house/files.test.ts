// Rules for source files: size, head comment, name, and who may write to stdout.
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources } from '../support/source.ts';

const code = readSources(/^(src|test|bench|scripts|bin)\/.*\.(tsx?|mjs|cjs)$/).filter(
  ({ path }) => !path.endsWith('.d.mts'),
);
const vague = /\b(utils?|helpers?|manager|misc|common|v2|new|old)\b/;
const wall = 400;

/** The paths that break a rule, each with what is wrong, so that a failure names them all. */
function offenders(files: typeof code, judge: (file: (typeof code)[number]) => string | undefined): string[] {
  return files.flatMap((file) => {
    const fault = judge(file);
    return fault === undefined ? [] : [`${file.path}: ${fault}`];
  });
}

describe('source files', () => {
  it('have at most 400 lines', () => {
    const tooLong = offenders(code, ({ text }) => {
      const lines = text.split('\n').length;
      return lines > wall ? `${lines} lines` : undefined;
    });
    expect(tooLong).toEqual([]);
  });

  it('begin with one to four lines of comment that say what they are for', () => {
    const wrong = offenders(code, ({ text }) => {
      const lines = text.split('\n').filter((line) => !/^#!|^'use strict'|^\/\/ @ts-check/.test(line));
      const head = lines.findIndex((line) => !line.startsWith('//'));
      return head >= 1 && head <= 4 ? undefined : `${head} lines of head comment`;
    });
    expect(wrong).toEqual([]);
  });

  it('have names that say something', () => {
    const ours = code.filter(({ path }) => /^(src|test)\//.test(path));
    const nameless = offenders(ours, ({ path }) => vague.exec(basename(path).replace(/[-.]/g, ' '))?.[0]);
    expect(nameless).toEqual([]);
  });

  it('export no two types of the same name', () => {
    const files = code.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'));
    const places = new Map<string, string[]>();
    for (const { path, text } of files) {
      for (const [, name = ''] of text.matchAll(/^export (?:abstract )?(?:type|interface|class) (\w+)/gm))
        places.set(name, [...(places.get(name) ?? []), path]);
    }
    expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
  });

  it('are about a hundred lines long in the median', () => {
    const lengths = code.filter(({ path }) => path.startsWith('src/')).map(({ text }) => text.split('\n').length);
    const median = lengths.sort((a, b) => a - b)[lengths.length >> 1];
    expect(median).toBeLessThanOrEqual(130);
  });

  it('write to stdout only where the protocol or a command prints its result', () => {
    const writers = ['src/cli/output.ts', 'src/cli/commands/stdio.ts', 'src/standalone.ts'];
    const product = code.filter(({ path }) => path.startsWith('src/') && !writers.includes(path));
    expect(offenders(product, ({ text }) => /process\.stdout|console\.|writeSync\(1/.exec(text)?.[0])).toEqual([]);
  });

  it('of tests wait as long as vitest.config.ts allows, because a busy machine needs it', () => {
    const tests = code.filter(({ path }) => path.endsWith('.test.ts'));
    const short = /vi\.wait(?:For|Until)\(|\.poll\([^;]*?\btimeout:|'[^'\n]*', \{ timeout: \d{1,2}_000 \}/;
    expect(offenders(tests, ({ text }) => short.exec(text)?.[0])).toEqual([]);
  });
});
