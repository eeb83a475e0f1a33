// How files look: their size, their head, their names, and who may write to stdout.
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources } from '../support/source.ts';

const code = readSources(/^(src|test|bench|scripts|bin)\/.*\.(ts|mjs|cjs)$/).filter(
  ({ path }) => !path.endsWith('.d.mts'),
);
const vague = /\b(utils?|helpers?|manager|misc|common|v2|new|old)\b/;
const wall = 400;

describe('every file', () => {
  it.each(code)('$path stays below the wall', ({ text }) => {
    expect(text.split('\n').length).toBeLessThanOrEqual(wall);
  });

  it.each(code)('$path begins with what it is for', ({ text }) => {
    const lines = text.split('\n').filter((line) => !/^#!|^'use strict'|^\/\/ @ts-check/.test(line));
    const head = lines.findIndex((line) => !line.startsWith('//'));
    expect(head, 'lines of head comment').toBeGreaterThanOrEqual(1);
    expect(head, 'lines of head comment').toBeLessThanOrEqual(4);
  });

  it.each(code.filter(({ path }) => /^(src|test)\//.test(path)))('$path has a name that says something', ({ path }) => {
    expect(basename(path).replace(/[-.]/g, ' ')).not.toMatch(vague);
  });

  it('is about a hundred lines long in the median', () => {
    const lengths = code.filter(({ path }) => path.startsWith('src/')).map(({ text }) => text.split('\n').length);
    const median = lengths.sort((a, b) => a - b)[lengths.length >> 1];
    expect(median).toBeLessThanOrEqual(130);
  });
});

describe('stdout', () => {
  /** The protocol's on stdio, a command's result elsewhere. */
  const writers = ['src/cli/output.ts', 'src/cli/commands/stdio.ts'];

  it.each(code.filter(({ path }) => path.startsWith('src/')))('$path leaves it alone', ({ path, text }) => {
    if (!writers.includes(path)) expect(text).not.toMatch(/process\.stdout|console\.|writeSync\(1/);
  });
});
