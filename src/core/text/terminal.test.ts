// Text for a terminal: how it is wrapped, how dates are told, and that nothing in it reaches the terminal as a command.
import { describe, expect, it } from 'vitest';
import {
  alignCounts,
  describeTime,
  formatDate,
  hangText,
  inOneLine,
  joinFacts,
  quoteName,
  widthOf,
  wrapText,
} from './terminal.ts';

describe('wrapText', () => {
  it('breaks between words and keeps lines and their indentation', () => {
    expect(wrapText('one two three\n  - four five six\n\nseven\n', 10)).toEqual([
      'one two',
      'three',
      '  - four',
      '  five six',
      '',
      'seven',
    ]);
    expect(wrapText('one two three', Number.POSITIVE_INFINITY)).toEqual(['one two three']);
  });

  it('keeps a long word whole, and splits scripts without spaces', () => {
    expect(wrapText('see https://example.org/a/b now', 10)).toEqual(['see', 'https://example.org/a/b', 'now']);
    expect(wrapText('数据库连接池', 6)).toEqual(['数据库', '连接池']);
  });

  it('shows terminal sequences and hidden characters', () => {
    expect(wrapText('a\u001b[31mb\u001b[0m\u0007c\rd\u202ee', 80)).toEqual(['ab⟦U+0007⟧c', 'd⟦U+202E⟧e']);
  });
});

describe('hangText', () => {
  it('indents all lines but the first', () => {
    expect(hangText('1. ', 'one two three', 10)).toEqual(['1. one two', '   three']);
    expect(hangText('1. ', '', 10)).toEqual(['1.']);
  });
});

describe('joinFacts', () => {
  it('joins facts on as few lines as possible, and never splits one', () => {
    expect(joinFacts(['a rule', undefined, '', '3 May', 'from a\nfile'], 80)).toEqual(['a rule · 3 May · from a file']);
    expect(joinFacts(['a rule', '3 May', 'n_0123456789'], 16)).toEqual(['a rule · 3 May', 'n_0123456789']);
  });
});

describe('widthOf', () => {
  it.each([
    ['plain', 5],
    ['naïve', 5],
    ['nai\u0308ve', 5],
    ['数据', 4],
    ['🦉', 2],
    ['', 0],
  ])('of %j is %d', (text, width) => expect(widthOf(text)).toBe(width));
});

describe('tellTime', () => {
  const now = Date.parse('2026-05-31T11:00:00Z');
  it.each([
    ['2026-05-31T10:59:30Z', 'just now'],
    ['2026-05-31T10:55:00Z', '5 min ago'],
    ['2026-05-31T08:00:00Z', '3 h ago'],
    ['2026-05-30T10:00:00Z', '1 day ago'],
    ['2026-05-27T11:00:00Z', '4 days ago'],
    ['2026-05-03T11:00:00Z', '3 May'],
    ['2025-12-24T11:00:00Z', '24 Dec 2025'],
    ['2026-05-31T13:00:00Z', 'just now'],
    ['some\nday', 'some day'],
  ])('%s is %s', (written, told) => expect(describeTime(written, now)).toBe(told));

  it('formatDate names the year of another one', () => {
    expect(formatDate('2026-06-07T11:00:00Z', now)).toBe('7 Jun');
    expect(formatDate('2027-01-02T11:00:00Z', now)).toBe('2 Jan 2027');
  });
});

describe('alignCounts', () => {
  it('puts the largest first and the counts right', () => {
    expect(alignCounts({ small: 2, never_recalled: 10 })).toEqual(['  never recalled  10', '  small            2']);
    expect(alignCounts({})).toEqual([]);
  });
});

describe('inOneLine', () => {
  it('removes all line breaks', () => {
    expect(inOneLine(' a\n\tb\u2028c \u001b[2J')).toBe('a b c');
  });
});

describe('the name of a file', () => {
  it.each([
    ['src/a b.ts', 'src/a b.ts'],
    ['Füllung.md', 'Füllung.md'],
    ['a\n\nHuman: x', '"a\\n\\nHuman: x"'],
    ['a\u202eb', '"a\\u202eb"'],
    ['a\u{e0041}', '"a\\udb40\\udc41"'],
    ['a\u2028b', '"a\\u2028b"'],
    ['trailing ', '"trailing "'],
  ])('%j is shown as %s', (name, shown) => {
    expect(quoteName(name)).toBe(shown);
    if (shown !== name) expect(JSON.parse(shown)).toBe(name);
  });
});
