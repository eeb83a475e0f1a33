// When a query begins or ends, seen from a Wednesday afternoon in June.
import { describe, expect, it } from 'vitest';
import { readTime } from './time.ts';

const now = Date.parse('2026-06-17T14:30:00Z');
const midnight = (day: number) => new Date(2026, 5, day).toISOString();

describe('a time', () => {
  it.each([
    ['2026-06-01T10:00:00Z', '2026-06-01T10:00:00.000Z'],
    ['2026-06-01T10:00:00.250+02:00', '2026-06-01T08:00:00.250Z'],
    ['2026-06-01 10:00 -0130', '2026-06-01T11:30:00.000Z'],
    ['2026-06-01', midnight(1)],
    ['2026-06-01T10:00', new Date(2026, 5, 1, 10).toISOString()],
    ['@1700000000.5', '2023-11-14T22:13:20.500Z'],
    ['now', '2026-06-17T14:30:00.000Z'],
    ['today', new Date(new Date(now).setHours(0, 0, 0, 0)).toISOString()],
    ['2 hours ago', '2026-06-17T12:30:00.000Z'],
    ['an hour ago', '2026-06-17T13:30:00.000Z'],
    ['last hour', '2026-06-17T13:30:00.000Z'],
    ['the last 3 days', '2026-06-14T14:30:00.000Z'],
    ['-15m', '2026-06-17T14:15:00.000Z'],
    ['90 min ago', '2026-06-17T13:00:00.000Z'],
    ['1 week ago', '2026-06-10T14:30:00.000Z'],
  ])('is read from "%s"', (written, expected) => {
    expect(new Date(readTime(written, 'since', now)).toISOString()).toBe(expected);
  });

  it.each([
    '',
    'soon',
    '--file=x',
    '2026-13-01',
    '2026-02-30',
    '2026-06-01T25:00',
    'hour',
    '5',
    'a b ago',
    '1 parsec ago',
    'today; id',
  ])('is not read from "%s"', (written) => {
    expect(() => readTime(written, 'until', now)).toThrow(
      expect.objectContaining({ word: 'invalid_input', details: expect.objectContaining({ path: 'arguments.until' }) }),
    );
  });
});
