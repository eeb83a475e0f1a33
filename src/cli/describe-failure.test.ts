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

it('an error: the words of another program follow, marked and without terminal sequences', () => {
  const details = { response: 'no such file\n\u001b[31mred\u001b[0m' };
  const failure = new LoreError('not_found', 'Cannot run "a_b": the tool reported an error', { details });
  expect(describeFailure(failure, 80)).toBe(`lore: ${failure.message}\n| no such file\n| red`);
});
