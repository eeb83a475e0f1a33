// A time that a caller gives: an ISO date or time, or words like "last week". Days are the user's.
import { LoreError } from '../../../core/error.ts';
import type { Span } from './calendar.ts';
import { readSpan } from './time-phrase.ts';

/** `since` takes the start of the span; `until` its end, so that "until yesterday" includes yesterday. */
export function readTimeArgument(text: string | undefined, path: 'since' | 'until' | 'as_of', now: number) {
  if (text === undefined) return undefined;
  const span = readSpan(text, now);
  if (span) return pick[path](span, now);
  throw new LoreError('invalid_input', `Cannot read "${text}": it is not a time`, {
    hint: 'Use a date (2026-05-31), a time (2026-05-31T14:00) or words like "yesterday", "last week", "3 days ago", "in March".',
    details: { path: `arguments.${path}`, expected: 'a date, a time or words like "last week"', received: text },
  });
}

const pick: Record<'since' | 'until' | 'as_of', (span: Span, now: number) => number> = {
  since: ({ from }) => from,
  until: ({ to }) => to,
  as_of: ({ from, to }, now) => (from === to ? from : Math.min(now, to - 1)),
};
