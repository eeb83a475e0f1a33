// Pauses count for their project and their time.
import { describe, expect, it } from 'vitest';
import { describeEnd, pausedUntil, readIntervals, readSpan, writeIntervals } from './learning.ts';

const at = Date.parse('2026-01-01T12:00:00Z');

describe('pausedUntil', () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ['no pause', {}, undefined],
    ['another project', { b: '2026-01-01T00:00:00Z/..' }, undefined],
    ['this project', { a: '2026-01-01T00:00:00Z/..' }, Number.POSITIVE_INFINITY],
    ['every project', { all: '2026-01-01T00:00:00Z/2026-01-02T00:00:00Z' }, Date.parse('2026-01-02T00:00:00Z')],
    ['a pause that ended', { a: '2025-01-01T00:00:00Z/2026-01-01T11:00:00Z' }, undefined],
    ['a pause still to come', { a: '2026-01-01T13:00:00Z/..' }, undefined],
    ['a value nobody can read', { a: 'yes' }, Number.POSITIVE_INFINITY],
    ['the name of a built-in', { a: '2026-01-01T13:00:00Z/..' }, undefined],
  ])('knows %s', (_, pauses, until) => {
    expect(pausedUntil(pauses, ['a'], at)).toBe(until);
    expect(pausedUntil(pauses, ['constructor'], at)).toBe(pauses.all === undefined ? undefined : until);
  });

  it('reads back what it writes', () => {
    for (const until of [at + 1_000, Number.POSITIVE_INFINITY]) {
      const pauses = [
        { from: at - 9, until: at - 5 },
        { from: at, until },
      ];
      expect(readIntervals({ a: writeIntervals(pauses) }, 'a')).toEqual(pauses);
      expect(pausedUntil({ a: writeIntervals(pauses) }, ['a'], at - 7)).toBe(at - 5);
    }
    expect(describeEnd(at)).toBe(' until 2026-01-01 12:00 UTC');
  });

  it('reads durations', () => {
    expect(['30m', '2 h', '1D', '1w'].map(readSpan)).toEqual([1_800_000, 7_200_000, 86_400_000, 604_800_000]);
    for (const text of ['', '0h', '-1h', 'soon', '5', '99999d']) expect(() => readSpan(text)).toThrow('not a duration');
  });
});
