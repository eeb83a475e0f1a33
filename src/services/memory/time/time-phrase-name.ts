// Names of longer stretches and of days of the week: May, May 2024, Q2 2025, the summer of 2024, week 12, 2024, Tuesday.
// Seasons are those of the north.

import { addDays, type Span, spanOf, weekdayOf } from './time-phrase-calendar.ts';
import { isYear, readDate, readYearAfter } from './time-phrase-date.ts';
import { type Grain, type Period, type Reader, readsAt, recur, wordAfter, wordAt } from './time-phrase-period.ts';
import { countedThings, doubtfulMonths, months, seasons, weekdays } from './time-phrase-words.ts';

/** Written small and alone, the other short forms are words of their own: `dec`, `mar`, `oct`, `sun`. */
const clearShortMonths = /^(?:jan|feb|apr|aug|sept|nov)$/;
const springThings =
  /^(?:boot|mvc|security|framework|data|cloud|context|config|beans?|webflux|batch|app|application|profiles?|back|through)$/;

export function readName(reader: Reader, index: number, hasArticle: boolean): Period | undefined {
  return (
    readDate(reader, index, hasArticle) ??
    readMonth(reader, index, hasArticle) ??
    readWeekday(reader, index) ??
    readQuarter(reader, index) ??
    readSeason(reader, index, hasArticle) ??
    readWeekNumber(reader, index) ??
    readYear(reader, index)
  );
}

/** Three months a quarter or season, twelve a year: each stretch begins with a month. */
function monthsFrom(reader: Reader, year: number, month: number, count: number): Span {
  return { from: reader.calendar.at(year, month), to: reader.calendar.at(year, month + count) };
}

function makeYearly(
  reader: Reader,
  month: number,
  count: number,
  grain: Grain,
  year: { year: number; next: number } | undefined,
  rest: Pick<Period, 'next' | 'alone' | 'doubtful'>,
): Period {
  if (year) return { ...monthsFrom(reader, year.year, month, count), grain, next: year.next, alone: 'hard' };
  const latest = (limit: number): Span => {
    const span = monthsFrom(reader, reader.calendar.read(limit).year, month, count);
    return span.from <= limit ? span : monthsFrom(reader, reader.calendar.read(limit).year - 1, month, count);
  };
  return recur(reader, 'year', latest, { ...rest, grain });
}

function readMonth(reader: Reader, index: number, hasArticle: boolean): Period | undefined {
  const { text = '', word = '' } = reader.tokens[index] ?? {};
  const iso = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text);
  if (iso && isYear(iso[1] as string)) {
    return { ...monthsFrom(reader, Number(iso[1]), Number(iso[2]), 1), next: index + 1, grain: 'month', alone: 'no' };
  }
  const month = months.get(word);
  if (month === undefined) return undefined;
  const year = readYearAfter(reader, index + 1);
  if (year) {
    const isCount = countedThings.has(wordAfter(reader, year.next) ?? '') && doubtfulMonths.has(word);
    return isCount ? undefined : makeYearly(reader, month, 1, 'month', year, { next: year.next, alone: 'hard' });
  }
  const isFull = word === 'may' || word.length > 4 || word === 'june' || word === 'july';
  if (!isFull && !/^[A-Z][a-z]/.test(text) && !clearShortMonths.test(word)) return undefined;
  const isDoubtful = doubtfulMonths.has(word);
  const isName = isFull && /^[A-Z][a-z]/.test(text) && (hasArticle || !isDoubtful);
  const rest = { next: index + 1, alone: isName ? ('soft' as const) : ('no' as const) };
  return makeYearly(
    reader,
    month,
    1,
    'month',
    undefined,
    isDoubtful && word !== 'march' ? { ...rest, doubtful: true } : rest,
  );
}

function readWeekday(reader: Reader, index: number): Period | undefined {
  const { text = '', word = '' } = reader.tokens[index] ?? {};
  const weekday = weekdays.get(word);
  const isFull = word.endsWith('day');
  if (weekday === undefined || (!isFull && !/^[A-Z]/.test(text))) return undefined;
  const hasThe = wordAfter(reader, index + 1, ',') === 'the';
  const at = index + (hasThe ? 2 : 1);
  const date = wordAfter(reader, at, ',') === undefined ? undefined : readDate(reader, at, hasThe);
  if (date && date.grain === 'day') return { ...date, alone: 'hard' };
  const isRepeated = /^(?:mornings|afternoons|evenings|nights)$/.test(wordAfter(reader, index + 1) ?? '');
  if (isRepeated || readsAt(reader, index + 1, ['next', 'week'])) return undefined;
  const week = readWeekAfter(reader, index + 1);
  if (week) {
    const from = addDays(reader.calendar, week.from, weekday);
    return { ...spanOf(reader.calendar, 'day', from), next: week.next, grain: 'day', alone: 'hard' };
  }
  // On a Tuesday nobody calls that very day Tuesday: it is today.
  const latest = (limit: number): Span => {
    const last = Math.min(limit, reader.day.from - 1);
    const back = (weekdayOf(reader.calendar.read(last)) - weekday + 7) % 7;
    return spanOf(reader.calendar, 'day', last, -back);
  };
  return recur(reader, 'week', latest, { next: index + 1, grain: 'day', alone: isFull ? 'soft' : 'no' });
}

/** `Tuesday of last week`, `Tuesday this week`. */
function readWeekAfter(reader: Reader, index: number): (Span & { next: number }) | undefined {
  const at = wordAfter(reader, index) === 'of' ? index + 1 : index;
  for (const [name, back] of [
    ['last', 1],
    ['this', 0],
  ] as const) {
    if (readsAt(reader, at, [name, 'week']))
      return { ...spanOf(reader.calendar, 'week', reader.now, -back), next: at + 2 };
  }
  return undefined;
}

/** Q2, Q2 2025, 2025-Q2; H1 only with a year, for it is a heading too. */
function readQuarter(reader: Reader, index: number): Period | undefined {
  const { text = '' } = reader.tokens[index] ?? {};
  const joined = /^(\d{4})-?([QH])([1-4])$/i.exec(text) ?? /^([QH])([1-4])[-/](\d{4})$/i.exec(text);
  const lone = /^([QH])([1-4])$/i.exec(text);
  const parts = joined ?? lone;
  if (!parts) return undefined;
  const [letter, number] = parts.slice(1).filter((part) => part.length === 1) as [string, string];
  const written = parts.slice(1).find((part) => part.length === 4);
  const isHalf = letter.toLowerCase() === 'h';
  const year = written ? { year: Number(written), next: index + 1 } : readYearAfter(reader, index + 1);
  if (isHalf && (!year || Number(number) > 2)) return undefined;
  const count = isHalf ? 6 : 3;
  const first = (Number(number) - 1) * count + 1;
  return makeYearly(reader, first, count, 'quarter', year, { next: index + 1, alone: 'no' });
}

function readSeason(reader: Reader, index: number, hasArticle: boolean): Period | undefined {
  const word = wordAt(reader, index) ?? '';
  const month = seasons.get(word);
  if (month === undefined || springThings.test(wordAfter(reader, index + 1) ?? '')) return undefined;
  const year = readYearAfter(reader, index + 1);
  // Winter 2024 is the one that began in December, unless that has yet to come.
  const isAhead = year !== undefined && reader.calendar.at(year.year, month) > reader.now && month === 12;
  const begun = year && isAhead ? { ...year, year: year.year - 1 } : year;
  const isOther = (word === 'spring' || word === 'fall') && !hasArticle && !year;
  return isOther ? undefined : makeYearly(reader, month, 3, 'season', begun, { next: index + 1, alone: 'no' });
}

/** Week 12, week 12 of 2025, 2025-W12: as ISO 8601 counts. */
function readWeekNumber(reader: Reader, index: number): Period | undefined {
  const joined = /^(\d{4})-?W(\d\d)$/i.exec(reader.tokens[index]?.text ?? '');
  const isNamed = wordAt(reader, index) === 'week' && /^\d{1,2}$/.test(wordAfter(reader, index + 1) ?? '');
  if (!joined && !isNamed) return undefined;
  const week = Number(joined ? joined[2] : wordAt(reader, index + 1));
  if (week < 1 || week > 53) return undefined;
  const inYear = (of: number): Span => spanOf(reader.calendar, 'week', reader.calendar.at(of, 1, 4), week - 1);
  const year = joined ? { year: Number(joined[1]), next: index + 1 } : readYearAfter(reader, index + 2);
  if (year) return { ...inYear(year.year), next: year.next, grain: 'week', alone: 'hard' };
  const latest = (limit: number): Span => {
    const of = reader.calendar.read(limit).year;
    return inYear(of).from <= limit ? inYear(of) : inYear(of - 1);
  };
  return recur(reader, 'year', latest, { next: index + 2, grain: 'week', alone: 'no' });
}

function readYear(reader: Reader, index: number): Period | undefined {
  const { text = '' } = reader.tokens[index] ?? {};
  if (!isYear(text) || countedThings.has(wordAfter(reader, index + 1) ?? '')) return undefined;
  return { ...monthsFrom(reader, Number(text), 1, 12), next: index + 1, grain: 'year', alone: 'no' };
}
