// Periods counted from now: yesterday, last week, the last ten days, two months ago, recently. "Last week" is the
// calendar's, "the last week" and "the past week" are seven days; "last" with any other word is no time ("last commit").
import { addDays, addMonths, dayMs, hourMs, type Span, spanOf } from './time-phrase-calendar.ts';
import { readName } from './time-phrase-name.ts';
import { type Period, type Reader, readsAt, wordAfter, wordAt } from './time-phrase-period.ts';
import { months, readCardinal, readUnit, seasons, type Unit, weekdays } from './time-phrase-words.ts';

interface Before {
  hasArticle: boolean;
  hasPreposition: boolean;
}

const recentDays = 30;
/** In hours from the day's start; a night belongs to the day it begins on. */
const partsOfDay: Record<string, [number, number]> = {
  morning: [4, 12],
  afternoon: [12, 18],
  evening: [17, 24],
  night: [18, 30],
};

export function readRelative(reader: Reader, index: number, before: Before): Period | undefined {
  const word = wordAt(reader, index);
  if (word === 'yesterday') return makeDay(reader, -1, index + 1);
  if (word === 'today') return { ...reader.day, next: index + 1, grain: 'day', alone: 'soft' };
  if (word === 'tonight') return readPartOfDay(reader, reader.day, 'evening', index + 1);
  if (readsAt(reader, index, ['day', 'before', 'yesterday'])) return makeDay(reader, -2, index + 3);
  if (word === 'earlier') return readEarlier(reader, index);
  if ((word === 'this' || word === 'these') && /^(?:past|last)$/.test(wordAfter(reader, index + 1) ?? '')) {
    return readLast(reader, index + 1, { hasArticle: true, hasPreposition: true });
  }
  if (word === 'this') return readThis(reader, index);
  if (word === 'weekend' && before.hasArticle) {
    return { ...weekendOf(reader, 0), next: index + 1, grain: 'weekend', alone: 'no' };
  }
  if (word === 'last' || word === 'past' || word === 'previous') return readLast(reader, index, before);
  return readBeforeLast(reader, index) ?? readAgo(reader, index) ?? readVague(reader, index);
}

/** The part of a day named at a place, if one is. */
export function readPartOfDay(reader: Reader, day: Span, part: string | undefined, next: number): Period | undefined {
  const hours = Object.hasOwn(partsOfDay, part ?? '') ? partsOfDay[part as string] : undefined;
  if (!hours) return undefined;
  const { year, month, day: date } = reader.calendar.read(day.from);
  const at = (hour: number): number => reader.calendar.at(year, month, date, hour);
  return { from: at(hours[0]), to: at(hours[1]), next, grain: 'part', alone: 'hard' };
}

function makeDay(reader: Reader, offset: number, next: number): Period {
  return { ...spanOf(reader.calendar, 'day', reader.now, offset), next, grain: 'day', alone: 'hard' };
}

function readEarlier(reader: Reader, index: number): Period | undefined {
  const at = index + 1;
  if (wordAfter(reader, at) === 'today') return { ...reader.day, next: at + 1, grain: 'day', alone: 'hard' };
  return wordAfter(reader, at) === 'this' ? readThis(reader, at) : undefined;
}

function readThis(reader: Reader, index: number): Period | undefined {
  const word = wordAfter(reader, index + 1);
  const next = index + 2;
  if (word === 'week' || word === 'month' || word === 'quarter' || word === 'year') {
    return { ...spanOf(reader.calendar, word, reader.now), next, grain: word, alone: 'hard' };
  }
  if (word === 'weekend') return { ...weekendOf(reader, 0), next, grain: 'weekend', alone: 'hard' };
  if (word !== 'night') {
    const part = readPartOfDay(reader, reader.day, word, next);
    if (part) return part;
  }
  const weekday = weekdays.get(word ?? '');
  if (weekday !== undefined && word?.endsWith('day')) {
    const monday = spanOf(reader.calendar, 'week', reader.now).from;
    const day = spanOf(reader.calendar, 'day', addDays(reader.calendar, monday, weekday));
    return { ...day, next, grain: 'day', alone: 'hard' };
  }
  if ((!months.has(word ?? '') && !seasons.has(word ?? '')) || isVerb(reader, index + 1)) return undefined;
  const named = readName(reader, index + 1, true);
  return named && { ...named, alone: 'hard' };
}

function readLast(reader: Reader, index: number, before: Before): Period | undefined {
  const isPast = wordAt(reader, index) === 'past';
  const word = wordAfter(reader, index + 1);
  if (word === undefined) return undefined;
  const count = readCount(reader, index + 1);
  // "A last minute change", "the last day": only "in the last day" is a time.
  const isWhole = before.hasArticle && before.hasPreposition;
  if (count && !/^an?$/.test(word)) {
    const span = { from: goBack(reader, count.unit, count.value), to: reader.now };
    const from = /^(?:minute|hour)$/.test(count.unit) ? span.from : spanOf(reader.calendar, 'day', span.from).from;
    return makeRolling(from, reader.now, count.next, count.isVague);
  }
  const unit = readUnit(word);
  if (unit === 'minute' || unit === 'hour' || unit === 'day') {
    return isWhole && word === unit ? makeRolling(goBack(reader, unit, 1), reader.now, index + 2, false) : undefined;
  }
  if (unit !== undefined && word === unit) {
    if (isPast || (before.hasArticle && wordAt(reader, index) === 'last')) {
      if (!before.hasArticle && !before.hasPreposition && isPast) return undefined;
      return makeRolling(spanOf(reader.calendar, 'day', goBack(reader, unit, 1)).from, reader.now, index + 2, false);
    }
    return readDayWithin(reader, { ...spanOf(reader.calendar, unit, reader.now, -1), next: index + 2 }, unit);
  }
  if (word === 'weekend') return { ...weekendOf(reader, 1), next: index + 2, grain: 'weekend', alone: 'hard' };
  if ((isPast && wordAt(reader, index - 1) !== 'this') || wordAt(reader, index) === 'previous') return undefined;
  if (word === 'night') {
    return readPartOfDay(reader, spanOf(reader.calendar, 'day', reader.now, -1), 'night', index + 2);
  }
  return readLastNamed(reader, index);
}

/** "This may fail", "the last may win". */
function isVerb(reader: Reader, index: number): boolean {
  return /^(?:may|march)$/.test(reader.tokens[index]?.text ?? '');
}

/** Last Tuesday, last May, last summer: the latest that is over. */
function readLastNamed(reader: Reader, index: number): Period | undefined {
  const named = isVerb(reader, index + 1) ? undefined : readName(reader, index + 1, true);
  if (!named?.latest || !/^(?:day|month|season|quarter)$/.test(named.grain) || named.cycle === 'month')
    return undefined;
  const over = named.to <= reader.day.from ? named : named.latest(named.from - 1);
  return { from: over.from, to: over.to, next: named.next, grain: named.grain, alone: 'hard' };
}

/** "Last week on Tuesday", "last year in May". */
function readDayWithin(
  reader: Reader,
  span: Span & { next: number },
  unit: 'week' | 'month' | 'quarter' | 'year',
): Period {
  const whole: Period = { ...span, grain: unit, alone: 'hard' };
  const word = wordAfter(reader, span.next) ?? '';
  const named = readName(reader, /^(?:on|in)$/.test(word) ? span.next + 1 : span.next, false);
  const isNext = wordAfter(reader, span.next) !== undefined && named?.latest !== undefined;
  if (!isNext || !named || (unit === 'week' ? named.cycle !== 'week' : unit !== 'year' || named.cycle !== 'year'))
    return whole;
  if (named.alone === 'no' && !/^(?:on|in)$/.test(word)) return whole;
  const within = named.latest?.(span.to - 1);
  return within && within.from >= span.from ? { ...named, ...within, alone: 'hard' } : whole;
}

/** The week before last. */
function readBeforeLast(reader: Reader, index: number): Period | undefined {
  if (!readsAt(reader, index + 1, ['before', 'last'])) return undefined;
  const word = wordAt(reader, index);
  const next = index + 3;
  if (word === 'week' || word === 'month' || word === 'quarter' || word === 'year') {
    return { ...spanOf(reader.calendar, word, reader.now, -2), next, grain: word, alone: 'hard' };
  }
  return word === 'weekend' ? { ...weekendOf(reader, 2), next, grain: 'weekend', alone: 'hard' } : undefined;
}

/** Two months ago, a few days ago, 2-3 weeks ago, 10d ago. */
function readAgo(reader: Reader, index: number): Period | undefined {
  const count = readCount(reader, index);
  if (!count || !/^(?:ago|back)$/.test(wordAfter(reader, count.next) ?? '')) return undefined;
  const { unit, value, isVague } = count;
  const about = goBack(reader, unit, value);
  const far = goBack(reader, unit, count.upTo ?? value);
  const slack = slackOf(unit, value) * (isVague ? 2 : 1);
  const isByDay = unit !== 'minute' && unit !== 'hour';
  const from = isByDay ? spanOf(reader.calendar, 'day', far - slack).from : far - slack;
  const to = isByDay ? spanOf(reader.calendar, 'day', about + slack).to : about + slack;
  const moment = isByDay ? spanOf(reader.calendar, 'day', about).from : about;
  const period: Period = {
    from,
    to: Math.min(to, reader.day.to),
    next: count.next + 1,
    grain: 'rolling',
    alone: 'hard',
    about: moment,
  };
  return isVague ? { ...period, vague: true } : period;
}

/** How far off a rounded number may be: three days ago is that day, two months ago half a month either way. */
function slackOf(unit: Unit, value: number): number {
  if (unit === 'minute') return Math.max(60_000, (value * 60_000) / 4);
  if (unit === 'hour') return Math.max(hourMs / 2, (value * hourMs) / 4);
  if (unit === 'day') return value < 7 ? 0 : dayMs;
  if (unit === 'week') return 3 * dayMs;
  return unit === 'month' ? 15 * dayMs : unit === 'quarter' ? 45 * dayMs : 182 * dayMs * Math.min(1, value);
}

export interface Count {
  value: number;
  /** The farther end of "two or three". */
  upTo?: number;
  unit: Unit;
  isVague: boolean;
  next: number;
}

/** A number of units: ten days, a couple of weeks, the 2-3 of "2-3 weeks", 24h, half a year. */
export function readCount(reader: Reader, index: number): Count | undefined {
  const word = wordAt(reader, index) ?? '';
  const short = /^(\d{1,3})(h|hrs?|d|w|wks?|mo|yrs?|y|mins?)$/.exec(word);
  if (short) return { value: Number(short[1]), unit: readUnit(short[2]) as Unit, isVague: false, next: index + 1 };
  let at = index;
  let value: number | undefined;
  let upTo: number | undefined;
  let isVague = false;
  const range = /^(\d{1,2})-(\d{1,2})$/.exec(word);
  const skipped = /^an?$/.test(word) && /^(?:few|couple|dozen)$/.test(wordAfter(reader, at + 1) ?? '') ? at + 1 : at;
  const many = wordAt(reader, skipped);
  if (many === 'few' || many === 'couple' || many === 'several') {
    isVague = true;
    value = many === 'couple' ? 2 : many === 'few' ? 3 : 5;
    at = wordAfter(reader, skipped + 1) === 'of' ? skipped + 2 : skipped + 1;
  } else if (word === 'half' && /^an?$/.test(wordAfter(reader, at + 1) ?? '')) {
    value = 0.5;
    at += 2;
  } else if (range) {
    [value, upTo] = [Number(range[1]), Number(range[2])];
    at += 1;
  } else {
    value = readCardinal(many);
    at = skipped + 1;
    const other = /^(?:or|to)$/.test(wordAfter(reader, at) ?? '') ? readCardinal(wordAfter(reader, at + 1)) : undefined;
    if (other !== undefined) [upTo, at] = [other, at + 2];
  }
  const unitWord = wordAfter(reader, at);
  const unit = unitWord === 'fortnight' || unitWord === 'fortnights' ? 'week' : readUnit(unitWord);
  if (value === undefined || value === 0 || unit === undefined || (unitWord?.length === 1 && unitWord !== 'h'))
    return undefined;
  const times = unitWord?.startsWith('fortnight') ? 2 : 1;
  const count = { value: value * times, unit, isVague, next: at + 1 };
  return upTo !== undefined && upTo > value ? { ...count, upTo: upTo * times } : count;
}

export function goBack(reader: Reader, unit: Unit, value: number): number {
  const { calendar, now } = reader;
  if (unit === 'minute') return now - value * 60_000;
  if (unit === 'hour') return now - value * hourMs;
  if (unit === 'day' || unit === 'week') return addDays(calendar, now, -Math.round(value * (unit === 'week' ? 7 : 1)));
  const perUnit = unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12;
  const whole = Math.trunc(value * perUnit);
  return addDays(calendar, addMonths(calendar, now, -whole), -Math.round((value * perUnit - whole) * 30));
}

function makeRolling(from: number, to: number, next: number, isVague: boolean): Period {
  const period: Period = { from, to, next, grain: 'rolling', alone: 'hard', open: true };
  return isVague ? { ...period, vague: true } : period;
}

/** Saturday and Sunday: the latest that has begun, or one so many before this week's. */
function weekendOf(reader: Reader, back: number): Span {
  const { calendar, now } = reader;
  const saturdayOf = (offset: number): number => addDays(calendar, spanOf(calendar, 'week', now, offset).from, 5);
  const isNow = saturdayOf(0) <= now;
  const offset = isNow ? -back : -Math.max(back, 1);
  const from = saturdayOf(offset);
  return { from, to: addDays(calendar, from, 2) };
}

function readVague(reader: Reader, index: number): Period | undefined {
  const word = wordAt(reader, index);
  const make = (days: number, next: number): Period => {
    const from = spanOf(reader.calendar, 'day', addDays(reader.calendar, reader.now, -days)).from;
    return { from, to: reader.now, next, grain: 'rolling', alone: 'soft', vague: true, open: true };
  };
  if (word === 'recently' || word === 'lately') {
    // The least recently used is a kind of cache.
    const isRank = /^(?:least|most)$/.test(wordAt(reader, index - 1) ?? '') || wordAfter(reader, index + 1) === 'used';
    return isRank ? undefined : make(recentDays, index + 1);
  }
  if (readsAt(reader, index, ['these', 'days'])) return make(recentDays, index + 2);
  if (readsAt(reader, index, ['other', 'day']) && wordAt(reader, index - 1) === 'the') return make(10, index + 2);
  if (readsAt(reader, index, ['just', 'now'])) return make(0, index + 2);
  if (readsAt(reader, index, ['a', 'moment', 'ago'])) return make(0, index + 3);
  if (word !== 'recent') return undefined;
  const plural = wordAfter(reader, index + 1);
  const span = { days: 7, weeks: 35, months: 120, years: 1100 }[plural ?? ''];
  return span === undefined ? undefined : make(span, index + 2);
}
