// Texts can be put together again from their pieces.
import { expect, it } from 'vitest';
import { compare } from './compare.ts';

const without = (change: string, pieces: ReturnType<typeof compare>) =>
  pieces.flatMap((piece) => (piece.change === change ? [] : piece.text)).join('');

it('compare: names the words that were added and removed', () => {
  expect(compare('Deploys run on Monday at ten.', 'Deploys run on Tuesday at ten.')).toEqual([
    { text: 'Deploys run on ', change: 'same' },
    { text: 'Monday ', change: 'removed' },
    { text: 'Tuesday ', change: 'added' },
    { text: 'at ten.', change: 'same' },
  ]);
});

it('compare: loses nothing of either text, however long', () => {
  const long = (word: string) => Array.from({ length: 4_000 }, (_, at) => `${word} ${at}\n`).join('');
  for (const [before, after] of [
    ['', 'all'],
    ['all', ''],
    ['a b\n\nc', 'b c\td'],
    [long('a'), long('b')],
  ] as const) {
    const pieces = compare(before, after);
    expect([without('added', pieces), without('removed', pieces)]).toEqual([before, after]);
  }
});
