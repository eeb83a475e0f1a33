// A period in all its forms: by name, counted from now, or a part of another ("late March", "the end of last year", "the
// first week of June", "Monday morning").
import { addDays, addMonths, dayMs, type Span, spanOf, weekdayOf } from './time-phrase-calendar.ts';
import { isYear } from './time-phrase-date.ts';
import { readName } from './time-phrase-name.ts';
import { type Grain, type Period, type Reader, wordAfter, wordAt } from './time-phrase-period.ts';
import { type Count, readCount, readPartOfDay, readRelative } from './time-phrase-relative.ts';
import { beginsPeriod, readOrdinal, type Unit, weekdays } from './time-phrase-words.ts';

/** From and to, as fractions of the whole. */
const adjectives: Record<string, [number, number]> = { early: [0, 1 / 3], mid: [1 / 3, 2 / 3], late: [2 / 3, 1] };
const nouns: Record<string, [number, number]> = {
  start: [0, 1 / 4],
  beginning: [0, 1 / 4],
  middle: [1 / 3, 2 / 3],
  end: [3 / 4, 1],
};
/** "Of last quarter's end": how deep parts of parts may go. */
const maxDepth = 3;

export function readPeriod(reader: Reader, index: number, hasPreposition: boolean, depth = 0): Period | undefined {
  if (index >= reader.tokens.length || depth > maxDepth) return undefined;
  const hasArticle = wordAt(reader, index) === 'the';
  const at = hasArticle ? index + 1 : index;
  if (!beginsPeriod(wordAt(reader, at) ?? '') || (hasArticle && wordAfter(reader, at) === undefined)) return undefined;
  const period =
    readPart(reader, at, depth) ??
    readBeside(reader, at, hasArticle, depth) ??
    readRelative(reader, at, { hasArticle, hasPreposition }) ??
    readName(reader, at, hasArticle || wordAt(reader, index - 1) === 'the');
  if (period?.grain !== 'day') return period;
  const part = readPartOfDay(reader, period, wordAfter(reader, period.next), period.next + 1);
  return part ? { ...part, alone: period.alone === 'no' ? 'soft' : 'hard' } : period;
}

function readPart(reader: Reader, index: number, depth: number): Period | undefined {
  const word = wordAt(reader, index) ?? '';
  const adjective = Object.hasOwn(adjectives, word) ? adjectives[word] : undefined;
  if (adjective) {
    const whole = readPeriod(
      reader,
      wordAfter(reader, index + 1, '-') === 'in' ? index + 2 : index + 1,
      true,
      depth + 1,
    );
    return wordAfter(reader, index + 1, '-') === undefined || !whole || whole.open || whole.about !== undefined
      ? undefined
      : partOf(reader, whole, adjective);
  }
  if (Object.hasOwn(nouns, word) && wordAfter(reader, index + 1) === 'of') {
    const whole = readWhole(reader, index + 2, depth);
    return whole && partOf(reader, whole, nouns[word] as [number, number]);
  }
  if (word === 'week' && wordAfter(reader, index + 1) === 'of') {
    const day = readPeriod(reader, index + 2, true, depth + 1);
    if (day?.grain !== 'day') return undefined;
    return { ...spanOf(reader.calendar, 'week', day.from), next: day.next, grain: 'week', alone: 'hard' };
  }
  if (word === 'year' && isYear(wordAfter(reader, index + 1) ?? '')) {
    const year = readName(reader, index + 1, false);
    return year && { ...year, alone: 'hard' };
  }
  if (word === 'month' && wordAfter(reader, index + 1) === 'of') {
    const month = readName(reader, index + 2, true);
    return month?.grain === 'month' ? { ...month, alone: 'hard' } : undefined;
  }
  return readNth(reader, index, depth);
}

/** The week before June 3rd, two days after the 1st of May, the Friday before 2025-03-01. */
function readBeside(reader: Reader, index: number, hasArticle: boolean, depth: number): Period | undefined {
  const word = wordAt(reader, index) ?? '';
  const weekday = hasArticle ? weekdays.get(word) : undefined;
  const isUnit = hasArticle && /^(?:day|week|month)$/.test(word);
  const count = isUnit ? { value: 1, unit: word as Unit, next: index + 1 } : readCount(reader, index);
  const at = weekday === undefined ? count?.next : index + 1;
  const side = at === undefined ? undefined : wordAfter(reader, at);
  if (at === undefined || (side !== 'before' && side !== 'after') || wordAfter(reader, at + 1) === undefined)
    return undefined;
  const anchor = readPeriod(reader, at + 1, true, depth + 1);
  if (anchor?.grain !== 'day') return undefined;
  const isBefore = side === 'before';
  const span =
    weekday === undefined
      ? besideOf(reader, anchor, count, isBefore)
      : weekdayBeside(reader, anchor, weekday, isBefore);
  return span && { ...span, next: anchor.next, grain: 'part', alone: 'hard' };
}

/** "The week before" is all seven days; "two weeks before" a day, give or take some. */
function besideOf(
  reader: Reader,
  anchor: Span,
  count: Pick<Count, 'value' | 'unit'> | undefined,
  isBefore: boolean,
): Span | undefined {
  if (!count || !/^(?:day|week|month)$/.test(count.unit)) return undefined;
  const step = (time: number, value: number): number =>
    count.unit === 'month'
      ? addMonths(reader.calendar, time, value)
      : addDays(reader.calendar, time, value * (count.unit === 'week' ? 7 : 1));
  if (count.value === 1) {
    return isBefore ? { from: step(anchor.from, -1), to: anchor.from } : { from: anchor.to, to: step(anchor.to, 1) };
  }
  const day = spanOf(reader.calendar, 'day', step(anchor.from, isBefore ? -count.value : count.value));
  const slack = count.unit === 'day' ? 0 : count.unit === 'week' ? 3 : 10;
  return { from: addDays(reader.calendar, day.from, -slack), to: addDays(reader.calendar, day.to, slack) };
}

function weekdayBeside(reader: Reader, anchor: Span, weekday: number, isBefore: boolean): Span {
  const of = weekdayOf(reader.calendar.read(anchor.from));
  const days = isBefore ? -((of - weekday + 6) % 7) - 1 : ((weekday - of + 6) % 7) + 1;
  return spanOf(reader.calendar, 'day', anchor.from, days);
}

/** What is parted: a period, or the week, month or year that runs. */
function readWhole(reader: Reader, index: number, depth: number): Period | undefined {
  const word = wordAfter(reader, index + 1);
  if (wordAfter(reader, index) === 'the' && /^(?:week|month|quarter|year)$/.test(word ?? '')) {
    const unit = word as 'week' | 'month' | 'quarter' | 'year';
    return { ...spanOf(reader.calendar, unit, reader.now), next: index + 2, grain: unit, alone: 'hard' };
  }
  const whole = readPeriod(reader, index, true, depth + 1);
  return whole?.open || whole?.about !== undefined ? undefined : whole;
}

/** The first week of June, the last day of 2024, the second quarter, the second half of May. */
function readNth(reader: Reader, index: number, depth: number): Period | undefined {
  const isLast = wordAt(reader, index) === 'last';
  const number = isLast ? 0 : readOrdinal(wordAt(reader, index));
  const unit = wordAfter(reader, index + 1) ?? '';
  if (number === undefined) return undefined;
  const isParted = /^(?:day|week|month|quarter|half)$/.test(unit) || weekdays.has(unit);
  if (!isParted || wordAfter(reader, index + 2) !== 'of') return undefined;
  const whole = readWhole(reader, index + 3, depth);
  const span = whole && nthOf(reader, whole, number, unit);
  if (!whole || !span || span.from >= whole.to || span.from < whole.from) return undefined;
  const grain: Grain = weekdays.has(unit) ? 'day' : unit === 'half' ? 'season' : (unit as Grain);
  return { ...span, next: whole.next, grain, alone: 'hard' };
}

/** The nth, from 1; 0 is the last. Weeks are counted by seven days from the first. */
function nthOf(reader: Reader, whole: Period, number: number, unit: string): Span | undefined {
  const { calendar } = reader;
  const weekday = weekdays.get(unit);
  if (weekday !== undefined) {
    const base = number === 0 ? whole.to - 1 : whole.from;
    const monday = spanOf(calendar, 'week', base).from;
    const first = addDays(calendar, monday, weekday);
    if (number === 0) return spanOf(calendar, 'day', first < whole.to ? first : addDays(calendar, first, -7));
    return spanOf(calendar, 'day', addDays(calendar, first, 7 * (number - (first >= whole.from ? 1 : 0))));
  }
  if (unit === 'half') return number > 2 ? undefined : portionOf(reader, whole, number === 1 ? [0, 0.5] : [0.5, 1]);
  const step = (time: number, count: number): number =>
    unit === 'day' || unit === 'week'
      ? addDays(calendar, time, count * (unit === 'week' ? 7 : 1))
      : addMonths(calendar, time, count * (unit === 'quarter' ? 3 : 1));
  if (number === 0) return { from: step(whole.to, -1), to: whole.to };
  return { from: step(whole.from, number - 1), to: Math.min(step(whole.from, number), whole.to) };
}

function partOf(reader: Reader, whole: Period, fractions: [number, number]): Period {
  const { latest } = whole;
  const part = portionOf(reader, whole, fractions);
  const period: Period = { ...part, next: whole.next, grain: 'part', alone: 'hard' };
  return latest && whole.cycle
    ? { ...period, cycle: whole.cycle, latest: (limit) => portionOf(reader, latest(limit), fractions) }
    : period;
}

/** In whole days where the whole has several. */
function portionOf(reader: Reader, whole: Span, [from, to]: [number, number]): Span {
  const length = whole.to - whole.from;
  const at = (fraction: number): number => {
    if (fraction === 0) return whole.from;
    if (fraction === 1) return whole.to;
    const time = whole.from + length * fraction;
    return length < 3 * dayMs ? time : spanOf(reader.calendar, 'day', time).from;
  };
  return { from: at(from), to: at(to) };
}
