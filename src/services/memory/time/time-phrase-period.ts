// A period: a stretch of time as words name it, before a preposition says what it is for. What the readers of names and
// of relative words share.
import { type Calendar, createCalendar, type Moment, type Span, spanOf } from './time-phrase-calendar.ts';
import { readTokens, type Token } from './time-phrase-token.ts';

export type Grain = 'part' | 'day' | 'week' | 'weekend' | 'month' | 'season' | 'quarter' | 'year' | 'rolling';

export interface Period extends Span {
  /** The token after its last. */
  next: number;
  grain: Grain;
  /** What it is without a preposition: an explicit time, a hint of one, or no time at all ("may", "2024"). */
  alone: 'hard' | 'soft' | 'no';
  /** "A few weeks ago": never more than a preference. */
  vague?: true;
  /** The one time meant where the stretch only allows for its being rounded: "two months ago". */
  about?: number;
  /** Reaches until now, whenever that is. */
  open?: true;
  /** A month's name that is also a person's, with neither day nor year. */
  doubtful?: true;
  /** For a name that comes round again: its latest stretch that begins no later than the limit. */
  latest?: (limit: number) => Span;
  cycle?: 'week' | 'month' | 'year';
}

export interface Reader {
  tokens: readonly Token[];
  now: number;
  calendar: Calendar;
  today: Moment;
  /** The day that holds now. */
  day: Span;
}

export function createReader(text: string, now: number, zone?: string): Reader {
  const calendar = createCalendar(zone);
  return { tokens: readTokens(text), now, calendar, today: calendar.read(now), day: spanOf(calendar, 'day', now) };
}

/** The word at a place. */
export function wordAt(reader: Reader, index: number): string | undefined {
  return reader.tokens[index]?.word;
}

/** The word at a place if nothing, or only the given marks, stands between it and the one before. */
export function wordAfter(reader: Reader, index: number, marks = ''): string | undefined {
  const token = reader.tokens[index];
  if (!token || (token.gap !== '' && [...token.gap].some((mark) => !marks.includes(mark)))) return undefined;
  return token.word;
}

export function isCapital(reader: Reader, index: number): boolean {
  return /^[A-Z]/.test(reader.tokens[index]?.text ?? '');
}

/** Whether the words at a place read so. */
export function readsAt(reader: Reader, index: number, words: readonly string[]): boolean {
  return words.every((word, at) => (at === 0 ? wordAt(reader, index) : wordAfter(reader, index + at)) === word);
}

/** A period that comes round again, resolved to the latest that has begun. */
export function recur(
  reader: Reader,
  cycle: 'week' | 'month' | 'year',
  latest: (limit: number) => Span,
  rest: Omit<Period, 'from' | 'to' | 'latest' | 'cycle'>,
): Period {
  return { ...latest(reader.now), ...rest, latest, cycle };
}
