// Dates: days with or without a year, as 3 June, June 3rd, 2025-03-01, the 3rd. What looks like a date and names a
// revision of something, or is a count, is left alone.
import type { Span } from './time-phrase-calendar.ts';
import { isCapital, type Period, type Reader, readsAt, recur, wordAfter, wordAt } from './time-phrase-period.ts';
import { months, readOrdinal } from './time-phrase-words.ts';

const revised = /^(?:mcp|revisions?|versions?|specs?|specification|protocol|schema|api|sdk|tag|tags)$/;
const afterDayOfMonth =
  /^(?:and|or|to|until|till|we|i|you|they|it|about|for|in|at|with|when|that|by|on|of|who|what|if)$/;

export function readDate(reader: Reader, index: number, hasArticle: boolean): Period | undefined {
  return (
    readNumeric(reader, index) ??
    readDayMonth(reader, index) ??
    readMonthDay(reader, index) ??
    (hasArticle ? readDayOfMonth(reader, index) : undefined)
  );
}

/** 2025-03-01, with or without a time; 2025/03/01; 25/12/2025 where only one reading is a date. */
function readNumeric(reader: Reader, index: number): Period | undefined {
  const text = reader.tokens[index]?.text ?? '';
  if (!/^\d/.test(text)) return undefined;
  const iso = /^(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?:T\d\d:?\d\d\S{0,14})?$/.exec(text);
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  let ymd: [number, number, number];
  if (iso) ymd = [Number(iso[1]), Number(iso[3]), Number(iso[4])];
  else if (slashed) {
    const [first, second, year] = [Number(slashed[1]), Number(slashed[2]), Number(slashed[3])];
    if (first <= 12 && second <= 12 && first !== second) return undefined;
    ymd = first > 12 ? [year, second, first] : [year, first, second];
  } else return undefined;
  if (
    !isDay(...ymd) ||
    revised.test(wordAt(reader, index - 1) ?? '') ||
    revised.test(wordAfter(reader, index + 1) ?? '')
  )
    return undefined;
  return { ...dayOf(reader, ...ymd), next: index + 1, grain: 'day', alone: 'soft' };
}

/** 3 June, the 3rd of June 2024, 3-10 June. */
function readDayMonth(reader: Reader, index: number): Period | undefined {
  const word = wordAt(reader, index) ?? '';
  const days = readDays(word) ?? readWordDay(reader, index);
  if (!days) return undefined;
  const hasOf = wordAfter(reader, index + 1) === 'of';
  const at = hasOf ? index + 2 : index + 1;
  const month = months.get(wordAfter(reader, at) ?? '');
  if (month === undefined) return undefined;
  const year = readYearAfter(reader, at + 1);
  const isClear = hasOf || year !== undefined || isCapital(reader, at) || days.isOrdinal;
  return isClear ? makeDays(reader, month, days, year, at + 1, 'hard') : undefined;
}

/** June 3, June 3rd, 2024, June 3-10. */
function readMonthDay(reader: Reader, index: number): Period | undefined {
  const month = months.get(wordAt(reader, index) ?? '');
  if (month === undefined) return undefined;
  const at = wordAfter(reader, index + 1) === 'the' ? index + 2 : index + 1;
  const days = readDays(wordAfter(reader, at) ?? '') ?? (at > index + 1 ? readWordDay(reader, at) : undefined);
  if (!days || (at > index + 1 && !days.isOrdinal)) return undefined;
  const year = readYearAfter(reader, at + 1);
  const isClear = days.isOrdinal || year !== undefined || isCapital(reader, index);
  // `May 3 workers run at once?`
  const asks = index === 0 && year === undefined && !days.isOrdinal && /^(?:may|march)$/.test(wordAt(reader, 0) ?? '');
  if (asks && wordAfter(reader, at + 1) !== undefined) return undefined;
  return makeDays(reader, month, days, year, at + 1, isClear ? 'hard' : 'no');
}

/** The 3rd, of the latest month that had it; `the 3rd attempt` is none. */
function readDayOfMonth(reader: Reader, index: number): Period | undefined {
  const day = /^\d/.test(wordAt(reader, index) ?? '') ? readOrdinal(wordAt(reader, index)) : undefined;
  const following = wordAfter(reader, index + 1);
  if (day === undefined || day < 1 || day > 31 || (following !== undefined && !afterDayOfMonth.test(following)))
    return undefined;
  const latest = (limit: number): Span => {
    const { year, month } = reader.calendar.read(limit);
    for (let back = 0; ; back++) {
      const first = reader.calendar.read(reader.calendar.at(year, month - back, 1, 12));
      const span = dayOf(reader, first.year, first.month, day);
      if (span.from <= limit && isDay(first.year, first.month, day)) return span;
    }
  };
  return recur(reader, 'month', latest, { next: index + 1, grain: 'day', alone: 'no' });
}

interface Days {
  first: number;
  last: number;
  isOrdinal: boolean;
}

function readDays(word: string): Days | undefined {
  const match = /^(\d{1,2})(st|nd|rd|th)?(?:-(\d{1,2})(st|nd|rd|th)?)?$/.exec(word);
  if (!match) return undefined;
  const [first, last] = [Number(match[1]), Number(match[3] ?? match[1])];
  return first < 1 || last > 31 || last < first
    ? undefined
    : { first, last, isOrdinal: (match[2] ?? match[4]) !== undefined };
}

/** `third of June`; without `of` such a word is anything. */
function readWordDay(reader: Reader, index: number): Days | undefined {
  const day = readOrdinal(wordAt(reader, index));
  return day !== undefined && wordAfter(reader, index + 1) === 'of'
    ? { first: day, last: day, isOrdinal: true }
    : undefined;
}

interface YearAfter {
  year: number;
  next: number;
}

/** The year that may follow a day, month, quarter or season: 2024, of 2024, last year, of this year. */
export function readYearAfter(reader: Reader, index: number): YearAfter | undefined {
  const word = wordAfter(reader, index, ',') ?? '';
  if (isYear(word)) return { year: Number(word), next: index + 1 };
  const at = /^(?:of|in)$/.test(word) ? index + 1 : index;
  if (at > index && isYear(wordAfter(reader, at) ?? '')) return { year: Number(wordAt(reader, at)), next: at + 1 };
  for (const [name, back] of [
    ['last', 1],
    ['this', 0],
  ] as const) {
    if (readsAt(reader, at, [name, 'year'])) return { year: reader.today.year - back, next: at + 2 };
  }
  return undefined;
}

export function isYear(word: string): boolean {
  return /^(?:19[7-9]\d|20\d\d)$/.test(word);
}

function makeDays(
  reader: Reader,
  month: number,
  days: Days,
  year: YearAfter | undefined,
  next: number,
  alone: 'hard' | 'no',
): Period | undefined {
  const spanIn = (of: number): Span => ({
    from: dayOf(reader, of, month, days.first).from,
    to: dayOf(reader, of, month, days.last).to,
  });
  if (year) {
    if (!isDay(year.year, month, days.first)) return undefined;
    return { ...spanIn(year.year), next: year.next, grain: 'day', alone };
  }
  // A leap year is the one in which every day of a month is one.
  if (!isDay(2024, month, days.last)) return undefined;
  const latest = (limit: number): Span => {
    for (let of = reader.calendar.read(limit).year; ; of--) {
      const span = spanIn(of);
      if (span.from <= limit && isDay(of, month, days.first)) return span;
    }
  };
  return recur(reader, 'year', latest, { next, grain: 'day', alone });
}

function dayOf(reader: Reader, year: number, month: number, day: number): Span {
  return { from: reader.calendar.at(year, month, day), to: reader.calendar.at(year, month, day + 1) };
}

function isDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return year >= 1970 && year < 2100 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
