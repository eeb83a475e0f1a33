// How errors look at a terminal.
import { expect, it } from 'vitest';
import { LoreError } from '../core/error.ts';
import { describeFailure } from './describe-failure.ts';

it('an error: its message and hint are wrapped between words', () => {
  const hint = 'lore checkpoint list shows the names, lore checkpoint search finds one by subject.';
  const failure = new LoreError('not_found', 'Cannot resume "nope": no checkpoint has this id or name', { hint });
  const lines = describeFailure(failure, 60).split('\n');
  expect(lines.filter((line) => line.length > 60)).toEqual([]);
  expect(lines.join(' ')).toBe(`lore: ${failure.message} ${hint}`);
});
