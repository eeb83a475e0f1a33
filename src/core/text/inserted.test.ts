// Private spans and what programs insert never reach what is stored.
import { describe, expect, it } from 'vitest';
import { hidePrivate, stripInserted } from './inserted.ts';

describe('hidePrivate', () => {
  it.each([
    ['nothing to hide', 'a < b and <b>', 'a < b and <b>'],
    ['a span', 'The key is <private>hunter2</private> today.', 'The key is [private] today.'],
    ['several spans', '<private>a</private> b <PRIVATE>c</PRIVATE >', '[private] b [private]'],
    ['an unclosed span', 'Fine. <private>the rest\nof it', 'Fine. [private]'],
    ['a span with attributes', '<private reason="x">a</private>b', '[private]b'],
    ['nested spans', '<private>a<private>b</private>c</private>d', '[private]d'],
    ['nested and unclosed', '<private>a<private>b</private>c', '[private]'],
    ['a closing tag alone', 'a</private>b', 'a</private>b'],
  ])('%s', (_, text, expected) => {
    expect(hidePrivate(text)).toBe(expected);
  });
});

describe('stripInserted', () => {
  it.each([
    ['system reminders', 'Go on.<system-reminder>\nfrom memory\n</system-reminder>', 'Go on.'],
    ['an unclosed insertion stays', 'Use <thinking> tags.', 'Use <thinking> tags.'],
    ['our fence, also cut off', 'See:\n<lore-data-x1>\n| a\n</lore-data-x1>\nand <lore-data-y2>\n| b', 'See:\n\nand '],
    ['private text inside an insertion', '<thinking>a<private>b</thinking>c', '<thinking>a[private]'],
    ['the wrapper of a prompt', '<user_query>Go on.</user_query>', 'Go on.'],
  ])('%s', (_, text, expected) => {
    expect(stripInserted(text)).toBe(expected);
  });

  it.each(['<private>', '<private ', '</private>', '<thinking>', '<thinking></think>', '<lore-data-a>'])(
    'reads a megabyte of %s in linear time',
    (piece) => {
      expect(stripInserted(piece.repeat(1_000_000 / piece.length)).length).toBeLessThanOrEqual(1_000_000);
    },
  );
});
