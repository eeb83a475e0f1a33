// Command lines: how options and words are read, and what is said about wrong ones.
import { describe, expect, it } from 'vitest';
import type { Command } from '../core/command.ts';
import { LoreError } from '../core/error.ts';
import { check, integer, object, string } from '../core/schema.ts';
import { readArguments } from './arguments.ts';
import { checkWords, usageLines } from './usage.ts';
import { explainUsage } from './usage-error.ts';

function command(rest: Partial<Command>): Command {
  return { name: 'feed', summary: 'Feed.', examples: [], run: () => 0, ...rest };
}

const options: Command['options'] = {
  'dry-run': { type: 'boolean', help: '' },
  'as-of': { type: 'string', help: '', value: 'time' },
};

function explain(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    return `${(error as LoreError).message}\n${(error as LoreError).hint}`;
  }
}

describe('options', () => {
  it('can be turned off, and be written like arguments of a tool', () => {
    const read = (...args: string[]) => readArguments(command({ options, settings: ['roots', 'port'] }), args);
    const cases: [string[], object][] = [
      [['--dry-run'], { 'dry-run': true }],
      [['--no-dry-run'], { 'dry-run': false }],
      [['--dry-run=false'], { 'dry-run': false }],
      [['--dry_run=No'], { 'dry-run': false }],
      [['--as_of', 'may'], { 'as-of': 'may' }],
      [['--asOf=-may'], { 'as-of': '-may' }],
      [['--as-of', '-1'], { 'as-of': '-1' }],
      [['--root', 'a', '--root', 'b'], { root: ['a', 'b'] }],
    ];
    expect(cases.map(([args]) => [args, read(...args).options])).toEqual(cases);
    expect(read('a', '--port', '9', '--', '--dry-run')).toMatchObject({
      words: ['a', '--dry-run'],
      flags: { port: '9' },
    });
  });

  it('that are wrong are named, with the usage', () => {
    const read = (...args: string[]) => explain(() => readArguments(command({ options, usage: '<animal>' }), args));
    const usage = 'Usage: lore feed <animal> [options]';
    expect(read('--dry-rnu')).toBe(`Unknown option --dry-rnu\nDid you mean "--dry-run"?\n${usage}`);
    expect(read('--constructor')).toContain('Unknown option --constructor\n');
    expect(read('--dry-run=constructor')).toContain('must be true or false');
    expect(read('--no-as-of')).toContain('Unknown option --no-as-of\n');
    expect(read('--as-of')).toBe(`Missing value of --as-of\n${usage}`);
    expect(read('--as-of', '--json')).toBe(`Missing value of --as-of\n${usage}`);
    expect(read('--dry-run=maybe')).toBe(`--dry-run must be true or false, got "maybe"\n${usage}`);
  });
});

describe('words', () => {
  it('are checked against the usage', () => {
    const checked = (usage: string, ...words: string[]) =>
      explain(() => checkWords(command({ usage }), words)).split('\n')[0];
    expect(checked('')).toBe('');
    expect(checked('', 'x')).toBe('Unexpected argument "x"');
    expect(checked('<a> [b]')).toBe('Missing argument <a>');
    expect(checked('<a> [b]', '1', '2', '3')).toBe('Unexpected argument "3"');
    expect(checked('<a…|all>', '1', '2', '3')).toBe('');
    expect(checked('git')).toBe('Missing argument: expected git');
    expect(checked('add <a> | list', 'lits')).toBe('Unknown argument "lits"');
    expect(checked('add <a> | list', 'add')).toBe('Missing argument <a>');
    expect(checked('add <a> | list', 'add', 'x')).toBe('');
    expect(checked('[add <a> | list]')).toBe('');
    expect(usageLines({ name: 'feed', usage: '[add <a> | list]' })).toEqual([
      'lore feed [options]',
      'lore feed add <a> [options]',
      'lore feed list [options]',
    ]);
  });
});

describe('errors of a schema', () => {
  const input = object({ query: string({ min: 1, max: 9 }), max_count: integer({ min: 1, max: 5 }) });
  const own = command({ usage: '<query>', options: { 'max-count': { type: 'string', help: '' } } });
  const explained = (value: unknown, given = {}) => {
    try {
      check(input, value, 'arguments', 'call "feed"');
      return '';
    } catch (error) {
      return (explainUsage(error, own, given) as LoreError).message;
    }
  };

  it('are put in the words of a command line', () => {
    expect(explained({ max_count: 1 })).toBe('Missing argument <query>');
    expect(explained({ query: '', max_count: 1 })).toBe('Missing argument <query>');
    expect(explained({ query: 'a' })).toBe('Missing option --max-count');
    expect(explained({ query: 'a', max_count: 'many' }, { 'max-count': 'many' })).toBe(
      '--max-count must be a whole number from 1 to 5, got "many"',
    );
    expect(explained({ query: 'a'.repeat(10), max_count: 1 })).toBe(
      '<query> must be text of 1 to 9 characters, got 10 characters',
    );
    expect(explained({ query: 'a', max_count: 1, qurey: 1 })).toBe('Unknown argument "qurey"');
  });

  it('that a service has put in its own words keep them', () => {
    const error = new LoreError('invalid_input', 'Cannot feed: arguments.max_count is for walruses', {
      details: { path: 'arguments.max_count', expected: 'none', received: '3' },
    });
    expect((explainUsage(error, own, {}) as LoreError).message).toBe('Cannot feed: --max-count is for walruses');
  });
});
