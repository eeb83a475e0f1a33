// The log at a terminal.
import { expect, it } from 'vitest';
import { formatLogLine } from './log-line.ts';

it('log line: is readable, on one line and without control characters', () => {
  const time = new Date(2026, 4, 3, 14, 3, 7).getTime();
  const facts = { what: 'recall', outcome: 'ok', ms: 3, error: 'a "b"\n\u001b[31mc', none: undefined };
  expect(formatLogLine({ time, level: 'info', event: 'call_done', facts })).toBe(
    '14:03:07 info  call done  what=recall  outcome=ok  ms=3  error="a \\"b\\"\\n\\u001b[31mc"  none=none\n',
  );
  expect(formatLogLine({ time, level: 'warn', event: 'full', facts: undefined })).toBe('14:03:07 warn  full\n');
});
